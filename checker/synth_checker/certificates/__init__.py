"""Certificates of verdicts: why a program fails, or why it passes, such that a small checker can be convinced.

    >>> from synth_checker.certificates import certify
    >>> from synth_checker.models import models_named
    >>> from synth_checker.programs.normal import program_of_id
    >>> hsa, = models_named(["HSA"])
    >>> lasso = certify(program_of_id("01100002-01100002"), hsa.automaton(2), "weak")
    >>> [step.thread for step in lasso.steps], lasso.prefix
    ([1, 0], 1)

The idea is that of certifying algorithms (R. McConnell et al., Comput. Sci. Rev. 5, 2011). That a list of tests is
complete is certified elsewhere, in `synth.certifying`.
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
    """A certificate of a program's verdict, which the checker has accepted: a `Lasso` if it fails, else a `Ranking`.

    Raises:
        LimitError: the product of program and automaton has too many states.
        InternalError: the certificate is refused.
    """
    certificate = _certificate_of(program_product(program, automaton), form)
    _check(refusal(certificate, program, automaton, form), written_out(program), form)
    return certificate


def certify_system(
    system: TransitionSystem[AnyState], automaton: Automaton | OnDemand, form: Form
) -> Certificate[AnyState]:
    """The same for the verdict of any transition system. Raises as `certify` and `product_of` do."""
    certificate = _certificate_of(product_of(system, automaton), form)
    _check(refusal_of_system(certificate, system, automaton, form), "a transition system", form)
    return certificate


def program_product(program: Program, automaton: Automaton | OnDemand) -> Product[State]:
    """The product of a program and an automaton.

    Raises:
        LimitError: it has too many states; that is told at once where the program alone surely has too many.
    """
    check_states(program, MAX_STATES)
    return product_of(Executions(program), automaton)


def _certificate_of(product: Product[AnyState], form: Form) -> Certificate[AnyState]:
    sets = failing_sets(product, form)
    return lasso_of(product, form, sets) if sets else ranking_of(product, form)


def _check(reason: str | None, what: str, form: Form) -> None:
    if reason is not None:
        msg = f"certificate of {what}, {form} form: {reason}"
        raise InternalError(msg)


def verdict_of(certificate: Certificate[AnyState]) -> Literal["pass", "fail"]:
    """What an accepted certificate proves."""
    return "fail" if isinstance(certificate, Lasso) else "pass"
