"""End a job: merge the results of its shards into an ordinary corpus.

The corpus has the same records as that of `synth enumerate`, byte for byte, because both make records from sorted ids
in pieces of the same size. Memory does not grow with the number of tests. Only a limited number of files is open at a
time. If a job has more shards than that, the results of some of them are first merged into a new file. One task does
need memory: to keep one test of each behaviour takes some tens of bytes for each behaviour.
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

from synth_checker._native import BehaviourSet, IdCollector, behaviour_hashes
from synth_checker.chunks import CHUNK
from synth_checker.errors import InternalError
from synth_checker.models import models_named, verdict_names
from synth_checker.programs.ids import Ids
from synth_corpus.store import write_corpus
from synth_corpus.test_sets import SetOfTests, by_signature, by_split, manifest_of
from synth_jobs import logs
from synth_jobs.committed import ids_of, lines_in
from synth_jobs.layout import LOGS
from synth_search.enumeration.saved import corpus_at
from synth_storage.partial_files import partial_name
from synth_storage.provenance import provenance
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_corpus.manifest import Manifest
    from synth_jobs.job import Job
    from synth_workers.execution import Execution
    from synth_workers.stop import Stop

_T = TypeVar("_T")
#: How many files may be open at a time. Each takes some megabytes of memory.
_OPEN = 64
#: How many ids are made into records at a time: enough chunks to keep several threads busy.
_PIECE = 16 * CHUNK
_LEVEL = 1


def finish(job: Job, folder: Path, how: Execution) -> Manifest | None:
    """Write the corpus of a job to `folder`, and return the manifest of the corpus.

    All shards of the job must be committed. Several operating-system threads make the records. If `folder` has a
    complete corpus of the question already, the function writes nothing. If there is a reason to stop, it writes
    nothing either, and returns None. A progress report says how many tests have been written, and how many there can be
    at most.

    Raises:
        DamagedError: the file of a shard is damaged.
        InputError: the folder holds something other than a corpus of this question, or is not usable.
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
        written = _RecordMaker(job, how)
        return write_corpus(folder, written.records(lines), written.manifest, force=True)
    except _StoppedError:
        return None
    finally:
        shutil.rmtree(merging, ignore_errors=True)


class _StoppedError(Exception):
    """Raised in the middle of a merge if there is a reason to stop."""


class _RecordMaker:
    """Makes the records of sorted ids, and counts them on the way."""

    def __init__(self, job: Job, how: Execution) -> None:
        self._job, self._how = job, how
        self._tests = 0
        self._splits: Counter[tuple[int, ...]] = Counter()
        self._signatures: Counter[int] = Counter()

    def records(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the records of ids, many at a time."""
        last, most = b"", sum(counts.kept for counts in self._job.committed()[0].values())
        for lines_of_piece in _some_at_a_time(lines, _PIECE):
            collector = IdCollector()
            collector.add(b"".join(lines_of_piece))
            piece = SetOfTests(question=self._job.question, ids=Ids(collector), jobs=self._how.jobs)
            if len(piece.ids) != len(lines_of_piece) or lines_of_piece[0] == last:
                raise InternalError(
                    f"{self._job.folder}: found the same test in two shards, expected each test in one shard"
                )
            last = lines_of_piece[-1]
            self._tests += len(lines_of_piece)
            self._splits.update(piece.ids.packed.splits())
            self._signatures.update(piece.passes.counts())
            yield from piece.records()
            self._how.progress(self._tests, most, 0)

    def manifest(self) -> Manifest:
        """Return the manifest, once all records were made.

        The manifest does not say how many behaviours there are, because counting them would take too much memory.
        """
        job, question = self._job, self._job.question
        counts = job.committed()[0].values()
        counts_found = {}
        if not question.keeps_all:
            counts_found["tests"] = sum(count.tests for count in counts)
        if question.minimal:
            counts_found["minimal"] = sum(count.minimal for count in counts)
            counts_found["signatures"] = len({mask for count in counts for mask in count.signatures})
        entries = logs.entries(job.folder / LOGS)
        seconds = sum(entry.seconds for entry in entries)
        workers = len({entry.worker for entry in entries})
        run = provenance(seconds, engine=job.engine_name, solver=job.solver, shards=len(counts), workers=workers)
        verdicts = verdict_names(models_named(question.models))
        signatures = by_signature(self._signatures, len(verdicts))
        counted = manifest_of(question, self._tests, by_split(question, self._splits), signatures, complete=True)
        return replace(counted, found=counts_found, run={**run, "stopped": None})


def _merged(job: Job, merging: Path, stop: Stop) -> Iterator[bytes]:
    """Yield the ids of all shards, sorted, each with a line break.

    Raise `_StoppedError` if there is a reason to stop.
    """
    sources: list[Iterable[bytes]] = [ids_of(job.results, name) for name in job.shards]
    while len(sources) > _OPEN:
        number = min(_OPEN, len(sources) - _OPEN + 1)  # only as many as necessary
        merging_now, sources = sources[:number], sources[number:]
        sources.append(_written_down(_until(stop, heapq.merge(*merging_now)), merging))
    return _until(stop, heapq.merge(*sources))


def _until(stop: Stop, lines: Iterator[bytes]) -> Iterator[bytes]:
    for piece in _some_at_a_time(lines, CHUNK):
        if stop.look():
            raise _StoppedError
        yield from piece


def _written_down(lines: Iterable[bytes], merging: Path) -> Iterator[bytes]:
    """Write lines into a new file, and return an iterator that reads them from there when the first is asked for."""
    import zstandard

    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    with (
        as_user_errors(merging),
        tempfile.NamedTemporaryFile(dir=merging, delete=False) as file,
        compressor.stream_writer(file) as stream,
    ):
        for piece in _some_at_a_time(iter(lines), CHUNK):
            stream.write(b"".join(piece))
    return _read_again(Path(file.name))


def _read_again(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from lines_in(path, file)
    path.unlink()


def _one_of_each_behaviour(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first id of each behaviour."""
    behaviours = BehaviourSet()
    for piece in _some_at_a_time(lines, CHUNK):
        yield from compress(piece, behaviours.insert(behaviour_hashes(b"".join(piece))))


def _some_at_a_time(things: Iterator[_T], number: int) -> Iterator[list[_T]]:
    while piece := list(islice(things, number)):
        yield piece
