"""The JSON of `synth explain`: a verdict of a program, with the whole certificate.

A set of threads is a list of thread ids. A state has the key `model`: the number of a state of the model's automaton.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from synth_checker.certificates.certificate import Lasso
from synth_checker.programs.normal import written_out
from synth_corpus.record import Id, Verdict
from synth_litmus.states import DescribedState, state_values
from synth_storage.answer_json import OPTIONAL

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import Certificate
    from synth_checker.programs.program import State
    from synth_litmus.explanation import Explanation


@dataclass(frozen=True, slots=True)
class DescribedStep(DescribedState):
    """A state, and the thread that takes the step in it."""

    thread: int


@dataclass(frozen=True, slots=True)
class RankedState(DescribedState):
    """A state, its rank, and the thread whose step lowers the rank (`helper`).

    `helper` is null if every step lowers the rank.
    """

    rank: int
    helper: int | None


class LassoAnswer(NamedTuple):
    """The certificate that a program fails, an execution that never ends.

    It takes first `prefix` steps, and then the other steps again and again.
    """

    kind: Literal["lasso"]
    prefix: int
    shortest: bool
    steps: list[DescribedStep]


class RankingAnswer(NamedTuple):
    """The certificate that a program passes: the ranks of all states, in the order of a breadth-first search."""

    kind: Literal["ranking"]
    ranks: list[RankedState]


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """A verdict of a program, the certificate that proves it, and sentences that explain it."""

    id: Id
    with_no_ops: Id | None = field(metadata=OPTIONAL)
    name: str | None
    verdict: dict[str, Verdict]
    model: str
    certificate: LassoAnswer | RankingAnswer
    explanation: tuple[str, ...]


def explain_answer(name: str | None, explanation: Explanation) -> ExplainAnswer:
    """Return an explanation as `synth explain --json` prints it; `name` is that of the program as the user gave it."""
    check = explanation.check
    return ExplainAnswer(
        check.id,
        written_out(check.judged) if check.has_no_ops else None,
        name,
        {explanation.verdict: explanation.result},
        explanation.model.definition,
        _certificate(explanation.certificate),
        explanation.sentences,
    )


def _certificate(certificate: Certificate[State]) -> LassoAnswer | RankingAnswer:
    """Return a certificate for JSON: a lasso step by step, or a ranking state by state."""
    if isinstance(certificate, Lasso):
        steps = [DescribedStep(*state_values(state, fair), thread) for state, fair, thread in certificate.steps]
        return LassoAnswer("lasso", certificate.prefix, certificate.is_shortest, steps)
    return RankingAnswer(
        "ranking",
        [
            RankedState(*state_values(state, fair), rank, helper)
            for state, (fair, rank, helper) in certificate.ranks.items()
        ],
    )
