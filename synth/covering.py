"""Smallest covers: as few things as possible that reach all goals, or as many goals as so few things can.

A minimum hitting set, as weighted MaxSAT: a clause a goal, satisfied by the things that reach it, and a soft clause
against each thing. RC2 (Ignatiev, Morgado and Marques-Silva, 2019, in PySAT) proves the cost of its answer to be the
least: it raises a lower bound from one unsatisfiable core to the next, and its first model meets it. Things that reach
the same goals, or fewer and weigh no less, are put aside before; that changes no least cost.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysat.formula import WCNF


@dataclass(frozen=True, slots=True)
class Cover:
    """The things chosen, by their places, and the goals that they reach, as a bit mask. No other choice is better.

    `cost` is what the solver proves to be the least: a thing costs more than any choice can weigh, and a goal that is
    not reached more than any choice of things.
    """

    chosen: tuple[int, ...]
    reached: int
    cost: int


def smallest_cover(reaches: Sequence[int], weights: Sequence[int], size: int | None = None) -> Cover:
    """The fewest things that reach all goals that any of them reaches; among equally many the lightest together.

    `reaches` says which goals each thing reaches, as a bit mask, and `weights` what it weighs, at least 1. With `size`
    at most so many things, which reach as many goals as possible; then the fewest, then the lightest.

    Raises:
        InternalError: the solver's answer does not have the cost that it proves.
    """
    every = functools.reduce(operator.or_, reaches, 0)
    places = _candidates(reaches, weights)
    # The order of what matters as one number: a goal outweighs all things, and a thing what all may weigh.
    most = every.bit_count() if size is None else min(size, every.bit_count())
    a_thing = most * max((weights[place] for place in places), default=0) + 1
    a_goal = (most + 1) * a_thing
    formula = _formula(reaches, every, places, size)
    for literal, place in enumerate(places, 1):
        formula.append([-literal], weight=a_thing + weights[place])
    if size is not None:
        for literal in range(len(places) + 1, len(places) + 1 + every.bit_count()):
            formula.append([literal], weight=a_goal)
    from synth.engines.workers import in_a_process

    model, proven = in_a_process(functools.partial(_solved, formula))
    chosen = tuple(place for literal, place in enumerate(places, 1) if model[literal - 1] > 0)
    reached = functools.reduce(operator.or_, (reaches[place] for place in chosen), 0)
    cost = sum(a_thing + weights[place] for place in chosen) + a_goal * (every & ~reached).bit_count()
    if cost != proven or (size is None and reached != every):
        msg = f"the solver proves the cost {proven}, and its cover has {cost}"
        raise InternalError(msg)
    return Cover(chosen, reached, cost)


def _candidates(reaches: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The places of the things that no other one makes superfluous."""
    lightest: dict[int, int] = {}
    for place, mask in enumerate(reaches):
        if mask and (mask not in lightest or weights[place] < weights[lightest[mask]]):
            lightest[mask] = place
    return [
        place
        for mask, place in lightest.items()
        if not any(
            mask & other == mask != other and weights[better] <= weights[place] for other, better in lightest.items()
        )
    ]


def _formula(reaches: Sequence[int], every: int, places: Sequence[int], size: int | None) -> WCNF:
    """A literal a thing, then, with `size`, one a goal; a clause a goal, and that there are at most so many things."""
    from pysat.card import CardEnc, EncType
    from pysat.formula import WCNF

    formula = WCNF()
    goals = [k for k in range(every.bit_length()) if every >> k & 1]
    for k, goal in enumerate(goals):
        clause = [literal for literal, place in enumerate(places, 1) if reaches[place] >> goal & 1]
        formula.append(clause if size is None else [-(len(places) + 1 + k), *clause])
    if size is not None and size < len(places):
        literals = list(range(1, len(places) + 1))
        top = len(places) + len(goals)
        formula.extend(CardEnc.atmost(literals, bound=size, top_id=top, encoding=EncType.seqcounter).clauses)
    return formula


def _solved(formula: WCNF) -> tuple[list[int], int]:
    """A model of least cost, and that cost."""
    from pysat.examples.rc2 import RC2

    with RC2(formula) as solver:
        model = solver.compute()
        if model is None:
            msg = "the solver found no cover, though all things together are one"
            raise InternalError(msg)
        return model, solver.cost
