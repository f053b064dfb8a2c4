"""Choose things that together reach goals: the fewest that reach all goals, or so many that reach the most goals.

This is a minimum hitting set, written as weighted MaxSAT. Each goal has a clause, satisfied by the things that reach
it. Each thing has a soft clause against choosing it. If several things must reach a goal, a cardinality constraint
takes the place of its clause.

The solver is RC2 (Ignatiev, Morgado and Marques-Silva, 2019, in PySAT). It proves that the cost of its answer is the
least: it raises a lower bound from one unsatisfiable core to the next until a model has that cost.

A thing is dropped beforehand if enough other things reach as much and weigh no more. That does not change the least
cost.
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
    """The chosen things, by their places among the given things, and the goals that they reach, as a bit mask.

    No other choice is better.

    `cost` is the least cost, as the solver proves it. The cost of a choice is the sum of three parts: one for each
    chosen thing, one for the weight of each chosen thing, and one for each goal that is not reached. One more thing
    costs more than all weights together. One more goal that is not reached costs more than any choice of things.
    """

    chosen: tuple[int, ...]
    reached: int
    cost: int


def smallest_cover(
    reaches: Sequence[int], weights: Sequence[int], size: int | None = None, redundancy: int = 1
) -> Cover:
    """Choose the fewest things that reach all goals which any thing reaches.

    Of several choices with equally many things, the function returns one that weighs least.

    `reaches` has for each thing the goals that it reaches, as a bit mask, and `weights` its weight, at least 1. With
    `size` at most so many things are chosen, which reach as many goals as possible. With `redundancy` each goal is
    reached by so many things, or by all that reach it if there are fewer. `size` and a `redundancy` above 1 cannot be
    combined.

    Raises:
        InternalError: the answer of the solver does not have the cost that it proves, or it misses a goal.
    """
    every = functools.reduce(operator.or_, reaches, 0)
    demands = {goal: min(redundancy, number_reaching(goal, reaches)) for goal in _goals(every)}
    places = _candidates(reaches, weights, redundancy)
    # One number holds all costs in their order: a goal costs more than all things, and a thing more than all weights.
    most = sum(demands.values()) if size is None else min(size, len(demands))
    a_thing = most * max((weights[place] for place in places), default=0) + 1
    a_goal = (most + 1) * a_thing
    formula = _formula(reaches, demands, places, size)
    for literal, place in enumerate(places, 1):
        formula.append([-literal], weight=a_thing + weights[place])
    if size is not None:
        for literal in range(len(places) + 1, len(places) + 1 + len(demands)):
            formula.append([literal], weight=a_goal)
    from synth_workers.pool import run_in_process

    model, proven = run_in_process(functools.partial(_solved, formula))
    chosen = tuple(place for literal, place in enumerate(places, 1) if model[literal - 1] > 0)
    reaching = [reaches[place] for place in chosen]
    reached = functools.reduce(operator.or_, reaching, 0)
    cost = sum(a_thing + weights[place] for place in chosen) + a_goal * (every & ~reached).bit_count()
    is_short = any(number_reaching(goal, reaching) < least for goal, least in demands.items())
    if cost != proven or (size is None and is_short):
        raise InternalError(
            f"the solver proves the least cost {proven}, but the cover that it found costs {cost} or misses a goal"
        )
    return Cover(chosen, reached, cost)


def number_reaching(goal: int, reaches: Iterable[int]) -> int:
    """Return how many things reach a goal. `goal` is the number of the bit that stands for the goal in `reaches`."""
    return sum(mask >> goal & 1 for mask in reaches)


def _goals(mask: int) -> list[int]:
    return [goal for goal in range(mask.bit_length()) if mask >> goal & 1]


def _candidates(reaches: Sequence[int], weights: Sequence[int], redundancy: int) -> list[int]:
    """Return the places of the things that are worth a choice.

    A thing is dropped if `redundancy` others reach all its goals and weigh no more. If such a thing were chosen and one
    of the others not, that other could take its place. If all the others were chosen, its goals would be reached often
    enough without it.
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
    """Return the formula that enough things reach each goal, and that not too many are chosen.

    It has a literal for each thing, and then, with `size`, a literal for each goal.
    """
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
    """Return a model of least cost, and that cost."""
    from pysat.examples.rc2 import RC2

    with RC2(formula) as solver:
        model = solver.compute()
        if model is None:
            raise InternalError("the solver found no cover, although choosing all things would be one")
        return model, solver.cost
