"""Compare two corpora: find each test that differs, with the reason, and count all differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_corpus.diff_answer import diff_answer
from synth_corpus.diff_summary import DiffSummary
from synth_corpus.differences import differences
from synth_corpus.reasons import Reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_corpus.diff_answer import SummaryAnswer
    from synth_corpus.differences import RecordDifference
    from synth_corpus.store import Corpus


def diff_of(old: Corpus, new: Corpus, tell: Callable[[RecordDifference], None]) -> SummaryAnswer:
    """Compare two corpora, and return the counts of all differences.

    `tell` is called for each test that differs as soon as it is found.

    Raises:
        InputError: a corpus does not agree with its manifest.
    """
    reasons, summary = _reasons(old, new), DiffSummary()
    for difference in reasons.of_tests(differences(old, new)):
        summary.count(difference)
        tell(difference)
    return diff_answer(old, new, reasons.of_manifests(), summary)


def explained_differences(old: Corpus, new: Corpus) -> Iterator[RecordDifference]:
    """Yield each difference between two corpora, with the reason for it if something explains it.

    Raises:
        InputError: a corpus does not agree with its manifest.
    """
    return _reasons(old, new).of_tests(differences(old, new))


def _reasons(old: Corpus, new: Corpus) -> Reasons:
    return Reasons(old.manifest, new.manifest, ("the old corpus", "the new corpus"))
