"""Explain why a program fails or passes a verdict, from the certificate of the verdict and in plain words.

The model *owes* a thread a step in a state if the thread is in the fair set of the model there. A thread *starves* if
it is live in the cycle of a lasso and takes no step there. The sentences say what the model promises in this sense, and
how the execution keeps each promise.

The explained program has its no-ops, and locations and values named by first use (`Check.judged`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_checker.certificates.certificate import Lasso
from synth_checker.certificates.certification import program_product
from synth_checker.certificates.product import recurrent_sets
from synth_checker.models import Form, Model, library
from synth_checker.notebook import NotebookObject
from synth_litmus.explanation.lasso_words import LassoWords
from synth_litmus.explanation.picture import proof_graph
from synth_litmus.explanation.ranking_words import ranking_words
from synth_litmus.facts.check import Check, certify_verdict, check_programs
from synth_litmus.inputs.models import given_model, given_verdict
from synth_litmus.lts.drawn_program import DrawnProgram

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import Certificate, ProductState
    from synth_checker.programs.program import Program, State
    from synth_documents.graphs.graph import GraphDrawing


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(NotebookObject):
    """The explanation of one verdict of a program: its certificate, and sentences that say what the certificate shows.

    `rounds` are the reachable states of program and model that lie on a cycle, in the order of a breadth-first search.
    """

    check: Check
    verdict: str
    model: Model
    form: Form
    certificate: Certificate[State]
    rounds: tuple[ProductState[State], ...]
    sentences: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Explanation of {self.check.id}: {self.verdict} {self.result}>"

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def result(self) -> Literal["pass", "fail"]:
        """Whether the program passes or fails the verdict."""
        return self.check.verdicts[self.verdict]

    def graph(self, name: str | None = None) -> GraphDrawing:
        """Return a drawing of the states with the proof. `name` is the name of the program, if it has one."""
        program = DrawnProgram(self.check.judged, name)
        graph = proof_graph(program, self.model, self.certificate, self.rounds)
        says = "fails" if self.result == "fail" else "passes"
        return replace(graph, title=f"{program.title} {says} {self.verdict}", notes=(*self.sentences, *graph.notes))


def explain(program: Program, verdict: str) -> Explanation:
    """Explain why a program passes or fails a verdict.

    The verdict belongs to the library or to a model of your own (`synth_litmus.inputs.models`).

    Raises:
        InputError: there is no such verdict, or the program has only no-ops.
        LimitError: the program has more than 32 threads, or too many states.
        InternalError: the core and the certificate disagree.
    """
    return _explained(program, *given_verdict(verdict))


def explain_forms(program: Program, word: str) -> tuple[Explanation, ...]:
    """Explain each verdict that a word means for a program: both of a model, or one.

    Raises:
        InputError: there is no such model or verdict, or the program has only no-ops.
        LimitError: the program has more than 32 threads, or too many states.
        InternalError: the core and the certificate disagree.
    """
    model, forms = given_model(word)
    return tuple(_explained(program, model, form) for form in forms)


def _explained(program: Program, model: Model, form: Form) -> Explanation:
    models = library() if model in library() else (model,)
    verdict = model.verdicts[model.forms.index(form)]
    (check,) = check_programs([program], model.verdicts, models, to_certify=True)
    certificate = certify_verdict(check, verdict, models)
    product = program_product(check.judged, model.beside(len(check.judged)))
    on_cycles = set[int]().union(*recurrent_sets(product, set(range(len(product.states)))))
    rounds = tuple(product.states[s] for s in sorted(on_cycles))
    if isinstance(certificate, Lasso):
        sentences = tuple(LassoWords(product, model, form, certificate).sentences(check.verdicts))
    else:
        sentences = tuple(ranking_words(certificate, product, form, on_cycles))
    return Explanation(check, verdict, model, form, certificate, rounds, sentences)
