"""The answers of `synth machine`: what each component has, and its obligations. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_machines.answers.traces import TraceFields
from synth_machines.checked import CheckedMachine
from synth_machines.evaluation.values import written_value
from synth_machines.formulas.printer import shown
from synth_machines.refutations import names_to_show
from synth_machines.sequents.scripts import sequent_of

if TYPE_CHECKING:
    from synth_machines.answers.proof_attempts import ProofResult
    from synth_machines.answers.reachability import ReachabilityResult
    from synth_machines.checked import CheckedContext
    from synth_machines.obligations.obligation import Obligation


class ComponentFields(TypedDict):
    """A component in the JSON of `synth machine validate`.

    `counts` are the numbers of its own parts, by the word for one of them. `notes` say what is doubtful, but not wrong.
    """

    component: str
    kind: str
    counts: dict[str, int]
    notes: list[str]


def component_fields(checked_context: CheckedContext | CheckedMachine) -> ComponentFields:
    """Return a checked component as JSON."""
    if isinstance(checked_context, CheckedMachine):
        written = checked_context.machine
        counts = {
            "variable": len(written.variables),
            "invariant": len(checked_context.invariants),
            "event": len(checked_context.events),
        }
        return {
            "component": checked_context.name,
            "kind": "machine",
            "counts": counts,
            "notes": list(checked_context.notes),
        }
    context = checked_context.context
    counts = {
        "carrier set": len(context.sets),
        "constant": len(context.constants),
        "axiom": len(checked_context.axioms),
    }
    return {"component": checked_context.name, "kind": "context", "counts": counts, "notes": []}


class SequentHypothesisFields(TypedDict):
    """A hypothesis, and the label of the axiom, invariant, guard, witness or action that it comes from."""

    source: str
    predicate: str


class ObligationFields(TypedDict):
    """A line of `synth machine obligations --json`. `name` is that of Rodin, and `kind` its last part."""

    component: str
    name: str
    kind: str
    hypotheses: list[SequentHypothesisFields]
    goal: str


def obligation_fields(obligation: Obligation) -> ObligationFields:
    """Return an obligation as JSON."""
    hypotheses: list[SequentHypothesisFields] = [
        {"source": hypothesis.source, "predicate": shown(hypothesis.predicate)} for hypothesis in obligation.hypotheses
    ]
    return {
        "component": obligation.component,
        "name": obligation.name,
        "kind": obligation.kind,
        "hypotheses": hypotheses,
        "goal": shown(obligation.goal),
    }


class DecidedFields(TypedDict):
    """A line of `synth machine prove --json`.

    The verdict on the `axioms` of a context is satisfiable, contradictory or undecided. `hypotheses` are the sources of
    the hypotheses that the proof used. `state` has the values of a refutation by the names in the goal and in the
    event; a name with a prime is the value after the event. `reached` says whether an execution was found that leads to
    such a state, and `trace` are its steps up to the event. `because` says why nothing is decided. `confirmed` is the
    verdict of a second solver: true for a proof, false for none, null if none was asked.
    """

    component: str
    name: str
    verdict: str
    goal: str
    because: str
    hypotheses: list[str]
    state: dict[str, str]
    reached: str
    trace: TraceFields | None
    confirmed: bool | None


#: What the verdict on ⊥ says about the axioms that it would follow from.
_CONSISTENCY = {"proved": "contradictory", "refuted": "satisfiable"}


def state_of(decided: ProofResult) -> dict[str, str]:
    """Return the values of a refutation, by the names that matter for it."""
    if decided.refutation is None:
        return {}
    values = decided.refutation.values
    names = names_to_show(sequent_of(decided.obligation), decided.obligation)
    return {name: written_value(values[name]) for name in names if name in values}


def decided_fields(decided: ProofResult, reached: ReachabilityResult | None = None) -> DecidedFields:
    """Return what became of an obligation as JSON, with the execution that was found for a refutation."""
    hypotheses = decided.obligation.hypotheses
    return {
        "component": decided.obligation.component,
        "name": decided.obligation.name,
        "verdict": _CONSISTENCY.get(decided.verdict, "undecided")
        if decided.obligation.kind == "SAT"
        else decided.verdict,
        "goal": shown(decided.obligation.goal),
        "because": decided.because,
        "hypotheses": [hypotheses[place].source for place in decided.used if place < len(hypotheses)],
        "state": state_of(decided),
        "reached": "" if reached is None else reached.words,
        "trace": None if reached is None else reached.trace(decided.obligation.component),
        "confirmed": None if decided.peer is None else decided.peer == "unsat",
    }
