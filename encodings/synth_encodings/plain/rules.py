"""Normal form (definitions, section 2), and the rules of section 3 that speak of instructions."""

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
    """No no-ops; a store's check is 0, unless kept; locations and non-zero values are named by first use."""
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
    # Of `exch` all but its last value, which means none.
    in_order = [named for place in fields.places for named in (fields.check[place], fields.exch[place][:-1])]
    _by_first_use(formula, in_order, first=1)


def _by_first_use(formula: Formula, in_order: list[list[int]], first: int) -> None:
    """A name above `first` is used only behind a use of the name before it."""
    for k, named in enumerate(in_order):
        for name in range(first + 1, len(named)):
            formula.add(-named[name], *(earlier[name - 1] for earlier in in_order[:k]))


def inter_thread_influence(formula: Formula, fields: Fields) -> None:
    """An exchange has a branch, and a branch any instruction, on the same location in another thread."""
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


class Executions:
    """Literals that may be true only if an instruction is executed in a memory, in some reached state."""

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
        """Every instruction is executed in some reached state."""
        self._formula.family("executed")
        for seen in self._in.values():
            self._formula.add(*seen.values())

    def all_branches(self, fields: Fields, steps: Steps) -> None:
        """Every branch is taken in some reached state and not taken in some reached state."""
        self._formula.family("all-branches")
        for place in fields.places:
            self._some(place, fields.goes_on(place), "taken", lambda p, m: steps.taken[p, m])
            self._some(place, fields.goes_on(place), "not taken", lambda p, m: -steps.taken[p, m])

    def effective_stores(self, fields: Fields, steps: Steps) -> None:
        """Every instruction with an exchange changes the memory in some reached state."""
        self._formula.family("effective-stores")
        for place in fields.places:
            self._some(place, fields.no_exchange(place), "effective", lambda p, m: -steps.after[p, m][m])

    def _some(self, place: Place, unless: int, name: str, outcome: Callable[[Place, Memory], int]) -> None:
        """Unless a literal holds, the instruction is executed with an outcome in some reached state."""
        ways = []
        for memory, seen in self._in[place].items():
            way = self._formula.variable("seen", name, place, "in", written(memory))
            ways.append(way)
            self._formula.add(-way, seen)
            self._formula.add(-way, outcome(place, memory))
        self._formula.add(unless, *ways)
