"""Shapes of stress: what the workgroups do that run no test and only keep the memory busy.

    read_shape("store-load:16:64:4096")     each round stores to one of 16 lines of 64 words and then loads; 4096 rounds
    read_shape("add:256:1:test")            as long as the test runs
    read_shape("random:7")                  a shape drawn from the seed 7

Programs that look for weak memory behaviour use such parameters: Sorensen and Donaldson, PLDI 2016. A workgroup goes
from line to line. It begins with the line of its own number, so that neighbours are on different lines.

Stress that lasts as long as the test has a bound, too: all stressing workgroups together make at most `ROUNDS_IN_ALL`
rounds, or few more. Without a bound, stress could make a test hang. A device runs some workgroups at a time. If all
these waited for the end of the test, the workgroups of the test would never start, although a device that keeps the
promise of OBE, for example, may do that. With the bound, stress is a program that ends, however the device schedules
it. So what the models say of a test is true beside it, too.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from synth_checker.errors import InputError, check_type, excerpt
from synth_checker.nearest import unknown

#: What a workgroup does with a word in each round, by the name of the pattern.
PATTERNS: dict[str, tuple[str, ...]] = {
    "add": ("add",),
    "store": ("store",),
    "load": ("load",),
    "store-load": ("store", "load"),
    "load-store": ("load", "store"),
}
_MOST = (65_536, 1024, 1_000_000, 1024)
_PARTS = ("LINES", "WORDS", "ROUNDS", "STRIDE")
#: In place of a number of rounds.
_LASTING = "test"
#: How many rounds a workgroup makes between two looks at whether the test has ended. Each such part is counted.
ROUNDS_OF_PART = 64
#: How many rounds all workgroups together make at most, if stress lasts as long as the test.
ROUNDS_IN_ALL = 1 << 20


@dataclass(frozen=True, slots=True)
class StressShape:
    """What a workgroup does that only keeps the memory busy.

    In each round it makes the accesses of its pattern to the first word of a line. There are `lines` lines of
    `line_words` words each. From round to round, it goes on by `stride` lines. If `rounds` is 0, it goes on until all
    threads of the test have ended, or until all such workgroups together have made `ROUNDS_IN_ALL` rounds.
    """

    pattern: str = "add"
    lines: int = 256
    line_words: int = 1
    rounds: int = 1024
    stride: int = 1

    def __str__(self) -> str:
        name = f"{self.pattern}:{self.lines}:{self.line_words}:{self.rounds or _LASTING}"
        return name if self.stride == 1 else f"{name}:{self.stride}"

    @property
    def lasts(self) -> bool:
        """Return whether the stress lasts as long as the test."""
        return self.rounds == 0

    @property
    def most_rounds(self) -> int:
        """Return how many rounds a workgroup makes at most."""
        return self.rounds or ROUNDS_IN_ALL

    @property
    def parts_in_all(self) -> int:
        """Return how many parts all workgroups together may begin, if the stress lasts as long as the test."""
        return ROUNDS_IN_ALL // ROUNDS_OF_PART

    @property
    def accesses(self) -> tuple[str, ...]:
        """Return the accesses of a round, in order: `add` (of 1), `store` (of the round) and `load`."""
        return PATTERNS[self.pattern]

    @property
    def adds(self) -> bool:
        """Return whether emitted code needs a function that adds to a word."""
        return self.lasts or self.pattern != "store"

    @property
    def words(self) -> int:
        """Return how many words of memory the stress needs: those of all lines, and behind them two counters.

        The counters are there only if the stress lasts as long as the test. The first one counts the threads of the
        test that have ended, and the second one the parts that stressing workgroups have begun.
        """
        return self.in_lines + 2 * self.lasts

    @property
    def in_lines(self) -> int:
        """Return how many words of memory all lines have."""
        return self.lines * self.line_words

    def word(self, workgroup: int, round_number: int) -> int:
        """Return which word a workgroup accesses in a round. Emitted code computes the same."""
        return (workgroup + round_number * self.stride) % self.lines * self.line_words


def read_shape(word: str) -> StressShape:
    """Return the shape of stress that a word names: a pattern with up to four numbers, or `random:SEED`.

    Raises:
        InputError: the pattern is unknown, or a number is missing, too small or too large.
    """
    check_type("stress-shape", word, str, "the name of a shape of stress")
    pattern, *texts = word.split(":")
    if pattern == "random":
        (seed,) = _numbers(word, texts or ["0"], ("SEED",), (65_535,), least=0)
        return _drawn(seed)
    if pattern not in PATTERNS:
        raise unknown("stress-shape", pattern, [*PATTERNS, "random"])
    lasts = len(texts) > 2 and texts[2] == _LASTING
    numbers = _numbers(word, [*texts[:2], "1", *texts[3:]] if lasts else texts, _PARTS, _MOST)
    return StressShape(pattern, *([*numbers[:2], 0, *numbers[3:]] if lasts else numbers))


def _numbers(word: str, texts: list[str], names: tuple[str, ...], most: tuple[int, ...], least: int = 1) -> list[int]:
    if len(texts) > len(names):
        raise InputError(f"stress-shape {excerpt(word)!r}: expected at most {len(names)} numbers, {', '.join(names)}")
    for text, name, limit in zip(texts, names, most, strict=False):
        if not (text.isascii() and text.isdigit() and len(text) < 8 and least <= int(text) <= limit):
            expected = f"{name} from {least} to {limit}{f', or {_LASTING}' if name == 'ROUNDS' else ''}"
            raise InputError(f"stress-shape {excerpt(word)!r}: expected {expected}")
    return [int(text) for text in texts]


def _drawn(seed: int) -> StressShape:
    """Return a shape that depends only on the seed, in every release the same."""
    digest = hashlib.sha256(f"stress {seed}".encode()).digest()
    patterns = list(PATTERNS)
    rounds = 0 if digest[4] % 4 == 0 else 64 << digest[3] % 8
    return StressShape(
        patterns[digest[0] % len(patterns)], 1 << digest[1] % 11, 1 << digest[2] % 8, rounds, 1 << digest[5] % 5
    )
