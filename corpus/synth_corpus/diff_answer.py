"""The answer of `synth corpus diff`: which tests differ, how two manifests differ, and how many tests differ how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_corpus.differences import RecordDifference
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from synth_corpus.diff_summary import DiffSummary
    from synth_corpus.differences import Change
    from synth_corpus.store import Corpus


@dataclass(frozen=True, slots=True)
class ComparedCorpus:
    """A corpus: its folder, its question, how many tests it has, and whether it is complete."""

    folder: str
    question: str
    tests: int
    complete: bool
    #: The names of its verdicts.
    names: tuple[str, ...] = field(metadata=HIDDEN)


class ChangeCounts(NamedTuple):
    """The tests with one kind of change: their number, and their numbers by the reason and by the signature."""

    tests: int
    reasons: dict[str, int]
    signatures: dict[str, int]


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """Both corpora, the differences between their manifests, and how many tests have each kind of change."""

    old: ComparedCorpus
    new: ComparedCorpus
    manifests: dict[str, tuple[str, str]]
    removed: ChangeCounts
    added: ChangeCounts
    verdicts: ChangeCounts
    metadata: ChangeCounts
    #: The same counts, and those of each verdict and key.
    counts: DiffSummary = field(metadata=HIDDEN)


class DiffAnswer(NamedTuple):
    """The last line of `synth corpus diff --json`: how many tests differ between the two corpora, and how."""

    summary: SummaryAnswer


#: A line of the JSON.
DiffLine = RecordDifference | DiffAnswer


def diff_answer(old: Corpus, new: Corpus, manifests: dict[str, tuple[str, str]], counts: DiffSummary) -> SummaryAnswer:
    """Return the summary of all differences between two corpora."""

    def of(change: Change) -> ChangeCounts:
        reasons, signatures = counts.reasons[change], counts.signatures[change]
        return ChangeCounts(counts.changes[change], dict(reasons.most_common()), dict(signatures.most_common()))

    changes = of("removed"), of("added"), of("verdicts"), of("metadata")
    return SummaryAnswer(_compared(old), _compared(new), manifests, *changes, counts)


def _compared(corpus: Corpus) -> ComparedCorpus:
    manifest = corpus.manifest
    name = manifest.question.name
    return ComparedCorpus(corpus.name, name, manifest.tests, manifest.complete, tuple(manifest.verdicts))
