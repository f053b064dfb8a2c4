"""How many records there are of each split and each signature, counted as they go by."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_checker.question import split_name
from synth_corpus.parts import cut, letters_in

if TYPE_CHECKING:
    from synth_checker.question import Question

#: Digits an instruction in an id.
_DIGITS = 4


def sizes_of(id_: bytes) -> tuple[int, ...]:
    """How many instructions each thread of a program has, by its id."""
    return tuple(len(part) // _DIGITS for part in id_.split(b"-"))


class Tally:
    """Counts of records by split and by signature, in the forms that manifests have."""

    def __init__(self) -> None:
        self.tests = 0
        self._splits: Counter[tuple[int, ...]] = Counter()
        self._verdicts: Counter[bytes] = Counter()

    def count(self, line: bytes) -> None:
        """Count a record.

        Raises:
            InputError: it is none.
        """
        id_, verdicts, _ = cut(line)
        self.tests += 1
        self._splits[sizes_of(id_)] += 1
        self._verdicts[verdicts] += 1

    def splits(self, question: Question) -> dict[str, int]:
        """Tests by split, all splits of a question among them, and in their order; others, if any, behind."""
        asked = [sizes for bound in question.bounds for sizes in bound.splits()]
        return {split_name(sizes): self._splits[sizes] for sizes in dict.fromkeys((*asked, *sorted(self._splits)))}

    def signatures(self) -> dict[str, int]:
        """Tests by signature, the most frequent first, as in manifests."""
        found: Counter[str] = Counter()
        for text, count in self._verdicts.items():
            found[letters_in(text)] += count
        return dict(sorted(found.items(), key=lambda item: (-item[1], _mask(item[0]))))


def _mask(letters: str) -> int:
    """The number that a signature is: bit k where the k-th verdict is a pass."""
    return sum(1 << k for k, letter in enumerate(letters) if letter == "p")
