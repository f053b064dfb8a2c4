"""Certificates of verdicts: a certificate proves why a program fails or passes, and a small checker can verify it.

    >>> from synth_checker.certificates import certify
    >>> from synth_checker.models import models_named
    >>> from synth_checker.programs.normal import program_of_id
    >>> hsa, = models_named(["HSA"])
    >>> lasso = certify(program_of_id("01100002-01100002"), hsa.automaton(2), "weak")
    >>> [step.thread for step in lasso.steps], lasso.prefix
    ([1, 0], 1)

The idea is that of certifying algorithms (R. McConnell et al., Comput. Sci. Rev. 5, 2011). Another package,
`synth_search.completeness`, proves that a list of tests is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from synth_checker.certificates.certificate import Certificate, Lasso
from synth_checker.certificates.checker import refusal, refusal_of_system
from synth_checker.certificates.lasso import lasso_of
from synth_checker.certificates.product import MAX_STATES, Product, failing_sets, product_of
from synth_checker.certificates.ranking import ranking_of
from synth_checker.errors import InternalError
from synth_checker.programs.normal import written_out
from synth_checker.transitions.executions import Executions
from synth_checker.transitions.state_bounds import check_states

if TYPE_CHECKING:
    from synth_checker.models import Form
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_checker.programs.program import Program, State
    from synth_checker.transitions.transition_system import AnyState, TransitionSystem


def certify(program: Program, automaton: Automaton | OnDemand, form: Form) -> Certificate[State]:
    """Return a certificate of a program's verdict: a `Lasso` if the program fails, or a `Ranking` if it passes.

    The checker has accepted the certificate. `automaton` is the model for the program's number of threads.

    Raises:
        LimitError: the product of program and automaton has too many states.
        InternalError: the checker refuses the certificate.
    """
    certificate = _certificate_of(program_product(program, automaton), form)
    _check(refusal(certificate, program, automaton, form), written_out(program), form)
    return certificate


def certify_system(
    system: TransitionSystem[AnyState], automaton: Automaton | OnDemand, form: Form
) -> Certificate[AnyState]:
    """Return a certificate of a transition system's verdict: a `Lasso` if it fails, or a `Ranking` if it passes.

    Raises:
        LimitError: the product of system and automaton has too many states.
        InputError: a step of the system contradicts the contract of `TransitionSystem`.
        InternalError: the checker refuses the certificate.
    """
    certificate = _certificate_of(product_of(system, automaton), form)
    _check(refusal_of_system(certificate, system, automaton, form), "a transition system", form)
    return certificate


def program_product(program: Program, automaton: Automaton | OnDemand) -> Product[State]:
    """Return the product of a program and an automaton.

    Raises:
        LimitError: the product has too many states. If the program alone has too many, no search is made.
    """
    check_states(program, MAX_STATES)
    return product_of(Executions(program), automaton)


def _certificate_of(product: Product[AnyState], form: Form) -> Certificate[AnyState]:
    sets = failing_sets(product, form)
    return lasso_of(product, form, sets) if sets else ranking_of(product, form)


def _check(reason: str | None, what: str, form: Form) -> None:
    if reason is not None:
        raise InternalError(f"certificate of {what}, {form} form: {reason}")


def verdict_of(certificate: Certificate[AnyState]) -> Literal["pass", "fail"]:
    """Return the verdict that an accepted certificate proves."""
    return "fail" if isinstance(certificate, Lasso) else "pass"
