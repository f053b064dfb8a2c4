"""One shard, by whatever process: all that an executor calls.

`run_shard` is given names and gives back a few numbers; all else it reads from the job's folder and commits to it. It
can be called for any shard, by any process, any number of times. What a process has loaded and learned, of sub-programs
for instance, it keeps for its next shard.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from synth.enumeration.keeping import keeper_for
from synth.jobs import logs
from synth.jobs.committed import Counts, DamagedError, commit
from synth.jobs.job import Job
from synth.jobs.layout import ABOUT, LOGS
from synth.jobs.shards import units_in
from synth_checker.chunks import in_chunks
from synth_checker.errors import InputError, ResourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Receipt(NamedTuple):
    """A shard that is committed, by this call or before, and how many tests it has."""

    name: str
    tests: int


class Failure(NamedTuple):
    """A shard that could not be done: what happened, and how often that was tried."""

    name: str
    error: str
    tries: int = 1


def run_shard(folder: Path, name: str) -> Receipt:
    """Do a shard of a job, unless it is done, and commit its result.

    Raises:
        InputError: there is no such job or shard.
        ResourceError: the result can't be written, or several shards, one after the other, wanted too much memory.
        MemoryError: this one did; another may need less.
        InternalError: the engine and the core disagree on whether a program is a test.
    """
    for receipt in shard_steps(folder, name):
        if receipt is not None:
            return receipt
    raise AssertionError  # the last step is the receipt


def shard_steps(folder: Path, name: str) -> Iterator[Receipt | None]:
    """The same, a batch of the engine at a time: nothing until the last step. Raises as `run_shard` does.

    Whoever stops half-way has lost what was found of the shard, and nothing else.
    """
    global _loaded, _short  # noqa: PLW0603  (one a process)
    with _claim:
        loaded, _loaded = _loaded_for(folder), None  # until it is whole again
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
                msg = f"{name}: no memory left for {_short} shards, one after the other, expected more of it"
                raise ResourceError(msg) from error
            raise
        assert done is not None  # noqa: S101  (the last step)
        seconds, cpu = time.monotonic() - start, time.process_time() - cpu_start
        logs.append(folder / LOGS, name, seconds=seconds, cpu=cpu, tests=done.tests, kept=done.kept)
    _loaded, _short = loaded, 0
    yield Receipt(name, done.tests)


class _Loaded:
    """What a process has of a job: the list of shards, the engine, and what keeps its tests."""

    def __init__(self, folder: Path, identity: tuple[int, ...]) -> None:
        self.of = folder, identity
        self.job = Job(folder)
        self._engine = self.job.engine()
        self._keeper = keeper_for(self.job.question, jobs=1, count_behaviours=False)

    def steps(self, name: str) -> Iterator[Counts | None]:
        """Do a shard and commit it; the last step is what it has."""
        shard = self.job.shards.get(name)
        if shard is None:
            msg = f"{self.job.folder}: found no shard {name!r}, expected one of {len(self.job.shards)}"
            raise InputError(msg)
        tests = 0
        for unit in units_in(shard, self._engine):
            for lines in self._engine.solve(unit):
                tests += lines.count(b"\n")
                self._keeper.take(lines)
                yield None
        kept = self._keeper.kept()
        counts = Counts(tests, kept.found.get("minimal", 0), len(kept.ids), tuple(sorted(kept.signatures)))
        lines = b"".join(in_chunks(kept.ids.packed.lines, len(kept.ids)))
        commit(self.job.results, name, self.job.checksum, counts, lines)
        yield counts


_loaded: _Loaded | None = None
#: Held by the thread that takes what is loaded: workers of a Dask cluster may have several.
_claim = threading.Lock()
#: How many shards have failed for want of memory since one was done, and of how many it is not the shards' fault.
_short = 0
_SHORT_FOR_ALL = 3


def _loaded_for(folder: Path) -> _Loaded:
    """What this process has loaded, if it is of the job that lies there now."""
    try:
        about = (folder / ABOUT).stat()
    except OSError:
        return _Loaded(folder, ())  # which says what is wrong
    identity = about.st_ino, about.st_mtime_ns
    return _loaded if _loaded is not None and _loaded.of == (folder, identity) else _Loaded(folder, identity)
