"""Clauses that say which states are reached, that the program can always end, and that it can run without end.

The reached states are a least fixpoint: they are closed under steps, and a path from the start leads to each of them.
Ranks say that there is such a path: each reached state except the start has a predecessor of a lower rank. In the same
way ranks say that a path leads to an end. Ranks are binary numbers with enough bits to number all states. A shortest
path visits no state twice, so these ranks are enough for every program, and no limit has to be proven.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.plain.formula import Formula
    from synth_encodings.plain.states import PlainState, States


class Ranks:
    """A rank for each state, as a binary number, and literals that compare the ranks of two states."""

    def __init__(self, formula: Formula, states: States, name: str) -> None:
        self._formula = formula
        self._name = name
        bits = (len(states.all) - 1).bit_length()
        self._bits = {s: [formula.variable(name, s, "bit", bit) for bit in range(bits)] for s in states.all}
        self._below: dict[tuple[PlainState, PlainState], int] = {}

    def below(self, lower: PlainState, higher: PlainState) -> int:
        """Return a literal that may be true only if the rank of `lower` is below the rank of `higher`.

        The literal is built from bit 0 upwards: the lower bits decide if the two ranks agree in the higher bits.
        """
        literal = self._below.get((lower, higher))
        if literal is not None:
            return literal
        formula = self._formula
        rest: tuple[int, ...] = ()
        for bit, (low, high) in enumerate(zip(self._bits[lower], self._bits[higher], strict=True)):
            below = formula.variable(self._name, lower, "below", higher, "to bit", bit)
            formula.add(-below, -low, high)
            formula.add(-below, -low, *rest)
            formula.add(-below, high, *rest)
            rest = (below,)
        self._below[lower, higher] = below
        return below


def reachability(formula: Formula, states: States) -> None:
    """Add the clauses: the literal `reached` of a state is true exactly if the state is reachable."""
    reached = states.reached
    formula.family("start")
    formula.add(reached[states.start])
    formula.family("closure")
    for before, _, after, edge in states.transitions:
        formula.add(-reached[before], -edge, reached[after])
    formula.family("foundation")
    ranks = Ranks(formula, states, "rank")
    causes: dict[PlainState, list[int]] = {state: [] for state in states.all}
    for before, thread, after, edge in states.transitions:
        if before != after:
            cause = formula.variable("cause", after, "from", before, "by", thread)
            causes[after].append(cause)
            formula.add(-cause, reached[before])
            formula.add(-cause, edge)
            formula.add(-cause, ranks.below(before, after))
    for state in states.all:
        if state != states.start:
            formula.add(-reached[state], *causes[state])


def possible_termination(formula: Formula, states: States) -> None:
    """Add the clauses: from every reached state with live threads, a step leads nearer to the end of all threads."""
    formula.family("possible-termination")
    ranks = Ranks(formula, states, "distance")
    ways: dict[PlainState, list[int]] = {state: [] for state in states.all}
    for before, thread, after, edge in states.transitions:
        if before != after:
            way = formula.variable("way", before, "to", after, "by", thread)
            ways[before].append(way)
            formula.add(-way, edge)
            formula.add(-way, ranks.below(after, before))
    for state in states.all:
        if states.live(state):
            formula.add(-states.reached[state], *ways[state])


def non_termination_cycle(formula: Formula, states: States) -> None:
    """Add the clauses: there is a non-empty set of reached states, each with a step into the set.

    Such steps must lead back to a state, so there is a cycle.
    """
    formula.family("non-termination-cycle")
    member = {state: formula.variable("looping", state) for state in states.all}
    steps: dict[PlainState, list[int]] = {state: [] for state in states.all}
    for before, thread, after, edge in states.transitions:
        step = formula.variable("loop", before, "to", after, "by", thread)
        steps[before].append(step)
        formula.add(-step, edge)
        formula.add(-step, member[after])
    formula.add(*member.values())
    for state in states.all:
        formula.add(-member[state], states.reached[state])
        formula.add(-member[state], *steps[state])
