"""The names of engines, and how they may be combined: `LU(2);H` runs one after the other, `DYN||SBASE||H` both at once.

The names are those of Betts et al. (2015). H is Houdini, which must come last, because only it proves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth_checker.errors import InputError

#: What people write for the engines that run at once.
ALIASES = {"PORTFOLIO": "DYN||SBASE||H"}
#: Loops are unrolled at most so often.
MOST_ROUNDS = 16
_PATTERN = re.compile(r"H|SBASE|SSTEP|DYN|LU\((\d+)\)")


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines that run one after the other before Houdini, and those that run beside it."""

    before: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ";".join([*self.before, "||".join([*self.beside, "H"])])


def engines(text: str) -> Engines:
    """Return the engines that a text names.

    Raises:
        InputError: the text names none.
    """
    words = text.upper().replace(" ", "")
    *before, last = ALIASES.get(words, words).split(";")
    *beside, end = last.split("||")
    combination = Engines(tuple(before), tuple(beside))
    if end != "H" or not all(_is_engine(engine) for engine in (*before, *beside)):
        raise InputError(
            f"engine: found {text!r}, expected H, engines before it such as 'LU(2);H', or beside it such as "
            "'DYN||SBASE||H'; there are SBASE, SSTEP, DYN and LU(1) to LU(16)"
        )
    return combination


def rounds_of(engine: str) -> int:
    """Return how often LU(k) unrolls loops, or 0 for other engines."""
    match = _PATTERN.fullmatch(engine)
    return int(match[1]) if match and match[1] else 0


def _is_engine(word: str) -> bool:
    match = _PATTERN.fullmatch(word)
    return match is not None and word != "H" and (match[1] is None or 1 <= int(match[1]) <= MOST_ROUNDS)
