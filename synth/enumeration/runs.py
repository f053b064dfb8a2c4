"""What a run has found: all tests of a question, or how many there are."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict

from synth.enumeration.sets import SetOfTests, by_split, manifest_of
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth.work.stopping import Reason
    from synth_checker.errors import ResourceError
    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest


class Course(TypedDict):
    """How a question was answered: the fields that all runs have."""

    question: Question
    complete: bool
    stopped: Reason | None
    seconds: float
    engine: str
    solver: str | None
    jobs: int
    fault: ResourceError | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Run(abc.ABC):
    """How many tests of a question were found, and how.

    `stopped` says why a run ended early; it is then not `complete`, unless nothing was left to do. Where the reason is
    a fault, `fault` says which. `solver` is None for an engine that asks none.
    """

    question: Question
    complete: bool
    stopped: Reason | None
    seconds: float
    engine: str
    solver: str | None
    jobs: int
    fault: ResourceError | None = None

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return f"<{type(self).__name__} of {self.question.name}: {self.tests} tests, {state}>"

    def __len__(self) -> int:
        return self.tests

    def __bool__(self) -> bool:
        return True  # it is an answer, also where there is no test

    @property
    @abc.abstractmethod
    def tests(self) -> int:
        """How many tests were found."""

    @property
    def searched(self) -> int:
        """How many tests those that are kept were among."""
        return self.tests

    @abc.abstractmethod
    def splits(self) -> dict[str, int]:
        """How many tests each split has, for all splits of the question."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Count(Run):
    """How many tests there are; none of them was kept."""

    by_split: Mapping[tuple[int, ...], int]

    @property
    def tests(self) -> int:
        """How many tests were found."""
        return sum(self.by_split.values())

    def splits(self) -> dict[str, int]:
        """How many tests each split has."""
        return by_split(self.question, self.by_split)


@dataclass(frozen=True, kw_only=True, repr=False)
class Enumeration(SetOfTests, Run):
    """The tests of a question that a run has found; and of how many tests they were kept, where not all are.

    It is as long as it has tests, and iterating over it gives their records.
    """

    found: Mapping[str, int] = field(default_factory=dict)

    @property
    def tests(self) -> int:
        """How many tests were found."""
        return len(self.ids)

    @property
    def searched(self) -> int:
        """How many tests those that are kept were among."""
        return self.found.get("tests", self.tests)

    def manifest(self) -> Manifest:
        """The manifest of a corpus of these tests; its checksum is filled in when that is written."""
        made = provenance(self.seconds, engine=self.engine, solver=self.solver, jobs=self.jobs)
        run = {**made, "stopped": self.stopped.words if self.stopped else None}
        counted = manifest_of(self.question, self.tests, self.splits(), self.signatures(), complete=self.complete)
        return replace(counted, found=dict(self.found), run=run)
