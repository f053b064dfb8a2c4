"""Clauses for normal form (definitions, section 2), and for the rules of section 3 about instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_encodings.plain.step import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_encodings.plain.fields import Fields, Place
    from synth_encodings.plain.formula import Formula
    from synth_encodings.plain.states import States
    from synth_encodings.plain.step import Memory, Steps


def normal_form(formula: Formula, fields: Fields, *, keep_store_checks: bool) -> None:
    """Add the clauses: the program is in normal form.

    It has no no-ops, and names locations and non-zero values by first use. Every store compares with 0, unless
    `keep_store_checks` is true.
    """
    formula.family("no-ops")
    for place in fields.places:
        formula.add(-fields.no_exchange(place), -fields.goes_on(place))
    if not keep_store_checks:
        formula.family("meaningful-comparisons")
        for place in fields.places:
            formula.add(-fields.goes_on(place), fields.check[place][0])
    formula.family("locations by first use")
    _by_first_use(formula, [fields.loc[place] for place in fields.places], first=0)
    formula.family("values by first use")
    # The last value of `exch` means that nothing is written, so it names nothing.
    in_order = [named for place in fields.places for named in (fields.check[place], fields.exch[place][:-1])]
    _by_first_use(formula, in_order, first=1)


def _by_first_use(formula: Formula, in_order: list[list[int]], first: int) -> None:
    """Add the clauses: each name above `first` is used only after a use of the name before it."""
    for k, named in enumerate(in_order):
        for name in range(first + 1, len(named)):
            formula.add(-named[name], *(earlier[name - 1] for earlier in in_order[:k]))


def inter_thread_influence(formula: Formula, fields: Fields) -> None:
    """Add the clauses for the rule `inter-thread-influence`.

    For every exchange, another thread must have a branch on the same location. For every branch, another thread must
    have any instruction on the same location.
    """
    formula.family("inter-thread-influence")
    for loc in range(fields.locations):
        branch = {place: formula.variable("branch", place, "on", loc) for place in fields.places}
        for place in fields.places:
            formula.add(-branch[place], fields.loc[place][loc])
            formula.add(-branch[place], -fields.goes_on(place))
        for place in fields.places:
            others = [other for other in fields.places if other.thread != place.thread]
            here = -fields.loc[place][loc]
            formula.add(fields.no_exchange(place), here, *(branch[other] for other in others))
            formula.add(fields.goes_on(place), here, *(fields.loc[other][loc] for other in others))


class PlainExecutions:
    """Literals, one for each place of an instruction and each content of the memory.

    A literal is true only if, in some reached state with that memory, a step executes the instruction at that place.
    """

    def __init__(self, formula: Formula, states: States) -> None:
        self._formula = formula
        formula.family("executions")
        self._in: dict[Place, dict[Memory, int]] = {}
        for place in states.places:
            self._in[place] = {}
            for memory in states.memories:
                seen = formula.variable("executed", place, "in", written(memory))
                self._in[place][memory] = seen
                formula.add(
                    -seen,
                    *(
                        states.reached[state]
                        for state in states.all
                        if state.memory == memory and state.pcs[place.thread] == place.pc
                    ),
                )

    def executed(self) -> None:
        """Add the clauses: every instruction is executed in some reached state."""
        self._formula.family("executed")
        for seen in self._in.values():
            self._formula.add(*seen.values())

    def all_branches(self, fields: Fields, steps: Steps) -> None:
        """Add the clauses: every branch is taken in some reached state and not taken in some reached state."""
        self._formula.family("all-branches")
        for place in fields.places:
            self._some(place, fields.goes_on(place), "taken", lambda p, m: steps.taken[p, m])
            self._some(place, fields.goes_on(place), "not taken", lambda p, m: -steps.taken[p, m])

    def effective_stores(self, fields: Fields, steps: Steps) -> None:
        """Add the clauses: every instruction with an exchange changes the memory in some reached state."""
        self._formula.family("effective-stores")
        for place in fields.places:
            self._some(place, fields.no_exchange(place), "effective", lambda p, m: -steps.after[p, m][m])

    def _some(self, place: Place, unless: int, name: str, outcome: Callable[[Place, Memory], int]) -> None:
        """Add the clauses: `unless` is true, or the instruction has the outcome in some reached state."""
        ways = []
        for memory, seen in self._in[place].items():
            way = self._formula.variable("seen", name, place, "in", written(memory))
            ways.append(way)
            self._formula.add(-way, seen)
            self._formula.add(-way, outcome(place, memory))
        self._formula.add(unless, *ways)
