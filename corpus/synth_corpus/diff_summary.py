"""Count the differences between two corpora: how many tests have each kind of change, why, and with which signature."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_corpus.differences import CHANGES, Change

if TYPE_CHECKING:
    from synth_corpus.differences import RecordDifference

#: The reason that is given if nothing in the manifests explains a difference.
UNEXPLAINED = "the manifests do not tell why"


class DiffSummary:
    """Counts of the differences between two corpora. Its size does not depend on the number of differences."""

    def __init__(self) -> None:
        self.changes: Counter[Change] = Counter()
        self.reasons: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
        self.signatures: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
        self.verdicts: Counter[tuple[str, str, str]] = Counter()
        self.keys: Counter[str] = Counter()

    def count(self, difference: RecordDifference) -> None:
        """Count a difference, and its reason, unless only metadata differ.

        The class `Reasons` finds reasons. No reason counts as `UNEXPLAINED`.
        """
        change = difference.change
        self.changes[change] += 1
        if change != "metadata":  # no question explains a change of metadata
            self.reasons[change][difference.why or UNEXPLAINED] += 1
        self.signatures[change][difference.signature] += 1
        self.verdicts.update((name, *values) for name, values in difference.verdicts.items())
        self.keys.update(list(difference.metadata))

    @property
    def differences(self) -> int:
        """Return how many tests differ."""
        return self.changes.total()

    def same(self, old_tests: int) -> int:
        """Return how many of the old tests have not changed. `old_tests` is the number of tests in the old corpus."""
        return old_tests - self.changes["removed"] - self.changes["verdicts"] - self.changes["metadata"]
