"""The answer of `synth corpus diff`, and its JSON: how two manifests differ, which tests differ, and how many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_corpus.differences import Change, Values
from synth_corpus.record import Id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_corpus.diff_summary import DiffSummary
    from synth_corpus.differences import RecordDifference
    from synth_corpus.store import Corpus


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """Two corpora, the differences between their manifests, and a count of the differences between their tests."""

    old: Corpus
    new: Corpus
    manifests: Mapping[str, tuple[str, str]]
    summary: DiffSummary


class TestDifferenceFields(TypedDict):
    """A test that differs between two corpora, and why.

    `verdicts` and `metadata` map each key that differs to its old and its new value.
    """

    id: Id
    change: Change
    why: str | None
    signature: str
    verdicts: dict[str, tuple[str, str]]
    metadata: dict[str, Values]


class CorpusFields(TypedDict):
    """A corpus: its folder, its question, how many tests it has, and whether it is complete."""

    folder: str
    question: str
    tests: int
    complete: bool


class ChangeFields(TypedDict):
    """The tests with one kind of change: their number, and their numbers by the reason and by the signature."""

    tests: int
    reasons: dict[str, int]
    signatures: dict[str, int]


class SummaryFields(TypedDict):
    """Both corpora, the differences between their manifests, and how many tests have each kind of change."""

    old: CorpusFields
    new: CorpusFields
    manifests: dict[str, tuple[str, str]]
    removed: ChangeFields
    added: ChangeFields
    verdicts: ChangeFields
    metadata: ChangeFields


class DiffFields(TypedDict):
    """The last line of `synth corpus diff --json`: how many tests differ between the two corpora, and how."""

    summary: SummaryFields


#: A line of the JSON.
DiffLine = TestDifferenceFields | DiffFields


def difference_fields(difference: RecordDifference, why: str) -> TestDifferenceFields:
    """Return a difference as the JSON object that `synth corpus diff --json` prints.

    `why` is the reason for the difference, or an empty text.
    """
    return {
        "id": difference.id,
        "change": difference.change,
        "why": why or None,
        "signature": difference.signature,
        "verdicts": dict(difference.verdicts),
        "metadata": dict(difference.metadata),
    }


def diff_fields(answer: DiffAnswer) -> DiffFields:
    """Return the summary of all differences as the last JSON object that `synth corpus diff --json` prints."""
    return {
        "summary": {
            "old": _corpus(answer.old),
            "new": _corpus(answer.new),
            "manifests": dict(answer.manifests),
            "removed": _change(answer.summary, "removed"),
            "added": _change(answer.summary, "added"),
            "verdicts": _change(answer.summary, "verdicts"),
            "metadata": _change(answer.summary, "metadata"),
        }
    }


def _corpus(corpus: Corpus) -> CorpusFields:
    manifest = corpus.manifest
    return {
        "folder": corpus.name,
        "question": manifest.question.name,
        "tests": manifest.tests,
        "complete": manifest.complete,
    }


def _change(summary: DiffSummary, change: Change) -> ChangeFields:
    return {
        "tests": summary.changes[change],
        "reasons": dict(summary.reasons[change].most_common()),
        "signatures": dict(summary.signatures[change].most_common()),
    }
