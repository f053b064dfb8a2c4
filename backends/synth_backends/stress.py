"""Shapes of stress: what the workgroups do that run no test and only keep the memory busy.

    read_shape("store-load:16:64:4096")     each round stores to one of 16 lines of 64 words and then loads; 4096 rounds
    read_shape("random:7")                  a shape drawn from the seed 7, such as add:32:8:512

Programs that look for weak memory behaviour use such parameters: Sorensen and Donaldson, PLDI 2016. A workgroup goes
from line to line. It begins with the line of its own number, so that neighbours are on different lines.
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
_MOST = (65_536, 1024, 1_000_000)
_PARTS = ("LINES", "WORDS", "ROUNDS")


@dataclass(frozen=True, slots=True)
class StressShape:
    """What a workgroup does that only keeps the memory busy.

    In each round it makes the accesses of its pattern to the first word of a line. There are `lines` lines of
    `line_words` words each.
    """

    pattern: str = "add"
    lines: int = 256
    line_words: int = 1
    rounds: int = 1024

    def __str__(self) -> str:
        return f"{self.pattern}:{self.lines}:{self.line_words}:{self.rounds}"

    @property
    def accesses(self) -> tuple[str, ...]:
        """Return the accesses of a round, in order: `add` (of 1), `store` (of the round) and `load`."""
        return PATTERNS[self.pattern]

    @property
    def words(self) -> int:
        """Return how many words of memory all lines have."""
        return self.lines * self.line_words

    def word(self, workgroup: int, round_number: int) -> int:
        """Return which word a workgroup accesses in a round. Emitted code computes the same."""
        return (workgroup + round_number) % self.lines * self.line_words


def read_shape(word: str) -> StressShape:
    """Return the shape of stress that a word names: a pattern with up to three numbers, or `random:SEED`.

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
    usual = StressShape()
    given = _numbers(word, texts, _PARTS, _MOST)
    return StressShape(pattern, *given, *(usual.lines, usual.line_words, usual.rounds)[len(given) :])


def _numbers(word: str, texts: list[str], names: tuple[str, ...], most: tuple[int, ...], least: int = 1) -> list[int]:
    if len(texts) > len(names):
        msg = f"stress-shape {excerpt(word)!r}: expected at most {len(names)} numbers, {', '.join(names)}"
        raise InputError(msg)
    for text, name, limit in zip(texts, names, most, strict=False):
        if not (text.isascii() and text.isdigit() and len(text) < 8 and least <= int(text) <= limit):
            msg = f"stress-shape {excerpt(word)!r}: expected {name} from {least} to {limit}"
            raise InputError(msg)
    return [int(text) for text in texts]


def _drawn(seed: int) -> StressShape:
    """Return a shape that depends only on the seed, in every release the same."""
    digest = hashlib.sha256(f"stress {seed}".encode()).digest()
    patterns = list(PATTERNS)
    return StressShape(
        patterns[digest[0] % len(patterns)], 1 << digest[1] % 11, 1 << digest[2] % 8, 64 << digest[3] % 8
    )
