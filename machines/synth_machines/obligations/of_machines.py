"""The obligations of a machine: of its invariants and its variant, and of each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import FormulaOperation
from synth_machines.formulas.inference import type_of
from synth_machines.formulas.types import PowerType, is_finite_type
from synth_machines.obligations.obligation import Obligation, SourcedPredicate, is_trivial, names_in
from synth_machines.obligations.of_contexts import of_list
from synth_machines.obligations.of_events import EventObligations
from synth_machines.obligations.of_refinements import of_refinement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.checked_components import CheckedMachine
    from synth_machines.obligations.obligation import Kind


def of_machine(machine: CheckedMachine, *, as_rodin: bool = False) -> Iterator[Obligation]:
    """Yield the obligations of a machine. `as_rodin` is that of `obligations_of`."""
    axioms = [SourcedPredicate(axiom.label, axiom.predicate) for axiom in machine.axioms]
    inherited = machine.all_invariants[: len(machine.all_invariants) - len(machine.invariants)]
    abstract = [SourcedPredicate(labelled.label, labelled.predicate) for labelled in inherited]
    own = [SourcedPredicate(invariant.label, invariant.predicate) for invariant in machine.invariants]
    yield from of_list(machine.name, machine.invariants, [*axioms, *abstract], machine.types, machine.carriers)
    yield from _of_variant(machine, (*axioms, *abstract, *own))
    named = [names_in(invariant.predicate) for invariant in machine.invariants]
    for event in machine.events:
        known = axioms if event.is_initialisation else [*axioms, *abstract, *own]
        about = EventObligations(machine, event, known, named)
        yield from about.all()
        yield from of_refinement(about, as_rodin=as_rodin)


def _of_variant(machine: CheckedMachine, known: tuple[SourcedPredicate, ...]) -> Iterator[Obligation]:
    if machine.variant is None:
        return
    kind = type_of(machine.variant, machine.types)
    goals: list[tuple[Kind, FormulaOperation]] = []
    if isinstance(kind, PowerType) and not is_finite_type(kind):
        goals.append(("FIN", FormulaOperation("finite", (machine.variant,))))
    defined = well_definedness(machine.variant, machine.types)
    for name, goal in (("VWD", defined), *goals):
        if not is_trivial(goal, machine.carriers):
            which: Kind = "VWD" if name == "VWD" else "FIN"
            yield Obligation(machine.name, which, which, known, goal, machine.types, machine.carriers)
