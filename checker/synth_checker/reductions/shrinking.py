"""From a program down to its minimal sub-programs, one relaxation after the other.

What is kept on the way down is asked of the end only: the programs between need not be tests (definitions, section 6).
There may be hundreds of thousands, so they are numbers until one is shown.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING

from synth_checker.errors import check_type
from synth_checker.models import Model, library, verdict_names
from synth_checker.nearest import unknown
from synth_checker.programs.id_layout import counts
from synth_checker.programs.rules import broken_rules, rule_mask
from synth_checker.reductions.subprograms import Relaxation, relaxations, subprograms
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A minimal sub-program, or the program itself, by its id, and the fewest relaxations that lead there."""

    id: str
    steps: tuple[Relaxation, ...]


def shrink(
    id_: str,
    keep: Mapping[str, bool] | None = None,
    models: tuple[Model, ...] | None = None,
    without: Collection[str] = (),
) -> list[Shrunk]:
    """The minimal tests among a program, given by its id, and its sub-programs, the smallest first.

    A test is wanted if its verdicts are those in `keep`, by name and true for a pass, or by default if its signature is
    the program's; it is minimal if no sub-program of it is wanted. A program that is no test may have none.

    Raises:
        InputError: the id can't be read, or `keep` names a verdict that the models don't have.
        LimitError: the program has more than 32 threads or too many sub-programs, or one of these too many states.
    """
    check_type("id", id_, str, "the id of a program")
    check_type("keep", keep, (Mapping, NoneType), "a dict from verdicts to True or False")
    allowed = rule_mask(without)
    keep_store_checks = "meaningful-comparisons" in without
    models = library() if models is None else models
    names = verdict_names(models)
    for name in keep or ():
        if name not in names:
            raise unknown("keep", name, names)
    below = _Below(id_, keep_store_checks=keep_store_checks)
    tests = [k for k, broken in enumerate(broken_rules(below.forms)) if not broken & ~allowed]
    mask, value = _wanted(below.forms[0], keep, models)
    passes = judge([below.forms[k] for k in tests], models)
    wanted = [k for k, found in zip(tests, passes, strict=True) if found & mask == value]
    return sorted(
        (Shrunk(below.forms[k], below.steps(k)) for k in below.minimal(wanted)), key=lambda shrunk: size_of(shrunk.id)
    )


def _wanted(program: str, keep: Mapping[str, bool] | None, models: tuple[Model, ...]) -> tuple[int, int]:
    """Which bits of a verdict mask matter, and what they are to be."""
    names = verdict_names(models)
    if keep is None:
        return (1 << len(names)) - 1, judge([program], models)[0]
    return (
        sum(1 << names.index(name) for name in keep),
        sum(1 << names.index(name) for name, passes in keep.items() if passes),
    )


class _Below:
    """A program, which is number 0, and its sub-programs, numbered in the order in which they are met: `forms`.

    Raises:
        InputError: the id can't be read.
        LimitError: there are too many.
    """

    def __init__(self, id_: str, *, keep_store_checks: bool) -> None:
        self._keep_store_checks = keep_store_checks
        place: dict[str, int] = {}
        # What relaxations leave of program k are the numbers at [ends[k], ends[k + 1]).
        self._left, self._ends = array("I"), array("I", [0])
        self._above = array("I", [0])  # from which each was met first, so by the fewest relaxations
        for number, (form, left) in enumerate(subprograms(id_, keep_store_checks=keep_store_checks)):
            place.setdefault(form, number)
            for one in left:
                if one not in place:
                    place[one] = len(place)
                    self._above.append(number)
                self._left.append(place[one])
            self._ends.append(len(self._left))
        self.forms = list(place)

    def minimal(self, wanted: Sequence[int]) -> list[int]:
        """The wanted programs that have no wanted one below them."""
        at_or_below = bytearray(len(self.forms))
        for number in wanted:
            at_or_below[number] = 1
        # Backwards, what is left comes before what it is left of; not always, as one relaxation may do what two do, so
        # this is done until nothing changes.
        changed = True
        while changed:
            changed = False
            for number in range(len(self.forms) - 1, -1, -1):
                if not at_or_below[number] and self._is_above(number, at_or_below):
                    at_or_below[number] = changed = True
        return [number for number in wanted if not self._is_above(number, at_or_below)]

    def _is_above(self, number: int, marked: bytearray) -> bool:
        return any(marked[one] for one in self._left[self._ends[number] : self._ends[number + 1]])

    def steps(self, goal: int) -> tuple[Relaxation, ...]:
        """The fewest relaxations from the program to one below it."""
        way = [goal]
        while way[-1]:
            way.append(self._above[way[-1]])
        forms = [self.forms[number] for number in reversed(way)]
        rows = relaxations(forms[:-1], keep_store_checks=self._keep_store_checks)
        return tuple(
            next(relaxation for relaxation in row if relaxation.left == left)
            for row, (_, left) in zip(rows, itertools.pairwise(forms), strict=True)
        )


def size_of(id_: str) -> tuple[int, int, str]:
    """Smallest first, as the definitions say: instructions, then threads, then id."""
    threads, instructions = counts(id_)
    return instructions, threads, id_
