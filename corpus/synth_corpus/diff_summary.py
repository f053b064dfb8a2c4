"""The differences between two corpora, counted: how many of each change, why, and of which signatures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_corpus.comparing import CHANGES, Change

if TYPE_CHECKING:
    from synth_corpus.comparing import Difference

#: What is said where nothing in the manifests explains a difference.
UNEXPLAINED = "nothing that the manifests say explains it"


class DiffSummary:
    """Counts of differences as they go by; its size does not depend on how many there are."""

    def __init__(self) -> None:
        self.changes: Counter[Change] = Counter()
        self.reasons: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
        self.signatures: dict[Change, Counter[str]] = {change: Counter() for change in CHANGES}
        self.verdicts: Counter[tuple[str, str, str]] = Counter()
        self.keys: Counter[str] = Counter()

    def count(self, difference: Difference, why: str) -> None:
        """Count a difference and its reason, as `Reasons` gives it."""
        change = difference.change
        self.changes[change] += 1
        if change != "metadata":  # of which questions say nothing
            self.reasons[change][why or UNEXPLAINED] += 1
        self.signatures[change][difference.signature] += 1
        self.verdicts.update((name, *values) for name, values in difference.verdicts.items())
        self.keys.update(list(difference.metadata))

    @property
    def differences(self) -> int:
        """How many tests differ."""
        return self.changes.total()

    def same(self, old_tests: int) -> int:
        """How many of the old tests are as they were."""
        return old_tests - self.changes["removed"] - self.changes["verdicts"] - self.changes["metadata"]
