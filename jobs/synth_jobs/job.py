"""A job: a folder that holds a question, the list of its shards, and the results of the shards that are done.

`synth_jobs.layout` lists the files and folders in it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import reprlib
from typing import TYPE_CHECKING, TypeVar

from synth_checker.errors import InputError
from synth_corpus.manifest import question_fields, question_in
from synth_jobs.committed import SUFFIX, DamagedError, counts_of
from synth_jobs.failures import Failures
from synth_jobs.layout import (
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
from synth_jobs.presence import at_work
from synth_jobs.shards import Shard, read_shards, shards_text
from synth_search.engines.choice import engine_for
from synth_storage.folder_description import read_described
from synth_storage.folders import beginning, put_folder
from synth_storage.provenance import provenance
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_checker.question import Question
    from synth_jobs.committed import ShardCounts
    from synth_search.engines.choice import SomeEngine
    from synth_search.engines.engine import AUnit, Engine
    from synth_storage.strict_json import Json

_T = TypeVar("_T")


class Job:
    """A job in a folder.

    The diagram shows the states of a job. As the work goes on, a job moves down. When the last process that works on it
    ends, it moves to the right. `synth job resume` moves it back to the left. `synth job work` does so, too, if the job
    is `incomplete`:

                              some process works          no process works
        no job.json yet       sampling
                                 |
                                 v
        shards are left       running    <------------->  incomplete
          and asked to stop   stopping   -------------->  stopped
                                 |
                                 v
        all shards are done   writing    <------------->  done
                                 |
                                 v
        corpus/ is whole      complete

    No file holds the state; `synth_jobs.progress` finds it from the files in the folder. `synth job resume` removes the
    file `stop`. If the corpus of a job lies outside its folder, the last state of the job is `done`.

    Raises:
        InputError: the folder holds no job, or an unreadable one.
        ResourceError: a disk or device failed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            text = beginning(folder / ABOUT, LONGEST_ABOUT).decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(_why_no_job(folder)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise refusal(folder / ABOUT, error, "the description of a job") from error
        about = read_described(text, str(folder / ABOUT), KIND, FORMAT)
        says = functools.partial(_value, folder, about)
        self.engine_name = says("engine", str)
        self.solver = None if about.get("solver") is None else says("solver", str)
        self._order = says("order", int)
        self.shard_seconds: float = says("shard_seconds", float, int)
        self.checksum = says("sha256", str)
        self.run: dict[str, Json] = says("run", dict)
        try:
            self.question: Question = question_in(about)
        except InputError as error:
            raise type(error)(f"{folder / ABOUT}: {error}") from None
        self.failures = Failures(folder / FAILED)
        self._known: dict[str, tuple[tuple[int, ...], ShardCounts]] = {}

    @staticmethod
    def create(
        folder: Path, question: Question, engine: Engine[AUnit], shards: Sequence[Shard], shard_seconds: float
    ) -> Job:
        """Make the folder of a job with a description of the job and its list of shards.

        `folder` must not exist or be empty, or hold only what `synth job start` writes while it samples the question.
        `seconds` in the shards and `shard_seconds` are processor seconds.

        Raises:
            InputError: the folder is not usable.
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
            if (folder / STOP).exists():  # a request to stop that came during sampling holds for the job
                (new / STOP).touch()
            (new / SHARDS).write_bytes(data)
            (new / ABOUT).write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", "utf-8")

        put_folder(folder, fill, UNMADE, force=True)
        return Job(folder)

    @functools.cached_property
    def shards(self) -> dict[str, Shard]:
        """The shards by name, in the order in which processes should do them.

        Raises:
            InputError: the list is not the one that the job was made with.
            ResourceError: a disk or device failed.
        """
        path = self.folder / SHARDS
        try:
            data = path.read_bytes()
        except OSError as error:
            raise refusal(path, error, "the list of shards") from error
        if hashlib.sha256(data).hexdigest() != self.checksum:
            raise InputError(
                f"{path}: the checksum differs from the one in {ABOUT}; restore the list that the job was made with"
            )
        return {shard.name: shard for shard in read_shards(data, path)}

    @property
    def results(self) -> Path:
        """The folder with the results of the shards that are done."""
        return self.folder / COMMITTED

    @property
    def stop(self) -> Path:
        """The path of the file that asks all processes to stop."""
        return self.folder / STOP

    @property
    def corpus(self) -> Path:
        """The folder for the corpus, unless the user names another one."""
        return self.folder / CORPUS

    def engine(self) -> SomeEngine:
        """Return the engine that made the shards.

        Raises:
            InputError: the engine is missing, or it cuts its units in other ways than when the job was made.
        """
        engine = engine_for(self.question, self.engine_name, self.solver)
        if engine.order != self._order:
            raise InputError(
                f"{self.folder}: found a job with order {self._order} of the engine {engine.name}, expected order "
                f"{engine.order}; finish the job with the release that began it, {self.run.get('tool')}"
            )
        return engine

    def counts(self, name: str) -> ShardCounts | None:
        """Return the counts of a shard, or None if it is not done yet.

        Raises:
            DamagedError: the file of the shard is damaged.
        """
        return counts_of(self.results, name, self.checksum)

    def there(self) -> dict[str, os.DirEntry[str]]:
        """Return the shards that have a file for their result, by name, each with that file.

        The file may be damaged.
        """
        try:
            entries = {entry.name.removesuffix(SUFFIX): entry for entry in os.scandir(self.results)}
        except FileNotFoundError:
            return {}
        return {
            name: entry for name, entry in entries.items() if not name.startswith(".")
        }  # a name with a dot belongs to a file that is being written

    def committed(self) -> tuple[dict[str, ShardCounts], list[DamagedError]]:
        """Return the counts of each shard that is done, by name, and an error for each damaged file of a shard.

        The job opens each file only once, and again only after it has changed.
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

    def _counts_in(self, file: os.DirEntry[str], name: str) -> ShardCounts | None:
        try:
            status = file.stat()
        except OSError:
            return self.counts(name)  # raises an error that says what is wrong
        identity = status.st_ino, status.st_size, status.st_mtime_ns
        if name in self._known and self._known[name][0] == identity:
            return self._known[name][1]
        counts = self.counts(name)
        if counts is not None:
            self._known[name] = identity, counts
        return counts


def _value(folder: Path, about: Mapping[str, object], key: str, *kinds: type[_T]) -> _T:
    """Return the value of a key in the description of a job, and check that it has one of some types."""
    value = about.get(key)
    if not isinstance(value, kinds):
        raise InputError(
            f"{folder / ABOUT}: found {reprlib.repr(value)} under the key {key}, expected a value of another kind"
        )
    return value


def _why_no_job(folder: Path) -> str:
    """Return the message for a folder without the description of a job."""
    if not is_unmade(folder):
        return f"{folder}: found no file {ABOUT}, expected the folder of a job"
    if at_work(folder):
        return f"{folder}: another process is still making this job; try again in a moment"
    return f"{folder}: found what a killed synth job start has left, and no job; run synth job start again"
