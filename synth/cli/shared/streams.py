"""Standard output and standard error, and how commands go on when nobody reads them.

A reader may go away early, as in `synth check FILE | head -1`. Then the command drops what it would write, and goes on
to its exit code, which is the answer. A closed terminal is such a reader. A command with a long output can ask
`has_reader` whether to go on.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from typing import TYPE_CHECKING, Any, TextIO

import typer

from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Descriptor(io.FileIO):
    """A file descriptor for writing that forgives some errors: after one of them it drops all further output."""

    def __init__(self, descriptor: int, forgiven: type[OSError]) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.is_heard = True
        self._forgiven = forgiven
        self._is_terminal = stat.S_ISCHR(os.fstat(descriptor).st_mode)  # os.isatty says no once the terminal is closed

    # Before Python 3.12 there is no type for all kinds of bytes.
    def write(self, data: Any, /) -> int | None:  # type: ignore[override]  # noqa: ANN401
        if self.is_heard:
            try:
                return super().write(data)
            except OSError as error:
                closed = self._is_terminal and error.errno == errno.EIO
                if not closed and not isinstance(error, self._forgiven):
                    raise
                self.is_heard = False
        return memoryview(data).nbytes


@contextlib.contextmanager
def forgiving_streams() -> Iterator[None]:
    """Let standard output and standard error, while in this context, accept output that nobody reads.

    Other failures of standard output, such as a full disk, still raise an error. Failures of standard error do not,
    because nobody could read the message. A stream without a descriptor stays as it is.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _forgiving_stream(sys.stdout, BrokenPipeError), _forgiving_stream(sys.stderr, OSError)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _forgiving_stream(stream: TextIO, forgiven: type[OSError]) -> TextIO:
    try:
        descriptor = _Descriptor(stream.fileno(), forgiven)
    except (AttributeError, OSError):  # a closed stream is None
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(descriptor),
        encoding=stream.encoding,
        errors="backslashreplace",  # for what the terminal can't show, or what is no Unicode
        line_buffering=bool(stream.line_buffering or getattr(stream, "write_through", False)),  # PYTHONUNBUFFERED
    )


def has_reader() -> bool:
    """Return whether somebody reads standard output, as far as this process knows."""
    return getattr(getattr(getattr(sys.stdout, "buffer", None), "raw", None), "is_heard", True)


def drop_output() -> None:
    """Drop the rest of standard output, so that writing it does not fail again when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_data(text: str) -> None:
    """Print what other programs read, as it is. A terminal gets characters that could control it as escapes."""
    if sys.stdout is not None and sys.stdout.isatty():
        text = "\n".join(map(shown, text.replace("\r\n", "\n").split("\n")))
    typer.echo(encoded(text), nl=False)


def encoded(text: str) -> bytes:
    r"""Return a text in UTF-8. What is no Unicode in it, such as in the name of a file, is escaped: `\udcff`."""
    return text.encode("utf-8", "backslashreplace")


def warn(lines: Iterable[str]) -> None:
    """Print lines of a view on standard error, each after the name of the program."""
    for line in lines:
        typer.echo(f"synth: {shown(line)}", err=True)


def say_if_incomplete(folder: object, because: str) -> None:
    """Print a warning that a corpus is incomplete and why; print nothing if `because` is empty."""
    if because:
        sys.stderr.write(f"synth: {shown(str(folder))} is incomplete: {shown(because)}\n")


def advise(lines: Iterable[str]) -> None:
    """Print on standard error what a person at a terminal may do next. Programs and files don't get it."""
    if is_terminal():
        for line in lines:
            typer.echo(shown(line), err=True)


def is_terminal() -> bool:
    """Return whether both standard output and standard error are a terminal, so that a person looks at both."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))


def say(line: str) -> None:
    """Print one line on standard error."""
    typer.echo(shown(" ".join(line.splitlines())), err=True)
