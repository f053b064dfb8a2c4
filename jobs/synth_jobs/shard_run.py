"""Do one shard of a job, in any process: the function that executors call.

`run_shard` takes a folder and a name, and returns a few numbers. It reads everything else from the folder of the job,
and commits the result there. Any process may call it for any shard, any number of times. A process keeps what it has
loaded and learned, for instance about sub-programs, for its next shard.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from synth_checker._native import ended_lines
from synth_checker.chunks import in_chunks
from synth_checker.errors import InputError, ResourceError
from synth_jobs import logs
from synth_jobs.committed import DamagedError, ShardCounts, commit
from synth_jobs.job import Job
from synth_jobs.layout import ABOUT, LOGS
from synth_jobs.shards import units_in
from synth_jobs.shared_subprograms import shared_orbits
from synth_search.enumeration.kept_tests import filter_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Receipt(NamedTuple):
    """A shard that is committed, by this call or earlier, and how many tests it has."""

    name: str
    tests: int


class Failure(NamedTuple):
    """A shard that has failed: its name, the error, and how many tries there were."""

    name: str
    error: str
    tries: int = 1


def run_shard(folder: Path, name: str) -> Receipt:
    """Do a shard of a job, unless it is done already, and commit its result.

    Raises:
        InputError: there is no such job or shard.
        ResourceError: the result can't be written, or several shards in a row needed too much memory.
        MemoryError: this shard needed too much memory; another may need less.
        InternalError: the engine and the core disagree on whether a program is a test.
    """
    for receipt in shard_steps(folder, name):
        if receipt is not None:
            return receipt
    raise AssertionError  # the last step is the receipt


def shard_steps(folder: Path, name: str) -> Iterator[Receipt | None]:
    """Do a shard as `run_shard` does, but in steps of one batch of the engine.

    Yield None after each, and at last the receipt.

    A caller that stops in between loses what was found of this shard, and nothing else. The errors are those of
    `run_shard`.
    """
    global _loaded, _short  # noqa: PLW0603  (a process has one of each)
    with _claim:
        loaded, _loaded = _loaded_for(folder), None  # it stays so if this shard fails
    try:
        done = loaded.job.counts(name)
    except DamagedError:
        done = None
    if done is None:
        start, cpu_start = time.monotonic(), time.process_time()
        try:
            for counts in loaded.steps(name):
                if counts is not None:
                    done = counts
                yield None
        except MemoryError as error:
            _short += 1
            if _short == _SHORT_FOR_ALL:
                raise ResourceError(
                    f"{name}: no memory was left for {_short} shards in a row; "
                    "use fewer processes or a machine with more memory"
                ) from error
            raise
        assert done is not None  # noqa: S101  (the last step)
        seconds, cpu = time.monotonic() - start, time.process_time() - cpu_start
        logs.append(folder / LOGS, name, seconds=seconds, cpu=cpu, tests=done.tests, kept=done.kept)
    _loaded, _short = loaded, 0
    yield Receipt(name, done.tests)


class _LoadedJob:
    """The parts of a job that a process keeps: the list of shards, the engine, and the filter of its tests."""

    def __init__(self, folder: Path, identity: tuple[int, ...]) -> None:
        self.of = folder, identity
        self.job = Job(folder)
        self._engine = self.job.engine()
        question = self.job.question
        self._filter = filter_for(question, jobs=1, count_behaviours=False, shared=shared_orbits(question))

    def steps(self, name: str) -> Iterator[ShardCounts | None]:
        """Do a shard in steps, and commit it; the last step yields its counts."""
        shard = self.job.shards.get(name)
        if shard is None:
            raise InputError(f"{self.job.folder}: this job has no shard {name!r}; it has {len(self.job.shards)} shards")
        tests = 0
        for unit in units_in(shard, self._engine):
            for lines in self._engine.solve(unit):
                tests += ended_lines(lines)
                self._filter.take(lines)
                yield None
        kept = self._filter.kept()
        counts = ShardCounts(tests, kept.found.get("minimal", 0), len(kept.ids), tuple(sorted(kept.signatures)))
        lines = b"".join(in_chunks(kept.ids.packed.lines, len(kept.ids)))
        commit(self.job.results, name, self.job.checksum, counts, lines)
        yield counts


_loaded: _LoadedJob | None = None
#: A thread holds this lock while it takes the loaded job. A worker of a Dask cluster may have several threads.
_claim = threading.Lock()
#: How many shards in a row have failed for lack of memory. After `_SHORT_FOR_ALL` such shards the machine has too
#: little.
_short = 0
_SHORT_FOR_ALL = 3


def _loaded_for(folder: Path) -> _LoadedJob:
    """Return what this process has loaded, if it belongs to the job that is in the folder now.

    Otherwise load the job.
    """
    try:
        about = (folder / ABOUT).stat()
    except OSError:
        return _LoadedJob(folder, ())  # raises an error that says what is wrong
    identity = about.st_ino, about.st_mtime_ns
    return _loaded if _loaded is not None and _loaded.of == (folder, identity) else _LoadedJob(folder, identity)
