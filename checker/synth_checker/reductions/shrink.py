"""Reduce a program to its minimal sub-programs, one relaxation after the other.

A condition on the result applies only to the last program: the programs on the way need not be tests (definitions,
section 6). There may be hundreds of thousands of sub-programs. So the search handles them as numbers, and writes out
only those that it returns.
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
from synth_checker.nearest import check_known
from synth_checker.programs.id_layout import thread_and_instruction_count
from synth_checker.programs.rules import broken_rules, rule_mask
from synth_checker.reductions.subprograms import Relaxation, relaxations, subprograms
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A minimal sub-program of a program, or the program itself, with a shortest list of relaxations that leads to it.

    `id` is the id of the sub-program.
    """

    id: str
    steps: tuple[Relaxation, ...]


def shrink(
    id_: str,
    keep: Mapping[str, bool] | None = None,
    models: tuple[Model, ...] | None = None,
    without: Collection[str] = (),
) -> list[Shrunk]:
    """Return the minimal tests among a program and its sub-programs, the smallest first.

    `keep` maps names of verdicts to True for a pass and False for a failure. A test is wanted if it has these verdicts.
    If `keep` is None, a test is wanted if it has the signature of the program. A wanted test is minimal if none of its
    sub-programs is wanted. The rules in `without` are dropped. If the program is not a test, the result may be empty.

    Raises:
        InputError: the id cannot be read, or `keep` names a verdict that the models do not have.
        LimitError: the program has more than 32 threads or too many sub-programs, or a sub-program has too many states.
    """
    check_type("id", id_, str, "the id of a program")
    check_type("keep", keep, (Mapping, NoneType), "a dict from names of verdicts to True or False")
    allowed = rule_mask(without)
    keep_store_checks = "meaningful-comparisons" in without
    models = library() if models is None else models
    names = verdict_names(models)
    for name in keep or ():
        check_known("keep", name, names)
    below = _SubprogramTable(id_, keep_store_checks=keep_store_checks)
    tests = [k for k, broken in enumerate(broken_rules(below.forms)) if not broken & ~allowed]
    mask, value = _wanted(below.forms[0], keep, models)
    passes = judge([below.forms[k] for k in tests], models)
    wanted = [k for k, passed in zip(tests, passes, strict=True) if passed & mask == value]
    return sorted(
        (Shrunk(below.forms[k], below.steps(k)) for k in below.minimal(wanted)), key=lambda shrunk: size_of(shrunk.id)
    )


def _wanted(program: str, keep: Mapping[str, bool] | None, models: tuple[Model, ...]) -> tuple[int, int]:
    """Return which bits of a mask of verdicts matter, and which value these bits must have."""
    names = verdict_names(models)
    if keep is None:
        return (1 << len(names)) - 1, judge([program], models)[0]
    return (
        sum(1 << names.index(name) for name in keep),
        sum(1 << names.index(name) for name, passes in keep.items() if passes),
    )


class _SubprogramTable:
    """A program and its sub-programs. `forms` holds their ids in the order of their numbers; the program is number 0.

    Raises:
        InputError: the id cannot be read.
        LimitError: there are too many sub-programs.
    """

    def __init__(self, id_: str, *, keep_store_checks: bool) -> None:
        self._keep_store_checks = keep_store_checks
        place: dict[str, int] = {}
        # The relaxations of program k give the programs with the numbers left[ends[k] : ends[k + 1]].
        self._left, self._ends = array("I"), array("I", [0])
        self._above = array("I", [0])  # the program from which each was met first, so by the fewest relaxations
        for number, (form, smaller) in enumerate(subprograms(id_, keep_store_checks=keep_store_checks)):
            place.setdefault(form, number)
            for item in smaller:
                if item not in place:
                    place[item] = len(place)
                    self._above.append(number)
                self._left.append(place[item])
            self._ends.append(len(self._left))
        self.forms = list(place)

    def minimal(self, wanted: Sequence[int]) -> list[int]:
        """Return those of the wanted programs that have no other wanted program among their sub-programs."""
        at_or_below = bytearray(len(self.forms))
        for number in wanted:
            at_or_below[number] = 1
        # In reverse order, a sub-program usually comes before the programs that contain it. This does not always hold,
        # because one relaxation may do what two others do together. So the loop runs until nothing changes.
        changed = True
        while changed:
            changed = False
            for number in range(len(self.forms) - 1, -1, -1):
                if not at_or_below[number] and self._is_above(number, at_or_below):
                    at_or_below[number] = changed = True
        return [number for number in wanted if not self._is_above(number, at_or_below)]

    def _is_above(self, number: int, marked: bytearray) -> bool:
        return any(marked[item] for item in self._left[self._ends[number] : self._ends[number + 1]])

    def steps(self, goal: int) -> tuple[Relaxation, ...]:
        """Return a shortest list of relaxations from the program to the sub-program with the number `goal`."""
        way = [goal]
        while way[-1]:
            way.append(self._above[way[-1]])
        forms = [self.forms[number] for number in reversed(way)]
        rows = relaxations(forms[:-1], keep_store_checks=self._keep_store_checks)
        return tuple(
            next(relaxation for relaxation in row if relaxation.left == smaller)
            for row, (_, smaller) in zip(rows, itertools.pairwise(forms), strict=True)
        )


def size_of(id_: str) -> tuple[int, int, str]:
    """Return a key that sorts programs from small to large: the numbers of instructions and of threads, and the id."""
    threads, instructions = thread_and_instruction_count(id_)
    return instructions, threads, id_
