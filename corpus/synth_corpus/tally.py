"""Count the records of each split and each signature while they are written or read.

Many ids differ only in their digits, and many lines end with the same verdicts. So this module counts shapes (ids in
which each digit is replaced by 0) and ends of lines as bytes, and parses each different one only once.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_checker.programs.id_layout import SHAPE, sizes
from synth_checker.question import split_name
from synth_corpus.parts import split_record, verdicts_in
from synth_corpus.record_batches import id_of

if TYPE_CHECKING:
    from synth_checker.question import Question

#: The text directly before the verdicts of a record. It does not occur earlier in the record.
_BEFORE = b']],"verdicts":'


def sizes_of(id_: bytes) -> tuple[int, ...]:
    """Return how many instructions each thread of a program has, given the program's id."""
    return sizes(id_.decode("ascii", "replace"))


def shape_of(line: bytes) -> bytes:
    """Return the id of a record with all its digits replaced by 0.

    Programs whose ids become equal in this way have threads of the same sizes.
    """
    return id_of(line).translate(SHAPE)


class Tally:
    """Counts of records by split and by signature, in the form that manifests have."""

    def __init__(self) -> None:
        self.tests = 0
        self._shapes: Counter[bytes] = Counter()
        self._verdicts: Counter[bytes] = Counter()
        self._known: dict[bytes, bytes] = {}  # from the end of a line without further keys to its verdicts

    def count(self, *lines: bytes) -> None:
        """Count records. A call with many lines takes less time than many calls.

        Raises:
            InputError: a line is not a record. The call has then counted nothing.
        """
        tails = [line.partition(_BEFORE)[2] for line in lines]
        by_verdicts: Counter[bytes] = Counter()
        some_line = dict(zip(tails, lines, strict=True))
        for tail, number in Counter(tails).items():
            verdicts = self._known.get(tail)
            if verdicts is None:
                _, verdicts, more = split_record(some_line[tail])
                if not more:
                    self._known[tail] = verdicts
            by_verdicts[verdicts] += number
        self.tests += len(lines)
        self._shapes.update(map(shape_of, lines))
        self._verdicts.update(by_verdicts)

    def splits(self, question: Question) -> dict[str, int]:
        """Return the number of tests of each split: first for the splits of the question, and then for others."""
        tests_of_sizes = {sizes_of(shape): tests for shape, tests in self._shapes.items()}
        in_bounds = [sizes for bound in question.bounds for sizes in bound.splits()]
        return {
            split_name(sizes): tests_of_sizes.get(sizes, 0)
            for sizes in dict.fromkeys((*in_bounds, *sorted(tests_of_sizes)))
        }

    def signatures(self) -> dict[str, int]:
        """Return the number of tests of each signature, the most frequent first, which is the order in manifests."""
        by_letters: Counter[str] = Counter()
        for text, count in self._verdicts.items():
            letters, _ = verdicts_in(text)
            by_letters[letters] += count
        return dict(sorted(by_letters.items(), key=lambda item: (-item[1], _mask(item[0]))))


def _mask(letters: str) -> int:
    """Return a signature as a bit mask: bit k is set if the k-th verdict is a pass."""
    return sum(1 << k for k, letter in enumerate(letters) if letter == "p")
