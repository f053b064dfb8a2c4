"""What is reached, whether it can end, and whether it can go on for ever.

The reached states are a least fixpoint: closed under steps, and each reached by a path from the start. A path is said
by ranks: a reached state has a predecessor of a lower rank. So are the paths to an end. Ranks are binary numbers with
as many bits as it takes to number all states. A shortest path meets no state twice, so there is no program for which
they do not suffice: there is no limit that would have to be proven.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.plain.formula import Formula
    from synth_encodings.plain.states import PlainState, States


class Ranks:
    """A number for each state, and a literal for each asked-for pair that may be true only if one's is below."""

    def __init__(self, formula: Formula, states: States, name: str) -> None:
        self._formula = formula
        self._name = name
        bits = (len(states.all) - 1).bit_length()
        self._bits = {s: [formula.variable(name, s, "bit", bit) for bit in range(bits)] for s in states.all}
        self._below: dict[tuple[PlainState, PlainState], int] = {}

    def below(self, lower: PlainState, higher: PlainState) -> int:
        """The literal: the rank of `lower` is below that of `higher`.

        From bit 0 up: the lower bits decide where these two are equal.
        """
        found = self._below.get((lower, higher))
        if found is not None:
            return found
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
    """`reached` is true of exactly the reachable states."""
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
    """From every reached state that has live threads, a step leads nearer to the end of all."""
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
    """Some reached states, at least one, each with a step to one of them: following such steps closes a cycle."""
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
