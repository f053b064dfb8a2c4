"""A set of tests of a question: their ids, their verdicts and their records.

It does not matter how the tests were found. A run, the shards of a job, a sample and an import each give such a set.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.models import models_named, verdict_names
from synth_checker.programs.rules import RULES
from synth_checker.question import split_name
from synth_checker.verdicts import Passes, judge_all
from synth_corpus.annotations import annotated_lines
from synth_corpus.frames import frame
from synth_corpus.manifest import Manifest
from synth_corpus.record import RecordWriter, read_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from synth_checker.models import Model
    from synth_checker.programs.ids import Ids
    from synth_checker.question import Question
    from synth_corpus.record import Record


@dataclass(frozen=True, kw_only=True, repr=False)
class SetOfTests:
    """Some tests of a question, given by their sorted ids; their verdicts and records are made in `jobs` threads.

    The length of the set is the number of its tests, and iterating over it gives their records.
    """

    question: Question
    ids: Ids
    jobs: int = 1

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Record]:
        for line in self.lines():
            yield read_record(line, self.question.name)

    @functools.cached_property
    def passes(self) -> Passes:
        """For each test, the bit mask of the verdicts that it passes.

        Decided when the tests were found, or else at the first use.
        """
        judged = self.ids.packed.signatures()
        if judged is not None:
            return Passes(judged)
        return judge_all(self.ids, self._models, jobs=self.jobs)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of the verdicts, in the order of the bits of a mask."""
        return verdict_names(self._models)

    @property
    def _models(self) -> tuple[Model, ...]:
        return models_named(self.question.models)

    def to_pandas(self) -> pd.DataFrame:
        """Return the tests as a data frame of pandas, with one row for each test.

        The columns are the id, the sizes, one for each verdict (true means pass), and the signature.

        Raises:
            InputError: pandas is not installed.
        """
        signatures = (signature_letters(mask, len(self.verdicts)) for mask in self.passes)
        return frame(((id_, letters, ()) for id_, letters in zip(self.ids, signatures, strict=True)), self.verdicts)

    def lines(self) -> Iterator[str]:
        """Yield the records of the tests as lines, in the order of the ids."""
        for lines in self.records():
            yield from lines.decode("utf-8").splitlines(keepends=True)

    def records(self) -> Iterator[bytes]:
        """Yield the records of the tests as bytes, many lines at a time, in the order of the ids."""
        lines = RecordWriter(self.verdicts).lines(self.ids, self.passes, jobs=self.jobs)
        return map(annotated_lines, lines) if self.question.minimal else lines

    def splits(self) -> dict[str, int]:
        """Return the number of tests of each split of the question, by the name of the split."""
        return by_split(self.question, self.ids.packed.splits())

    def signatures(self) -> dict[str, int]:
        """Return the number of tests of each signature, the most frequent signature first.

        A signature is a text with a letter for each verdict, `p` for pass or `f` for fail.
        """
        return by_signature(self.passes.counts(), len(self.verdicts))


def manifest_of(
    question: Question, tests: int, splits: Mapping[str, int], signatures: Mapping[str, int], *, complete: bool
) -> Manifest:
    """Return the manifest of a corpus of tests of a question, from the counts of the tests.

    Three entries are missing. The caller adds `run`, which says how the tests were found. If the question keeps only
    some tests, the caller also adds `found`, which counts all of them. The writer of the corpus adds the checksum.
    """
    models = models_named(question.models)
    return Manifest(
        question=question,
        rules=tuple(rule for rule in RULES if rule not in question.without),
        models={model.name: model.definition for model in models},
        verdicts=verdict_names(models),
        complete=complete,
        tests=tests,
        splits=dict(splits),
        signatures=dict(signatures),
    )


def by_split(question: Question, counts: Mapping[tuple[int, ...], int]) -> dict[str, int]:
    """Return the number of tests of each split of a question, by the name of the split.

    `counts` has the numbers by the sizes of the threads. A split that is missing there gets 0.
    """
    return {split_name(sizes): counts.get(sizes, 0) for bound in question.bounds for sizes in bound.splits()}


def by_signature(counts: Mapping[int, int], verdicts: int) -> dict[str, int]:
    """Return the number of tests of each signature, written in letters, the most frequent first.

    `counts` has the numbers by the bit mask of the verdicts that pass.
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {signature_letters(mask, verdicts): count for mask, count in ordered}


def signature_letters(passes: int, verdicts: int) -> str:
    """Return a bit mask as letters: letter k is `p` for pass if bit k is 1, and `f` for fail if not.

    Bit 0 is the lowest bit. `verdicts` is the number of letters.
    """
    return "".join("p" if passes >> k & 1 else "f" for k in range(verdicts))
