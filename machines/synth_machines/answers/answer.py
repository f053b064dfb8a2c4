"""The answers of `synth machine`: what each component has, and its obligations."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from typing import TYPE_CHECKING, NamedTuple

from synth_machines.answers.traces import TraceFields
from synth_machines.checked_components import CheckedMachine
from synth_machines.evaluation.values import written_value
from synth_machines.formulas.printer import shown
from synth_machines.refutations import names_to_show
from synth_machines.sequents.scripts import sequent_of
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from synth_machines.answers.proof_attempts import ProofResult
    from synth_machines.answers.reachability import ReachabilityResult
    from synth_machines.checked_components import CheckedContext
    from synth_machines.obligations.obligation import Obligation


class ComponentSummary(NamedTuple):
    """A component in the JSON of `synth machine validate`.

    `counts` are the numbers of its own parts, by the word for one of them. `notes` say what is doubtful, but not wrong.
    """

    component: str
    kind: str
    counts: dict[str, int]
    notes: Sequence[str] = ()


def summary_of(checked: CheckedContext | CheckedMachine) -> ComponentSummary:
    """Return what a checked component has."""
    if isinstance(checked, CheckedMachine):
        counts = {
            "variable": len(checked.machine.variables),
            "invariant": len(checked.invariants),
            "event": len(checked.events),
        }
        return ComponentSummary(checked.name, "machine", counts, checked.notes)
    context = checked.context
    counts = {"carrier set": len(context.sets), "constant": len(context.constants), "axiom": len(checked.axioms)}
    return ComponentSummary(checked.name, "context", counts)


class SourcedHypothesis(NamedTuple):
    """A hypothesis, and the label of the axiom, invariant, guard, witness or action that it comes from."""

    source: str
    predicate: str


class StatedObligation(NamedTuple):
    """A line of `synth machine obligations --json`. `name` is that of Rodin, and `kind` its last part."""

    component: str
    name: str
    kind: str
    hypotheses: list[SourcedHypothesis]
    goal: str


def stated(obligation: Obligation) -> StatedObligation:
    """Return an obligation with its formulas as text."""
    hypotheses = [SourcedHypothesis(part.source, shown(part.predicate)) for part in obligation.hypotheses]
    return answer_from(StatedObligation, obligation, hypotheses=hypotheses, goal=shown(obligation.goal))


class DecidedObligation(NamedTuple):
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


def decided_obligation(decided: ProofResult, reached: ReachabilityResult | None = None) -> DecidedObligation:
    """Return what became of an obligation, with the execution that was found for a refutation."""
    obligation = decided.obligation
    is_of_axioms = obligation.kind == "SAT"
    return answer_from(
        DecidedObligation,
        decided,
        obligation,
        verdict=_CONSISTENCY.get(decided.verdict, "undecided") if is_of_axioms else decided.verdict,
        goal=shown(obligation.goal),
        hypotheses=[
            obligation.hypotheses[place].source for place in decided.used if place < len(obligation.hypotheses)
        ],
        state=state_of(decided),
        reached="" if reached is None else reached.words,
        trace=None if reached is None else reached.trace(obligation.component),
        confirmed=None if decided.peer is None else decided.peer == "unsat",
    )
