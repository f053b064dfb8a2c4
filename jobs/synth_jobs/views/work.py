"""Messages about the folder of a job, after a command has stopped its work, done some of it, or removed files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_jobs.driver import ShardProgress
    from synth_jobs.garbage import RemovedFiles


def removed_lines(folder: Path, removed: RemovedFiles) -> Iterator[str]:
    """Yield a line with the number of files and bytes that `synth job gc` has removed."""
    yield f"{shown(str(folder))}: removed {count(removed.files, 'file')}, {removed.bytes:,} bytes"


def unmade_stop_lines(folder: Path) -> Iterator[str]:
    """Yield a line which says that the processes that sample a question were asked to stop."""
    yield f"asked {shown(str(folder))} to stop; no job will be made"


def stop_lines(folder: Path, driven: ShardProgress, *, is_asked: bool) -> Iterator[str]:
    """Yield a line which says how far a job is, and whether `synth job stop` has asked any process to stop."""
    place, done = shown(str(folder)), f"{driven.done} of {driven.shards} shards done"
    yield f"asked {place} to stop; {done}" if is_asked else f"no process works on {place}; {done}"


def work_lines(
    folder: Path, driven: ShardProgress, done: int, why: str | None, *, is_queued: bool | None
) -> Iterator[str]:
    """Yield a line which says how many shards a worker has done, how far the job is, and why the worker ends.

    `why` is None if no shard is left. `is_queued` says whether the task was put back into a queue. It is None if nobody
    tried.
    """
    again = (
        ""
        if is_queued is None
        else "; this task is queued again"
        if is_queued
        else "; this task has not queued itself again"
    )
    aside = f", {driven.set_aside} set aside after failing" if driven.set_aside else ""
    are = "is" if driven.done == 1 else "are"
    yield (
        f"{'no shard is left to do' if why is None else f'synth: {why}'}; this process has done {done} of "
        f"{driven.shards} shards of {shown(str(folder))}, {driven.done} {are} done{aside}{again}"
    )
