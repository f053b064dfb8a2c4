"""The result of a run: all tests of a question, or only their number."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.notebook import NotebookObject
from synth_corpus.test_sets import SetOfTests, by_split, manifest_of
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_checker.errors import ResourceError
    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest
    from synth_workers.stop import Reason


@dataclass(frozen=True, kw_only=True)
class RunCourse:
    """How a question was answered.

    `stopped` is the reason why the run ended early, or None. Such a run is not `complete`, unless all its work was done
    by then. If the reason is a fault, `fault` is the error. `solver` is None if the engine asks no solver.
    """

    question: Question
    complete: bool
    stopped: Reason | None
    seconds: float
    engine: str
    solver: str | None
    jobs: int
    fault: ResourceError | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class EnumerationRun(RunCourse, abc.ABC):
    """How many tests of a question a run has found, and how it has found them."""

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return f"<{type(self).__name__} of {self.question.name}: {self.tests} tests, {state}>"

    def __len__(self) -> int:
        return self.tests

    def __bool__(self) -> bool:
        return True  # a result without tests is an answer, too

    @property
    @abc.abstractmethod
    def tests(self) -> int:
        """The number of tests that the run has found and kept."""

    @property
    def searched(self) -> int:
        """The number of all tests that the run has found, including those that the question does not keep."""
        return self.tests

    @abc.abstractmethod
    def splits(self) -> dict[str, int]:
        """Return the number of tests of each split of the question, by the name of the split."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Count(EnumerationRun):
    """The number of tests of a question, found by a run that kept none of them."""

    by_split: Mapping[tuple[int, ...], int]

    @property
    def tests(self) -> int:
        """The number of tests that the run has counted."""
        return sum(self.by_split.values())

    def splits(self) -> dict[str, int]:
        """Return the number of tests of each split of the question, by the name of the split."""
        return by_split(self.question, self.by_split)


@dataclass(frozen=True, kw_only=True, repr=False)
class Enumeration(SetOfTests, EnumerationRun, NotebookObject):
    """The tests of a question that a run has found and kept.

    If the question keeps only some tests, `found` counts all tests that the run has found. The length of an enumeration
    is the number of its tests, and iterating over it gives their records.
    """

    found: Mapping[str, int] = field(default_factory=dict)

    @property
    def tests(self) -> int:
        """The number of tests that the run has found and kept."""
        return len(self.ids)

    @property
    def searched(self) -> int:
        """The number of all tests that the run has found, including those that the question does not keep."""
        return self.found.get("tests", self.tests)

    def manifest(self) -> Manifest:
        """Return the manifest of a corpus of these tests; its checksum is added when the corpus is written."""
        origin = provenance(self.seconds, engine=self.engine, solver=self.solver, jobs=self.jobs)
        run = {**origin, "stopped": self.stopped.words if self.stopped else None}
        counted = manifest_of(self.question, self.tests, self.splits(), self.signatures(), complete=self.complete)
        return replace(counted, found=dict(self.found), run=run)
