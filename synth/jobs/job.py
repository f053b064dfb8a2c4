"""A job: a folder that holds a question, the shards that it was cut into, and what was found of them.

`synth.jobs.layout` says what lies where in it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import reprlib
from typing import TYPE_CHECKING, TypeVar

from synth.engines.choosing import engine_for
from synth.jobs.committed import SUFFIX, DamagedError, counts_of
from synth.jobs.failures import Failures
from synth.jobs.layout import (
    ABOUT,
    COMMITTED,
    CORPUS,
    FAILED,
    FORMAT,
    KIND,
    LOGS,
    LONGEST_ABOUT,
    SHARDS,
    STOP,
    UNMADE,
    WORKERS,
    is_unmade,
)
from synth.jobs.presence import at_work
from synth.jobs.shards import Shard, read_shards, shards_text
from synth_checker.errors import InputError
from synth_corpus.manifest import question_fields, question_in
from synth_storage.described import read_described
from synth_storage.folders import beginning, put_folder
from synth_storage.provenance import provenance
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth.engines.choosing import SomeEngine
    from synth.engines.engine import AUnit, Engine
    from synth.jobs.committed import Counts
    from synth_checker.question import Question
    from synth_storage.strict_json import Json

_T = TypeVar("_T")


class Job:
    """A job that lies in a folder.

    Its life goes down. It goes to the right where all who work on it have left or were killed, and to the left with
    `job resume`, from incomplete also with `job work`:

                              somebody is at work         nobody is at work
        no job.json yet       sampling
                                 |
                                 v
        shards are left       running    <------------->  incomplete
          and asked to stop   stopping   -------------->  stopped
                                 |
                                 v
        all are committed     writing    <------------->  done
                                 |
                                 v
        corpus/ is whole      complete

    The state is not written down. It follows from the files in the folder, see `synth.jobs.progress`. `resume` takes
    `stop` away, and a job whose corpus was written elsewhere stays done.

    Raises:
        InputError: there is none, or it can't be read.
        ResourceError: what it lies on failed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            text = beginning(folder / ABOUT, LONGEST_ABOUT).decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(_why_no_job(folder)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise refusal(folder / ABOUT, error, "that of a job") from error
        found = read_described(text, str(folder / ABOUT), KIND, FORMAT)
        says = functools.partial(_value, folder, found)
        self.engine_name = says("engine", str)
        self.solver = None if found.get("solver") is None else says("solver", str)
        self._order = says("order", int)
        self.shard_seconds: float = says("shard_seconds", float, int)
        self.checksum = says("sha256", str)
        self.run: dict[str, Json] = says("run", dict)
        try:
            self.question: Question = question_in(found)
        except InputError as error:
            msg = f"{folder / ABOUT}: {error}"
            raise type(error)(msg) from None
        self.failures = Failures(folder / FAILED)
        self._known: dict[str, tuple[tuple[int, ...], Counts]] = {}

    @staticmethod
    def create(
        folder: Path, question: Question, engine: Engine[AUnit], shards: Sequence[Shard], shard_seconds: float
    ) -> Job:
        """Make the folder of a job, which must be new or empty, or one where jobs are being made.

        Raises:
            InputError: the folder can't be used.
            ResourceError: writing failed.
        """
        data = shards_text(shards)
        about = {
            "format": FORMAT,
            "kind": KIND,
            "question": question_fields(question),
            "engine": engine.name,
            "solver": engine.solver,
            "order": engine.order,
            "shards": len(shards),
            "shard_seconds": round(shard_seconds, 3),
            "sha256": hashlib.sha256(data).hexdigest(),
            "run": provenance(sum(shard.seconds for shard in shards)),
        }

        def fill(new: Path) -> None:
            for name in (COMMITTED, LOGS, FAILED, WORKERS):
                (new / name).mkdir()
            if (folder / STOP).exists():  # who asks to stop what is sampled has that done when it is a job
                (new / STOP).touch()
            (new / SHARDS).write_bytes(data)
            (new / ABOUT).write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", "utf-8")

        put_folder(folder, fill, UNMADE, force=True)
        return Job(folder)

    @functools.cached_property
    def shards(self) -> dict[str, Shard]:
        """The shards by name, in the order in which they are best done.

        Raises:
            InputError: the list is not the one that the job was made with.
            ResourceError: what it lies on failed.
        """
        path = self.folder / SHARDS
        try:
            data = path.read_bytes()
        except OSError as error:
            raise refusal(path, error, "the list of shards") from error
        if hashlib.sha256(data).hexdigest() != self.checksum:
            msg = f"{path}: found another checksum than in {ABOUT}, expected the list that the job was made with"
            raise InputError(msg)
        return {shard.name: shard for shard in read_shards(data, path)}

    @property
    def results(self) -> Path:
        """The folder of the committed shards."""
        return self.folder / COMMITTED

    @property
    def stop(self) -> Path:
        """The file that asks all processes to stop."""
        return self.folder / STOP

    @property
    def corpus(self) -> Path:
        """Where the answer goes, unless another place is named."""
        return self.folder / CORPUS

    def engine(self) -> SomeEngine:
        """The engine that the shards were made by.

        Raises:
            InputError: it is not there any more, or cuts its units in other ways than when the job was made.
        """
        engine = engine_for(self.question, self.engine_name, self.solver)
        if engine.order != self._order:
            msg = f"{self.folder}: found a job with engine {engine.name}, order {self._order}, expected {engine.order}"
            raise InputError(f"{msg}: it is to be finished by the release that began it, {self.run.get('tool')}")
        return engine

    def counts(self, name: str) -> Counts | None:
        """What a shard has been found to have, None while it is not committed. Raises DamagedError."""
        return counts_of(self.results, name, self.checksum)

    def there(self) -> dict[str, os.DirEntry[str]]:
        """The shards that have a file for their result, whole or not, each with that."""
        try:
            found = {entry.name.removesuffix(SUFFIX): entry for entry in os.scandir(self.results)}
        except FileNotFoundError:
            return {}
        return {name: entry for name, entry in found.items() if not name.startswith(".")}  # which is on its way

    def committed(self) -> tuple[dict[str, Counts], list[DamagedError]]:
        """The shards that are done, in the order of the list, and what is wrong with files that are not whole.

        A file is opened once, and again only if it is another by now: of a shard that was dropped and done anew.
        """
        there = self.there()
        done, damaged = {}, []
        for name in self.shards:
            if name in there:
                try:
                    counts = self._counts_in(there[name], name)
                except DamagedError as error:
                    damaged.append(error)
                else:
                    if counts is not None:
                        done[name] = counts
        return done, damaged

    def _counts_in(self, file: os.DirEntry[str], name: str) -> Counts | None:
        try:
            status = file.stat()
        except OSError:
            return self.counts(name)  # which says what is wrong
        identity = status.st_ino, status.st_size, status.st_mtime_ns
        if name in self._known and self._known[name][0] == identity:
            return self._known[name][1]
        counts = self.counts(name)
        if counts is not None:
            self._known[name] = identity, counts
        return counts


def _value(folder: Path, found: Mapping[str, object], key: str, *kinds: type[_T]) -> _T:
    """What the description of a job says under a key, which must be of one of these kinds."""
    value = found.get(key)
    if not isinstance(value, kinds):
        msg = f"{folder / ABOUT}: {key}: found {reprlib.repr(value)}, expected that of a job"
        raise InputError(msg)
    return value


def _why_no_job(folder: Path) -> str:
    """What is to be said of a folder that has no description of a job."""
    if not is_unmade(folder):
        return f"{folder}: found no {ABOUT}, expected a job"
    if at_work(folder):
        return f"{folder}: found a job that is still being sampled, expected one that is made; it will be soon"
    return f"{folder}: found what a killed synth job start has left, expected a job; start it again"
