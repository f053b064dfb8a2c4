"""Banks of local memory, and which accesses of a group conflict in them.

Local memory consists of banks, and each bank serves one word at a time. The word of a byte is its address divided by
the size of a word, and the bank of a word is its number modulo the number of banks. The lanes of a *batch* access
memory together. Two of them conflict if they touch different words of one bank in one execution of an access. If they
touch the same word, the bank serves both at once.

A batch has so many threads with neighbouring ids as there are lanes: for an access of 8 bytes half of them, and for one
of 16 bytes a quarter. Wider accesses take several turns anyway, so nothing is said of them. Each local array begins at
bank 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Wider accesses are not judged, in bytes.
WIDEST = 16


@dataclass(frozen=True, slots=True)
class Banks:
    """How many banks there are, the bytes of a word of theirs, and the lanes that access memory together."""

    banks: int = 32
    bytes: int = 4
    lanes: int = 32

    def batch(self, length: int) -> int:
        """Return how many threads access memory together, if each of them accesses so many bytes."""
        return max(1, self.lanes // (1 if length <= 4 else 2 if length <= 8 else 4))

    def words(self, address: int, length: int) -> range:
        """Return the words that an access of so many bytes touches."""
        return range(address // self.bytes, (address + length - 1) // self.bytes + 1)

    def degree(self, words: Iterable[int]) -> int:
        """Return in how many turns the banks serve these words: the largest number of them in one bank."""
        counts: dict[int, int] = {}
        for word in set(words):
            counts[word % self.banks] = counts.get(word % self.banks, 0) + 1
        return max(counts.values(), default=0)


#: The banks of devices of today, and of the first devices with CUDA.
TODAY, OLDEST = Banks(), Banks(16, 4, 16)
KNOWN = {"today": TODAY, "oldest": OLDEST}
