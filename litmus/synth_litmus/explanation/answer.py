"""The answer of `synth explain`: the explanation of a verdict of a program, and its JSON with the whole certificate.

In JSON, a set of threads is a list of thread ids. A state has the key `model`: the number of a state of the model's
automaton.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from synth_checker.certificates.certificate import Lasso
from synth_checker.programs.normal import written_out
from synth_corpus.record import Id, Verdict
from synth_litmus.states import StateFields, state_fields

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import Certificate
    from synth_checker.programs.program import State
    from synth_litmus.explanation import Explanation
    from synth_litmus.inputs.programs import GivenProgram


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """A program as the user gave it, and the explanation of one of its verdicts."""

    given: GivenProgram
    explanation: Explanation


class StepFields(StateFields):
    """A state, and the thread that takes the step in it."""

    thread: int


class RankFields(StateFields):
    """A state, its rank, and the thread whose step lowers the rank (`helper`).

    `helper` is null if every step lowers the rank.
    """

    rank: int
    helper: int | None


class LassoFields(TypedDict):
    """The certificate that a program fails, an execution that never ends.

    It takes first `prefix` steps, and then the other steps again and again.
    """

    kind: Literal["lasso"]
    prefix: int
    shortest: bool
    steps: list[StepFields]


class RankingFields(TypedDict):
    """The certificate that a program passes: the ranks of all states, in the order of a breadth-first search."""

    kind: Literal["ranking"]
    ranks: list[RankFields]


class ExplainFields(TypedDict):
    """A verdict of a program, the certificate that proves it, and sentences that explain it."""

    id: Id
    with_no_ops: NotRequired[Id]
    name: str | None
    verdict: dict[str, Verdict]
    model: str
    certificate: LassoFields | RankingFields
    explanation: list[str]


class _NoOps(TypedDict):
    with_no_ops: NotRequired[Id]


def explain_fields(answer: ExplainAnswer) -> ExplainFields:
    """Return an explanation as the JSON object that `synth explain --json` prints."""
    explanation = answer.explanation
    no_ops: _NoOps = {"with_no_ops": written_out(explanation.check.judged)} if explanation.check.has_no_ops else {}
    return {
        "id": explanation.check.id,
        **no_ops,
        "name": answer.given.name,
        "verdict": {explanation.verdict: explanation.result},
        "model": explanation.model.definition,
        "certificate": certificate_fields(explanation.certificate),
        "explanation": list(explanation.sentences),
    }


def certificate_fields(certificate: Certificate[State]) -> LassoFields | RankingFields:
    """Return a certificate as JSON: a lasso step by step, or a ranking state by state."""
    if isinstance(certificate, Lasso):
        return {
            "kind": "lasso",
            "prefix": certificate.prefix,
            "shortest": certificate.is_shortest,
            "steps": [{**state_fields(state, fair), "thread": thread} for state, fair, thread in certificate.steps],
        }
    return {
        "kind": "ranking",
        "ranks": [
            {**state_fields(state, fair), "rank": rank, "helper": helper}
            for state, (fair, rank, helper) in certificate.ranks.items()
        ],
    }
