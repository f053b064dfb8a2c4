"""Relaxations and sub-programs (definitions, section 6): what is left of a program when something is taken away.

A program is given, and what is left of it is given back, by its id. The C++ core relaxes;
`synth_checker.twin.subprograms` does the same sentence by sentence.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import LimitError, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Sub-programs that are kept at a time, for which `shrinking` takes a fraction of a GB.
MAX_SUBPROGRAMS = 500_000
#: Programs that are relaxed at once: each has dozens of relaxations, of which nothing but the ids is kept.
_AT_ONCE = 1000


class RelaxationKind(enum.Enum):
    """What a relaxation does, in the order of the definitions and of the core."""

    DELETE = "delete"
    DROP_EXCHANGE = "drop the exchange of"
    MAKE_STORE = "make a store of"
    MERGE_LOCATIONS = "make one of locations"
    MERGE_VALUES = "make one of values"


_KINDS = tuple(RelaxationKind)
_MERGES = (RelaxationKind.MERGE_LOCATIONS, RelaxationKind.MERGE_VALUES)


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One step down from a program in normal form: what is done where, and the id of what is left.

    `at` is a thread and a place in it or, of a merge, the two names, as in the program that is relaxed.
    """

    kind: RelaxationKind
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


def subprograms(id_: str, *, keep_store_checks: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each sub-program of a program, and what its relaxations leave, each id once; the nearest first: breadth-first.

    The first is the program itself, in normal form, and no sub-program. Those left come next in the order in which they
    are met here.

    Raises:
        InputError: the id can't be read.
        LimitError: there are more than `MAX_SUBPROGRAMS`.
    """
    from synth_checker import _native

    level = _native.normalise([id_], keep_store_checks)
    seen = set(level)
    while level:
        deeper: list[str] = []
        for first in range(0, len(level), _AT_ONCE):
            some = level[first : first + _AT_ONCE]
            for form, row in zip(some, _native.relaxations(some, keep_store_checks), strict=True):
                left = tuple(dict.fromkeys(one for *_, one in row if one))
                yield form, left
                deeper.extend(one for one in left if one not in seen)
                seen.update(left)
                if len(seen) > MAX_SUBPROGRAMS:
                    found = f"found more than {MAX_SUBPROGRAMS:,} sub-programs"
                    msg = f"id {excerpt(id_)!r}: {found}, expected at most that many"
                    raise LimitError(msg)
        level = deeper
