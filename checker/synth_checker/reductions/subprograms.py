"""Relaxations and sub-programs (definitions, section 6): the programs that remain when parts of a program are removed.

Programs are given and returned by their ids. The C++ core computes the relaxations. `synth_checker.twin.subprograms`
computes the same directly from the definition.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import LimitError, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: The most sub-programs that are kept at a time. For so many, `shrink` takes a fraction of a gigabyte of memory.
MAX_SUBPROGRAMS = 500_000
#: How many programs the core relaxes in one call. Each has dozens of relaxations, of which only the ids are kept.
_AT_ONCE = 1000


class RelaxationKind(enum.Enum):
    """The kinds of relaxation, in the order of the definitions, which is also their order in the C++ core."""

    DELETE = "delete"
    DROP_EXCHANGE = "drop the exchange of"
    MAKE_STORE = "make a store of"
    MERGE_LOCATIONS = "merge locations"
    MERGE_VALUES = "merge values"


_KINDS = tuple(RelaxationKind)
_MERGES = (RelaxationKind.MERGE_LOCATIONS, RelaxationKind.MERGE_VALUES)


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One relaxation of a program in normal form: its kind, its place, and the id of the program that it leads to.

    `left` is that id. `at` is the id of a thread and a program location in it; for a merge, it is the two locations or
    values that become one. All these numbers are those of the program before the relaxation.
    """

    kind: RelaxationKind
    at: tuple[int, int]
    left: str

    def __str__(self) -> str:
        first, other = self.at
        where = f"{first} and {other}" if self.kind in _MERGES else f"instruction {other} of thread {first}"
        return f"{self.kind.value} {where}"


def relaxations(ids: Sequence[str], *, keep_store_checks: bool = False) -> list[list[Relaxation]]:
    """Return all relaxations of each program in `ids`, deletions first.

    Different relaxations may lead to the same program.

    A relaxation may lead to the empty program, which does not count as a sub-program. `keep_store_checks` says that
    programs that differ only in the check values of stores are different programs.

    Raises:
        InputError: an id cannot be read.
    """
    from synth_checker import _native

    forms = _native.normalise(ids, keep_store_checks)
    return [
        [Relaxation(_KINDS[kind], (first, other), smaller) for kind, first, other, smaller in row]
        for row in _native.relaxations(forms, keep_store_checks)
    ]


def subprograms(id_: str, *, keep_store_checks: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a program in normal form, and then its sub-programs in breadth-first order, each once.

    Each id comes with the ids of the programs to which its relaxations lead, each once. `keep_store_checks` says that
    programs that differ only in the check values of stores are different programs.

    Raises:
        InputError: the id cannot be read.
        LimitError: there are more than `MAX_SUBPROGRAMS` sub-programs.
    """
    from synth_checker import _native

    level = _native.normalise([id_], keep_store_checks)
    seen = set(level)
    while level:
        deeper: list[str] = []
        for first in range(0, len(level), _AT_ONCE):
            batch = level[first : first + _AT_ONCE]
            for form, row in zip(batch, _native.relaxations(batch, keep_store_checks), strict=True):
                smaller = tuple(dict.fromkeys(step for *_, step in row if step))
                yield form, smaller
                deeper.extend(program for program in smaller if program not in seen)
                seen.update(smaller)
                if len(seen) > MAX_SUBPROGRAMS:
                    problem = f"found more than {MAX_SUBPROGRAMS:,} sub-programs"
                    raise LimitError(f"id {excerpt(id_)!r}: {problem}, expected at most that many")
        level = deeper
