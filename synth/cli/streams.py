"""What commands say, and to whom.

A reader that has gone, as in `synth check FILE | head -1`, ends nothing: what is written to it goes nowhere, and the
command goes on to its exit code, which is the answer. A terminal that was closed is such a reader. Only
where much is left to be said is it worth asking `is_heard`.
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

from synth.views.readable import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Descriptor(io.FileIO):
    """A descriptor to write to; what is written is dropped once that has failed in a way that is forgiven."""

    def __init__(self, descriptor: int, forgiven: type[OSError]) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.is_heard = True
        self._forgiven = forgiven
        self._is_terminal = stat.S_ISCHR(os.fstat(descriptor).st_mode)  # os.isatty denies it once that is closed

    # Bytes of any kind have no name before Python 3.12.
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
    """Within this, standard output and standard error take what is written though nobody reads it.

    Other failures of standard output, such as a full disk, are still raised; of those of standard error nobody could
    be told. Streams that have no descriptor are left alone.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _forgiving(sys.stdout, BrokenPipeError), _forgiving(sys.stderr, OSError)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _forgiving(stream: TextIO, forgiven: type[OSError]) -> TextIO:
    try:
        descriptor = _Descriptor(stream.fileno(), forgiven)
    except (AttributeError, OSError):  # a closed stream is None
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(descriptor),
        encoding=stream.encoding,
        errors="backslashreplace",  # what the terminal can't show, or is no Unicode, is shown as Python writes it
        line_buffering=bool(stream.line_buffering or getattr(stream, "write_through", False)),  # PYTHONUNBUFFERED
    )


def is_heard() -> bool:
    """Whether somebody reads standard output, as far as we know."""
    return getattr(getattr(getattr(sys.stdout, "buffer", None), "raw", None), "is_heard", True)


def drop_output() -> None:
    """What is still to be written to standard output goes nowhere, instead of failing again as Python leaves."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def warn(lines: Iterable[str]) -> None:
    """Say lines of a view on standard error, each after the name of the program."""
    for line in lines:
        typer.echo(f"synth: {shown(line)}", err=True)


def say_if_incomplete(folder: object, because: str) -> None:
    """Tell whoever reads the tests of a corpus why some may be missing; nothing where there is no cause."""
    if because:
        sys.stderr.write(f"synth: {shown(str(folder))} is incomplete: {because}\n")


def say(line: str) -> None:
    """Tell whoever waits one line, on standard error."""
    typer.echo(shown(" ".join(line.splitlines())), err=True)
