"""Certificates of verdicts: why a program fails, or why it passes, such that a small checker can be convinced.

    >>> from synth_checker.certificates import certify
    >>> from synth_checker.models import models_named
    >>> from synth_checker.normal import program_of_id
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
from synth_checker.certificates.checker import refusal
from synth_checker.certificates.lasso import lasso_of
from synth_checker.certificates.product import failing_sets, product_of
from synth_checker.certificates.ranking import ranking_of
from synth_checker.errors import InternalError
from synth_checker.normal import written_out

if TYPE_CHECKING:
    from synth_checker.models import Form
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_checker.program import Program


def certify(program: Program, automaton: Automaton | OnDemand, form: Form) -> Certificate:
    """A certificate of a program's verdict, which the checker has accepted: a `Lasso` if it fails, else a `Ranking`.

    Raises:
        LimitError: the product of program and automaton has too many states.
        InternalError: the certificate is refused.
    """
    product = product_of(program, automaton)
    sets = failing_sets(product, form)
    certificate = lasso_of(product, form, sets) if sets else ranking_of(product, form)
    reason = refusal(certificate, program, automaton, form)
    if reason is not None:
        msg = f"certificate of {written_out(program)}, {form} form: {reason}"
        raise InternalError(msg)
    return certificate


def verdict_of(certificate: Certificate) -> Literal["pass", "fail"]:
    """What an accepted certificate proves."""
    return "fail" if isinstance(certificate, Lasso) else "pass"
