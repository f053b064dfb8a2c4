"""Smallest covers: as few things as possible that reach all goals, or as many goals as so few things can.

A minimum hitting set, as weighted MaxSAT: a clause a goal, satisfied by the things that reach it, and a soft clause
against each thing. Where a goal is to be reached by several things, a cardinality constraint takes the clause's place.
RC2 (Ignatiev, Morgado and Marques-Silva, 2019, in PySAT) proves the cost of its answer to be the least: it raises a
lower bound from one unsatisfiable core to the next, and its first model meets it. A thing is put aside before if enough
others reach as much and weigh no more; that changes no least cost.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


def smallest_cover(
    reaches: Sequence[int], weights: Sequence[int], size: int | None = None, redundancy: int = 1
) -> Cover:
    """The fewest things that reach all goals that any of them reaches; among equally many the lightest together.

    `reaches` says which goals each thing reaches, as a bit mask, and `weights` what it weighs, at least 1. With `size`
    at most so many things, which reach as many goals as possible; then the fewest, then the lightest. With `redundancy`
    each goal is reached by so many things, or by all that reach it where these are fewer. Not both are taken together.

    Raises:
        InternalError: the solver's answer does not have the cost that it proves, or misses a goal.
    """
    every = functools.reduce(operator.or_, reaches, 0)
    demands = {goal: min(redundancy, number_reaching(goal, reaches)) for goal in _goals(every)}
    places = _candidates(reaches, weights, redundancy)
    # The order of what matters as one number: a goal outweighs all things, and a thing what all may weigh.
    most = sum(demands.values()) if size is None else min(size, len(demands))
    a_thing = most * max((weights[place] for place in places), default=0) + 1
    a_goal = (most + 1) * a_thing
    formula = _formula(reaches, demands, places, size)
    for literal, place in enumerate(places, 1):
        formula.append([-literal], weight=a_thing + weights[place])
    if size is not None:
        for literal in range(len(places) + 1, len(places) + 1 + len(demands)):
            formula.append([literal], weight=a_goal)
    from synth.work.workers import run_in_process

    model, proven = run_in_process(functools.partial(_solved, formula))
    chosen = tuple(place for literal, place in enumerate(places, 1) if model[literal - 1] > 0)
    some = [reaches[place] for place in chosen]
    reached = functools.reduce(operator.or_, some, 0)
    cost = sum(a_thing + weights[place] for place in chosen) + a_goal * (every & ~reached).bit_count()
    is_short = any(number_reaching(goal, some) < least for goal, least in demands.items())
    if cost != proven or (size is None and is_short):
        msg = f"the solver proves the cost {proven}, and its cover has {cost}"
        raise InternalError(msg)
    return Cover(chosen, reached, cost)


def number_reaching(goal: int, reaches: Iterable[int]) -> int:
    """How many things reach a goal, which is the number of a bit."""
    return sum(mask >> goal & 1 for mask in reaches)


def _goals(mask: int) -> list[int]:
    return [goal for goal in range(mask.bit_length()) if mask >> goal & 1]


def _candidates(reaches: Sequence[int], weights: Sequence[int], redundancy: int) -> list[int]:
    """The places of the things that `redundancy` others do not make superfluous.

    These reach what it reaches, and weigh no more. If it is chosen and one of them is not, that one can take its place;
    if they all are, its goals are reached often enough without it.
    """
    alike: dict[int, list[int]] = {}
    for place in sorted(range(len(reaches)), key=weights.__getitem__):
        if reaches[place] and len(alike.setdefault(reaches[place], [])) < redundancy:
            alike[reaches[place]].append(place)

    def better(mask: int, rank: int, place: int) -> int:
        more = (others for other, others in alike.items() if mask & other == mask != other)
        return rank + sum(weights[other] <= weights[place] for others in more for other in others)

    return sorted(
        place
        for mask, places in alike.items()
        for rank, place in enumerate(places)
        if better(mask, rank, place) < redundancy
    )


def _formula(reaches: Sequence[int], demands: Mapping[int, int], places: Sequence[int], size: int | None) -> WCNF:
    """A literal a thing, then, with `size`, one a goal. Enough things reach each goal, and not too many are chosen."""
    from pysat.card import CardEnc, EncType
    from pysat.formula import WCNF

    formula = WCNF()
    top = len(places) + (0 if size is None else len(demands))
    for k, (goal, least) in enumerate(demands.items()):
        literals = [literal for literal, place in enumerate(places, 1) if reaches[place] >> goal & 1]
        if least == 1:
            formula.append(literals if size is None else [-(len(places) + 1 + k), *literals])
        else:
            enough = CardEnc.atleast(literals, bound=least, top_id=top, encoding=EncType.seqcounter)
            formula.extend(enough.clauses)
            top = max(top, enough.nv)
    if size is not None and size < len(places):
        literals = list(range(1, len(places) + 1))
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
