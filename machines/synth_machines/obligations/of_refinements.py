"""The obligations of an event that refines others: GRD, MRG, SIM, EQL, WWD and WFIS.

Rodin finds out whether the concrete event has an action equal to an abstract one by an index into all abstract actions,
where it goes through those that are left without vanished variables. So it states some SIM obligations that nobody
needs, and omits some that are needed. `as_rodin` does the same, so that one can compare.

An abstract action that is not deterministic must be simulated even if all its variables have vanished: a witness says
which values it takes, and nothing else says that the action may take them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.equality import canonical
from synth_machines.formulas.formula import Binding, BoundName, FormulaName, FormulaOperation, conjunction
from synth_machines.formulas.names import prime
from synth_machines.obligations.effects import before_after, deterministic_value
from synth_machines.obligations.obligation import equation
from synth_machines.obligations.of_events import equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.components import Action
    from synth_machines.formulas.formula import Formula
    from synth_machines.obligations.obligation import Obligation
    from synth_machines.obligations.of_events import EventObligations


def of_refinement(about: EventObligations, *, as_rodin: bool = False) -> Iterator[Obligation]:
    """Yield the obligations that say that an event refines its abstract events."""
    yield from _witnesses(about)
    yield from _guards(about)
    yield from _simulation(about, as_rodin=as_rodin)
    yield from _unchanged(about)


def _witnesses(about: EventObligations) -> Iterator[Obligation]:
    for witness in about.event.witnesses:
        goal = about.effect.applied(well_definedness(witness.predicate, about.types), witness.label)
        yield from about.make(f"{witness.label}/WWD", "WWD", goal)
        if deterministic_value(witness) is None:
            inner = about.effect.applied(witness.predicate, witness.label)
            bound = (BoundName(witness.label, about.types[witness.label]),)
            yield from about.make(f"{witness.label}/WFIS", "WFIS", Binding("∃", bound, inner))


def _guards(about: EventObligations) -> Iterator[Obligation]:
    here = {canonical(guard.predicate) for guard in about.event.guards}
    branches: list[list[Formula]] = []
    is_merge = len(about.event.abstract) > 1
    for abstract in about.event.abstract:
        branch = []
        for guard in abstract.guards:
            if canonical(guard.predicate) in here:
                continue
            goal = about.effect.applied(guard.predicate)
            branch.append(goal)
            if not is_merge and not guard.is_theorem:
                yield from about.make(f"{guard.label}/GRD", "GRD", goal)
        branches.append(branch)
    if is_merge and all(branches):
        yield from about.make("MRG", "MRG", FormulaOperation("∨", tuple(map(conjunction, branches))))


def _simulation(about: EventObligations, *, as_rodin: bool) -> Iterator[Obligation]:
    if not about.event.abstract:
        return
    kept = about.machine.kept
    abstract = about.event.abstract[0].actions
    simulated = [
        action
        for action in abstract
        if action.assignment.operator != "≔" or kept.intersection(action.assignment.targets)
    ]
    for place, action in enumerate(simulated):
        looked_up = abstract[place] if as_rodin else action
        if not _has_equal(about, looked_up):
            goal = about.effect.applied(before_after(action, kept))
            yield from about.make(f"{action.label}/SIM", "SIM", goal)


def _has_equal(about: EventObligations, abstract: Action) -> bool:
    return any(equal(action.assignment, abstract.assignment) for action in about.event.actions)


def _unchanged(about: EventObligations) -> Iterator[Obligation]:
    abstract = {name for event in about.event.abstract[:1] for name in event.assigned}
    for name in about.event.assigned:
        if name in about.machine.kept and name not in abstract:
            goal = about.effect.applied(equation(prime(name), FormulaName(name)))
            yield from about.make(f"{name}/EQL", "EQL", goal)
