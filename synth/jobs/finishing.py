"""The end of a job: the results of its shards, merged as they are read, become an ordinary corpus.

The corpus has the same records as that of `synth enumerate`, byte for byte: they are made of ids in their order, in
pieces of the same size. Memory does not grow with the number of tests: few files are open at a time, and where there
are more, merges of some of them are written down first. Only to tell which tests are the same `up_to` behaviour takes
some tens of bytes for each behaviour.
"""

from __future__ import annotations

import heapq
import shutil
import tempfile
from collections import Counter
from dataclasses import replace
from itertools import compress, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from synth.enumeration.saving import corpus_at
from synth.enumeration.sets import SetOfTests, by_signature, by_split, manifest_of
from synth.jobs import logs
from synth.jobs.committed import ids_of, lines_in
from synth.jobs.layout import LOGS
from synth_checker._native import BehaviourSet, IdCollector, behaviour_hashes
from synth_checker.chunks import CHUNK
from synth_checker.errors import InternalError
from synth_checker.ids import Ids
from synth_checker.models import models_named, verdict_names
from synth_corpus.store import write_corpus
from synth_storage.partial import partial_name
from synth_storage.provenance import provenance
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth.jobs.job import Job
    from synth.work.execution import Execution
    from synth.work.stopping import Stop
    from synth_corpus.manifest import Manifest

_T = TypeVar("_T")
#: Files that are open at a time; each takes some megabytes.
_OPEN = 64
#: Ids that are made records at a time: as many of the chunks that records are made in as keep several threads busy.
_PIECE = 16 * CHUNK
_LEVEL = 1


def finish(job: Job, folder: Path, how: Execution) -> Manifest | None:
    """Write the corpus of a job, all shards of which are committed, in threads; nothing if it is there already.

    None, and nothing written, where there is a reason to stop. Progress is told how many tests are written, and of how
    many at most.

    Raises:
        DamagedError: a shard's file is not as it was written.
        InputError: the folder holds something else, or can't be used.
        ResourceError: writing failed.
        InternalError: two shards have the same test.
    """
    there = corpus_at(folder, job.question)
    if there is not None and there.manifest.complete:
        return there.manifest
    merging = job.folder / partial_name("merging")
    with as_user_errors(merging):
        merging.mkdir()
    try:
        lines = _merged(job, merging, how.stop)
        if "behaviour" in job.question.up_to:
            lines = _one_of_each_behaviour(lines)
        written = _Written(job, how)
        return write_corpus(folder, written.records(lines), written.manifest, force=True)
    except _StoppedError:
        return None
    finally:
        shutil.rmtree(merging, ignore_errors=True)


class _StoppedError(Exception):
    """There is a reason to stop, in the middle of a merge."""


class _Written:
    """The records of ids that come sorted, and what is counted of them as they go by."""

    def __init__(self, job: Job, how: Execution) -> None:
        self._job, self._how = job, how
        self._tests = 0
        self._splits: Counter[tuple[int, ...]] = Counter()
        self._signatures: Counter[int] = Counter()

    def records(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The records of ids, many at a time."""
        last, most = b"", sum(one.kept for one in self._job.committed()[0].values())
        for some in _some_at_a_time(lines, _PIECE):
            collector = IdCollector()
            collector.add(b"".join(some))
            piece = SetOfTests(question=self._job.question, ids=Ids(collector), jobs=self._how.jobs)
            if len(piece.ids) != len(some) or some[0] == last:
                msg = f"{self._job.folder}: found a test in two shards, expected each in one"
                raise InternalError(msg)
            last = some[-1]
            self._tests += len(some)
            self._splits.update(piece.ids.packed.splits())
            self._signatures.update(piece.passes.counts())
            yield from piece.records()
            self._how.progress(self._tests, most, 0)

    def manifest(self) -> Manifest:
        """The manifest of them, when all have gone by. Behaviours are not counted, which would take memory for each."""
        job, question = self._job, self._job.question
        counts = job.committed()[0].values()
        found = {}
        if not question.keeps_all:
            found["tests"] = sum(one.tests for one in counts)
        if question.minimal:
            found["minimal"] = sum(one.minimal for one in counts)
            found["signatures"] = len({mask for one in counts for mask in one.signatures})
        entries = logs.entries(job.folder / LOGS)
        seconds = sum(entry.seconds for entry in entries)
        workers = len({entry.worker for entry in entries})
        run = provenance(seconds, engine=job.engine_name, solver=job.solver, shards=len(counts), workers=workers)
        verdicts = verdict_names(models_named(question.models))
        signatures = by_signature(self._signatures, len(verdicts))
        counted = manifest_of(question, self._tests, by_split(question, self._splits), signatures, complete=True)
        return replace(counted, found=found, run={**run, "stopped": None})


def _merged(job: Job, merging: Path, stop: Stop) -> Iterator[bytes]:
    """The ids of all shards, sorted, each with its line end; ends with an error where there is a reason to stop."""
    sources: list[Iterable[bytes]] = [ids_of(job.results, name) for name in job.shards]
    while len(sources) > _OPEN:
        number = min(_OPEN, len(sources) - _OPEN + 1)  # no more than must be
        some, sources = sources[:number], sources[number:]
        sources.append(_written_down(_until(stop, heapq.merge(*some)), merging))
    return _until(stop, heapq.merge(*sources))


def _until(stop: Stop, lines: Iterator[bytes]) -> Iterator[bytes]:
    for some in _some_at_a_time(lines, CHUNK):
        if stop.look():
            raise _StoppedError
        yield from some


def _written_down(lines: Iterable[bytes], merging: Path) -> Iterator[bytes]:
    """The same lines, from a new file, which is read when the first is asked for."""
    import zstandard

    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    with (
        as_user_errors(merging),
        tempfile.NamedTemporaryFile(dir=merging, delete=False) as file,
        compressor.stream_writer(file) as stream,
    ):
        for some in _some_at_a_time(iter(lines), CHUNK):
            stream.write(b"".join(some))
    return _read_again(Path(file.name))


def _read_again(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from lines_in(path, file)
    path.unlink()


def _one_of_each_behaviour(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Of the ids of programs that are behaviour-equivalent the first."""
    seen = BehaviourSet()
    for some in _some_at_a_time(lines, CHUNK):
        yield from compress(some, seen.insert(behaviour_hashes(b"".join(some))))


def _some_at_a_time(things: Iterator[_T], number: int) -> Iterator[list[_T]]:
    while some := list(islice(things, number)):
        yield some
