"""What commands say of the folder of a job when they have stopped work on it, done some of it, or removed files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.phrases import count
from synth.views.readable import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth.jobs.cleaning import Removed
    from synth.jobs.driving import Driven


def removed_lines(folder: Path, removed: Removed) -> Iterator[str]:
    """What `synth job gc` has removed."""
    yield f"{shown(str(folder))}: removed {count(removed.files, 'file')}, {removed.size:,} bytes"


def unmade_stop_lines(folder: Path) -> Iterator[str]:
    """That those who sample a question are asked to stop."""
    yield f"{shown(str(folder))} is asked to stop; no job is made"


def stop_lines(folder: Path, driven: Driven, *, is_asked: bool) -> Iterator[str]:
    """How far a job is, and whether somebody was there to be asked to stop."""
    place, done = shown(str(folder)), f"{driven.done} of {driven.shards} shards done"
    yield f"{place} is asked to stop; {done}" if is_asked else f"nobody is at work on {place}; {done}"


def work_lines(folder: Path, driven: Driven, done: int, why: str | None, *, is_queued: bool | None) -> Iterator[str]:
    """How many shards a worker has done, how far the job is, and why the worker ends.

    `why` is None if nothing is left. `is_queued` says whether its task was put back into a queue, None if nobody tried.
    """
    again = "" if is_queued is None else "; queued again" if is_queued else "; not queued again by itself"
    aside = f", {driven.set_aside} set aside after failing" if driven.set_aside else ""
    are = "is" if driven.done == 1 else "are"
    yield (
        f"{'nothing is left to do' if why is None else f'synth: {why}'}; this process has done {done} of "
        f"{driven.shards} shards of {shown(str(folder))}, {driven.done} {are} done{aside}{again}"
    )
