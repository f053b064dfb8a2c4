"""Two corpora compared: each test that differs with the reason, and the answer that counts them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_corpus.comparing import differences
from synth_corpus.diff_answer import DiffAnswer
from synth_corpus.diff_summary import DiffSummary
from synth_corpus.reasons import Reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_corpus.comparing import Difference
    from synth_corpus.store import Corpus


def diff_of(old: Corpus, new: Corpus, tell: Callable[[Difference, str], None]) -> DiffAnswer:
    """Compare two corpora. `tell` is given each test that differs as soon as it is found, and why it differs.

    Raises:
        InputError: a corpus is not as its manifest says.
    """
    reasons, summary = _reasons(old, new), DiffSummary()
    for difference, why in reasons.of_tests(differences(old, new)):
        summary.count(difference, why)
        tell(difference, why)
    return DiffAnswer(old, new, reasons.of_manifests(), summary)


def explained_differences(old: Corpus, new: Corpus) -> Iterator[tuple[Difference, str]]:
    """Each test that differs, and why it differs. The text is empty where nothing explains it.

    Raises:
        InputError: a corpus is not as its manifest says.
    """
    return _reasons(old, new).of_tests(differences(old, new))


def _reasons(old: Corpus, new: Corpus) -> Reasons:
    return Reasons(old.manifest, new.manifest, ("the old corpus", "the new corpus"))
