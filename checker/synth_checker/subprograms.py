"""Relaxations and sub-programs (definitions, section 6): what is left of a program when something is taken away.

A program is given, and what is left of it is given back, by its id. The C++ core relaxes;
`synth_checker.twin.subprograms` does the same sentence by sentence.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Sub-programs that are kept at a time; a program of 16 instructions may have that many.
MAX_SUBPROGRAMS = 1_000_000


class Kind(enum.Enum):
    """What a relaxation does, in the order of the definitions and of the core."""

    DELETE = "delete"
    DROP_EXCHANGE = "drop the exchange of"
    MAKE_STORE = "make a store of"
    MERGE_LOCATIONS = "make one of locations"
    MERGE_VALUES = "make one of values"


_KINDS = tuple(Kind)
_MERGES = (Kind.MERGE_LOCATIONS, Kind.MERGE_VALUES)


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One step down from a program in normal form: what is done where, and the id of what is left.

    `at` is a thread and a place in it or, of a merge, the two names, as in the program that is relaxed.
    """

    kind: Kind
    at: tuple[int, int]
    left: str

    def __str__(self) -> str:
        one, other = self.at
        where = f"{one} and {other}" if self.kind in _MERGES else f"instruction {other} of thread {one}"
        return f"{self.kind.value} {where}"


def relaxations(ids: Sequence[str], *, keep_store_checks: bool = False) -> list[list[Relaxation]]:
    """For each program, given by its id, all its relaxations, deletions first; different ones may leave the same.

    What is left may be the empty program, which is no sub-program.

    Raises:
        InputError: an id can't be read.
    """
    from synth_checker import _native

    forms = _native.normalise(ids, keep_store_checks)
    return [
        [Relaxation(_KINDS[kind], (one, other), left) for kind, one, other, left in row]
        for row in _native.relaxations(forms, keep_store_checks)
    ]


def subprograms(id_: str, *, keep_store_checks: bool = False) -> Iterator[tuple[str, tuple[Relaxation, ...]]]:
    """Each sub-program of a program with its relaxations, the nearest first: breadth-first, a level at a time.

    The first is the program itself, in normal form, and no sub-program.

    Raises:
        InputError: the id can't be read.
        LimitError: there are more than `MAX_SUBPROGRAMS`.
    """
    from synth_checker import _native

    level = _native.normalise([id_], keep_store_checks)
    seen = set(level)
    while level:
        deeper: list[str] = []
        for form, row in zip(level, relaxations(level, keep_store_checks=keep_store_checks), strict=True):
            kept = tuple(relaxation for relaxation in row if relaxation.left)
            yield form, kept
            deeper.extend(dict.fromkeys(relaxation.left for relaxation in kept if relaxation.left not in seen))
            seen.update(relaxation.left for relaxation in kept)
            if len(seen) > MAX_SUBPROGRAMS:
                msg = f"id {id_!r}: found more than {MAX_SUBPROGRAMS:,} sub-programs, expected at most that many"
                raise LimitError(msg)
        level = deeper
