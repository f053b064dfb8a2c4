"""Prove the verdicts on launches, and have a checker accept each proof that shares nothing with what made it.

A proof is made from the space of a launch. It is checked against a system that computes the states itself
(`synth_kernels.progress.certificates`). In such a proof, no arrivals at barriers are merged.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.certificates import verdict_of
from synth_checker.certificates.product import MAX_STATES
from synth_checker.errors import InputError, InternalError
from synth_kernels.needs import NeedStoppedError
from synth_kernels.needs.premises import reason_of
from synth_kernels.progress.certificates import refusal, system_of
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.verdicts import certificate_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.needs import Needs


def certify(needs: Needs, must_stop: Callable[[], bool] = lambda: False) -> None:
    """Prove each verdict on the launches of a kernel, and check the proofs. `must_stop` is asked now and then.

    The proofs are about launches in which each arrival at a barrier is a step of its own.

    Raises:
        StoppedError: it said so.
        InputError: variables that are not set decide something, or the scopes of atomic accesses are too narrow.
        LimitError: a launch has too many states for a certificate.
        InternalError: the checker refuses a proof, or a proof shows another verdict.
    """

    def tick(_states: int = 0) -> None:
        if must_stop():
            raise NeedStoppedError

    if needs.is_open:
        raise InputError(f"--certify: {reason_of(needs)}")
    for launch in needs.launches:
        if not launch.space.machine.case.is_whole:
            raise InputError(
                f"{needs.kernel.name}: found variables that decide something and are not set, expected none to certify"
            )
        machine = copy.copy(launch.space.machine)
        machine.rules = replace(machine.rules, merges=False)
        space = explore_fast(machine, MAX_STATES, tick)
        system = system_of(machine)
        for model in needs.query.known_models:
            for form, name in zip(model.forms, model.verdicts, strict=True):
                tick()
                proof = certificate_of(space, model, form)
                why = refusal(proof, space, system, model, form)
                if why is None and (verdict_of(proof) == "pass") != launch.passes[name]:
                    why = f"found a proof of {verdict_of(proof)}, expected one of the opposite"
                if why is not None:
                    raise InternalError(f"certificate of {name} for {launch.workgroups} workgroups: {why}")
