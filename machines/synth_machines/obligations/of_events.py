"""The obligations of an event on its own: WD and THM of guards, WD and FIS of actions, INV, NAT and VAR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.equality import canonical, same
from synth_machines.formulas.formula import TRUTH, Binding, BoundName, FormulaConstant, FormulaOperation, conjunction
from synth_machines.formulas.inference import type_of
from synth_machines.formulas.names import prime
from synth_machines.formulas.types import PowerType
from synth_machines.obligations.effects import EventEffect
from synth_machines.obligations.obligation import Obligation, SourcedPredicate, is_trivial

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from synth_machines.checked_components import CheckedEvent, CheckedMachine
    from synth_machines.components import Action, Assignment
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.obligations.obligation import Kind


class EventObligations:
    """Makes the obligations of an event.

    `known` are its hypotheses without the guards, and `named` the free names of each invariant of the machine.
    """

    def __init__(
        self,
        machine: CheckedMachine,
        event: CheckedEvent,
        known: Sequence[SourcedPredicate],
        named: Sequence[AbstractSet[str]],
    ) -> None:
        self.machine = machine
        self._named = named
        self.event = event
        self.effect = EventEffect(machine, event)
        self.types: dict[str, Type] = {
            **machine.types,
            **{prime(name): kind for name, kind in machine.types.items()},
            **{name: kind for abstract_event in event.abstract for name, kind in abstract_event.types.items()},
            **event.types,
        }
        self._known = tuple(known)
        self._here = [canonical(guard.predicate) for guard in event.guards]
        self._there = [
            [canonical(guard.predicate) for guard in abstract_event.guards] for abstract_event in event.abstract
        ]
        self._guards = tuple(SourcedPredicate(guard.label, guard.predicate) for guard in event.guards)

    def make(self, name: str, kind: Kind, goal: Formula, *, guards: int | None = None) -> Iterator[Obligation]:
        """Yield the obligation of a goal unless it is trivial; `guards` is the number of guards that are known."""
        if is_trivial(goal, self.machine.carriers):
            return
        local = (*self._guards[:guards], *self.effect.hypotheses(goal))
        label = self.event.label
        yield Obligation(
            self.machine.name,
            f"{label}/{name}",
            kind,
            (*self._known, *local),
            goal,
            self.types,
            self.machine.carriers,
            label,
            len(local),
        )

    def all(self) -> Iterator[Obligation]:
        """Yield the obligations of the event on its own."""
        for place, guard in enumerate(self.event.guards):
            if not self._is_defined_before(place):
                goal = well_definedness(guard.predicate, self.types)
                yield from self.make(f"{guard.label}/WD", "WD", goal, guards=place)
            if guard.is_theorem:
                yield from self.make(f"{guard.label}/THM", "THM", guard.predicate, guards=place)
        for action in self.event.actions:
            if not self._is_abstract(action):
                yield from self._of_action(action)
        yield from self._invariants()
        yield from self._variant()

    def _is_defined_before(self, place: int) -> bool:
        """Return whether a guard stands in an abstract event, and all guards before it there stand before it here."""
        here = self._here[: place + 1]
        for there in self._there:
            if here[-1] in there and all(formula in here[:-1] for formula in there[: there.index(here[-1])]):
                return True
        return False

    def _is_abstract(self, action: Action) -> bool:
        """Return whether the abstract event has an equal action."""
        abstract = self.event.abstract[0].actions if self.event.abstract else ()
        return any(equal(action_.assignment, action.assignment) for action_ in abstract)

    def _of_action(self, action: Action) -> Iterator[Obligation]:
        assignment = action.assignment
        goal = conjunction([well_definedness(value, self.types) for value in assignment.results])
        yield from self.make(f"{action.label}/WD", "WD", goal)
        if assignment.operator == ":∈":
            empty = FormulaConstant("∅", type_of(assignment.values[0], self.types))
            yield from self.make(f"{action.label}/FIS", "FIS", FormulaOperation("≠", (assignment.values[0], empty)))
        elif (
            assignment.operator == ":∣" and assignment.values[0] != TRUTH
        ):  # Rodin leaves the quantifier out, and then the goal is ⊤
            bound = tuple(BoundName(prime(name), self.types[name]) for name in assignment.targets)
            yield from self.make(f"{action.label}/FIS", "FIS", Binding("∃", bound, assignment.values[0]))

    def _invariants(self) -> Iterator[Obligation]:
        assigned = {*self.event.assigned, *(name for event in self.event.abstract[:1] for name in event.assigned)}
        for invariant, names in zip(self.machine.invariants, self._named, strict=True):
            is_touched = self.event.is_initialisation or not assigned.isdisjoint(names)
            if is_touched and not invariant.is_theorem:
                yield from self.make(f"{invariant.label}/INV", "INV", self.effect.after(invariant.predicate))

    def _variant(self) -> Iterator[Obligation]:
        variant, status = self.machine.variant, self.event.status
        is_done = any(event.status == "convergent" for event in self.event.abstract)
        if variant is None or status == "ordinary" or is_done or self.event.is_initialisation:
            return
        is_set = isinstance(type_of(variant, self.types), PowerType)
        if not is_set and status == "convergent":
            yield from self.make("NAT", "NAT", FormulaOperation("∈", (variant, FormulaConstant("ℕ"))))
        orders = ("⊂", "⊆") if is_set else ("<", "≤")
        order = orders[status == "anticipated"]
        yield from self.make("VAR", "VAR", FormulaOperation(order, (self.effect.after(variant), variant)))


def equal(first: Assignment, other: Assignment) -> bool:
    """Return whether two assignments are equal; f(x) ≔ E equals f ≔ f <+ {x ↦ E}."""
    return (
        first.operator == other.operator
        and first.targets == other.targets
        and all(map(same, first.results, other.results))
    )
