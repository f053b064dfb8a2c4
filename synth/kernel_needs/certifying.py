"""Prove the verdicts on launches, and have a checker accept each proof that shares nothing with what made it.

A proof is made from the space of a launch. It is checked against a system that computes the states itself
(`synth_kernels.progress.certificates`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.kernel_needs import StoppedError
from synth_checker.certificates import verdict_of
from synth_checker.errors import InternalError
from synth_kernels.progress.certificates import Launched, refusal
from synth_kernels.progress.verdicts import certificate_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth.kernel_needs import Needs


def certify(found: Needs, must_stop: Callable[[], bool] = lambda: False) -> None:
    """Prove each verdict on the launches of a kernel, and check the proofs. `must_stop` is asked before each proof.

    Raises:
        StoppedError: it said so.
        InternalError: the checker refuses a proof, or a proof shows another verdict.
    """
    for one in found.launches:
        system = Launched(one.space.machine)
        for model in found.asked.known_models:
            for form, name in zip(model.forms, model.verdicts, strict=True):
                if must_stop():
                    raise StoppedError
                proof = certificate_of(one.space, model, form)
                why = refusal(proof, one.space, system, model, form)
                if why is None and (verdict_of(proof) == "pass") != one.passes[name]:
                    why = f"found a proof of {verdict_of(proof)}, expected one of the opposite"
                if why is not None:
                    msg = f"certificate of {name} for {one.workgroups} workgroups: {why}"
                    raise InternalError(msg)
