"""The answers of `synth machine`: what each component has, and its obligations. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_machines.checked import CheckedMachine
from synth_machines.formulas.printing import shown

if TYPE_CHECKING:
    from synth_machines.checked import CheckedContext
    from synth_machines.obligations.obligation import Obligation


class ComponentFields(TypedDict):
    """A component in the JSON of `synth machine check`.

    `counts` are the numbers of its own parts, by the word for one of them. `notes` say what is doubtful, but not wrong.
    """

    component: str
    kind: str
    counts: dict[str, int]
    notes: list[str]


def component_fields(one: CheckedContext | CheckedMachine) -> ComponentFields:
    """Return a checked component as JSON."""
    if isinstance(one, CheckedMachine):
        written = one.machine
        counts = {"variable": len(written.variables), "invariant": len(one.invariants), "event": len(one.events)}
        return {"component": one.name, "kind": "machine", "counts": counts, "notes": list(one.notes)}
    context = one.context
    counts = {"carrier set": len(context.sets), "constant": len(context.constants), "axiom": len(one.axioms)}
    return {"component": one.name, "kind": "context", "counts": counts, "notes": []}


class HypothesisFields(TypedDict):
    """A hypothesis, and the label of the axiom, invariant, guard, witness or action that it comes from."""

    source: str
    predicate: str


class ObligationFields(TypedDict):
    """A line of `synth machine obligations --json`. `name` is that of Rodin, and `kind` its last part."""

    component: str
    name: str
    kind: str
    hypotheses: list[HypothesisFields]
    goal: str


def obligation_fields(one: Obligation) -> ObligationFields:
    """Return an obligation as JSON."""
    hypotheses: list[HypothesisFields] = [
        {"source": hypothesis.source, "predicate": shown(hypothesis.predicate)} for hypothesis in one.hypotheses
    ]
    return {
        "component": one.component,
        "name": one.name,
        "kind": one.kind,
        "hypotheses": hypotheses,
        "goal": shown(one.goal),
    }
