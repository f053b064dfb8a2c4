"""Compile emitted programs with `make`.

Compiling many tests takes minutes. So whoever may stop a run may also stop its compiler. Then `make` and all that it
has started are killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING

from synth_checker.child import MARK, Child, InterruptError, LineTimeoutError
from synth_checker.errors import ResourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_checker.child import Interrupt

#: How many seconds `make` may take.
_LONGEST_S = 1800.0
#: The shell keeps its standard output open until `make` has ended, so that we can wait for that.
_SCRIPT = 'make "$@" >"$0" 2>&1; exit $?'
#: Who may stop a compiler, the last one first.
_interrupts: list[Interrupt] = []


@contextlib.contextmanager
def interruptible_compilers(interrupt: Interrupt) -> Iterator[None]:
    """As a context manager, let somebody stop all compilers that are started meanwhile."""
    _interrupts.append(interrupt)
    try:
        yield
    finally:
        _interrupts.pop()


def run_make(place: Path) -> None:
    """Compile emitted programs with their Makefile.

    Raises:
        ResourceError: there is no `make` or compiler, compiling failed, or it was stopped. The message has the first
            line of what `make` printed that has the word "error".
    """
    if shutil.which("make") is None:
        raise ResourceError("found no make, which compiling tests needs: sudo apt install make")
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    log = place.parent / "make.log"
    words = ["sh", "-c", _SCRIPT, str(log.absolute()), "-s", "--no-print-directory", f"-j{jobs}", "-C", str(place)]
    mark = f"{os.environ.get(MARK, f'{os.getpid()}:')}make;"
    with Child(words, os.environ, mark) as child:
        child.ask_nothing_more()
        child.interrupt = _interrupts[-1] if _interrupts else None
        try:
            child.line(_LONGEST_S)
            child.end(_LONGEST_S)
        except InterruptError as error:
            raise ResourceError("compiling was stopped") from error
        except LineTimeoutError as error:
            raise ResourceError(
                f"compiling took longer than {_LONGEST_S:g} seconds; {log} has what make printed"
            ) from error
    if child.status.code != 0:
        said = [line for line in _lines(log) if "rror" in line] or [f"make failed with {child.status}"]
        raise ResourceError(f"compiling failed: {said[0].strip()}; {log} has everything that make printed")


def _lines(log: Path) -> list[str]:
    """Return the lines of a log, or none if the shell could not write it."""
    try:
        return log.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
