"""What a run has found: all tests of a question, or how many there are."""

from __future__ import annotations

import abc
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from synth.enumeration.annotating import annotated
from synth_checker.models import models_named, verdict_names
from synth_checker.question import split_name
from synth_checker.rules import RULES
from synth_checker.verdicts import judge_all
from synth_corpus.frames import frame
from synth_corpus.manifest import Manifest
from synth_corpus.record import RecordWriter, read_record
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from synth.work.stopping import Reason
    from synth_checker.errors import ResourceError
    from synth_checker.ids import Ids
    from synth_checker.models import Model
    from synth_checker.question import Question
    from synth_checker.verdicts import Passes
    from synth_corpus.record import Record


@dataclass(frozen=True, kw_only=True, repr=False)
class Run(abc.ABC):
    """How a question was answered.

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

    def named(self, splits: Mapping[tuple[int, ...], int]) -> dict[str, int]:
        """How many tests each split has, for all splits of the question, by their names."""
        return {split_name(sizes): splits.get(sizes, 0) for bound in self.question.bounds for sizes in bound.splits()}


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
        return self.named(self.by_split)


@dataclass(frozen=True, kw_only=True, repr=False)
class Enumeration(Run):
    """The tests of a question: their ids, sorted; and of how many tests they were kept, where not all are.

    It is as long as it has tests, and iterating over it gives their records.
    """

    ids: Ids
    found: Mapping[str, int] = field(default_factory=dict)

    @property
    def tests(self) -> int:
        """How many tests were found."""
        return len(self.ids)

    @property
    def searched(self) -> int:
        """How many tests those that are kept were among."""
        return self.found.get("tests", self.tests)

    @functools.cached_property
    def passes(self) -> Passes:
        """Per test, the bit mask of the verdicts it passes; decided when first asked for."""
        return judge_all(self.ids, self._models, jobs=self.jobs)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of the verdicts, one a bit."""
        return verdict_names(self._models)

    @property
    def _models(self) -> tuple[Model, ...]:
        return models_named(self.question.models)

    def __iter__(self) -> Iterator[Record]:
        for line in self.lines():
            yield read_record(line, self.question.name)

    def to_pandas(self) -> pd.DataFrame:
        """The tests as a data frame of pandas, a row each: id, sizes, a column a verdict (true: pass), signature.

        Raises:
            InputError: pandas is not installed.
        """
        signatures = (signature_letters(mask, len(self.verdicts)) for mask in self.passes)
        return frame(((id_, letters, ()) for id_, letters in zip(self.ids, signatures, strict=True)), self.verdicts)

    def lines(self) -> Iterator[str]:
        """The records, in order, as lines."""
        for lines in self.records():
            yield from lines.decode("utf-8").splitlines(keepends=True)

    def records(self) -> Iterator[bytes]:
        """The same lines, many at a time."""
        lines = RecordWriter(self.verdicts).lines(self.ids, self.passes, jobs=self.jobs)
        return map(annotated, lines) if self.question.minimal else lines

    def splits(self) -> dict[str, int]:
        """How many tests each split has."""
        return self.named(self.ids.packed.splits())

    def signatures(self) -> dict[str, int]:
        """How many tests each signature has, one letter `p` or `f` a verdict; the most frequent first."""
        return by_signature(self.passes.counts(), len(self.verdicts))

    def manifest(self) -> Manifest:
        """The manifest of a corpus of these tests; its checksum is filled in when that is written."""
        return Manifest(
            question=self.question,
            rules=tuple(rule for rule in RULES if rule not in self.question.without),
            models={model.name: model.definition for model in self._models},
            verdicts=self.verdicts,
            complete=self.complete,
            tests=len(self.ids),
            splits=self.splits(),
            signatures=self.signatures(),
            found=dict(self.found),
            run=self._run(),
        )

    def _run(self) -> dict[str, Any]:
        made = provenance(self.seconds, engine=self.engine, solver=self.solver, jobs=self.jobs)
        return {**made, "stopped": self.stopped.words if self.stopped else None}


def by_signature(counts: Mapping[int, int], verdicts: int) -> dict[str, int]:
    """How many tests each signature has, by its letters, the most frequent first; given by bit masks."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {signature_letters(mask, verdicts): count for mask, count in ordered}


def signature_letters(passes: int, verdicts: int) -> str:
    """A bit mask of verdicts as letters, `p` for pass and `f` for fail, in the order of the verdicts."""
    return "".join("p" if passes >> k & 1 else "f" for k in range(verdicts))
