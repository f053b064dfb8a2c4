"""Which checks options ask for, and a state of the two threads in which something fails, for people if possible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.launch import MOST_IN_GROUP
from synth_kernels.program import ID_WIDTH
from synth_kernels.terms import script

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import KernelCheck, ThreadPairState
    from synth_kernels.terms import Term
    from synth_solvers.answers import SolverAnswer
    from synth_solvers.client import Solver


def state_in_which(
    fails: Term,
    state: ThreadPairState,
    solver: Solver,
    preferred: Iterable[Iterable[tuple[Term, int]]],
    *,
    is_patient: bool = True,
) -> SolverAnswer:
    """Return a state in which something fails, with true products of ids and sizes.

    Each preference says which terms shall be below which numbers. The answer is that of the first that can be met, or
    else that without any. If the solver gives up on one, all others are left out unless it `is_patient`.
    """
    terms, exact = state.terms, state.products.exact
    for limits in preferred:
        small = [terms.apply("ult", (term, terms.constant(most, term.width))) for term, most in limits]
        if not small:
            continue
        answer = solver.ask(script([fails, exact, *small]))
        if answer.verdict == "sat":
            return answer
        if answer.verdict == "unknown" and not is_patient:
            break
    return solver.ask(script([fails, exact]))


def small_numbers(state: ThreadPairState, limits: Sequence[int]) -> Iterator[list[tuple[Term, int]]]:
    """Yield what a state should have if possible: small sizes and scalars, or else small sizes, or those of a device.

    Only numbers that may have several values are limited, and no scalars of few bits.
    """
    named = [(name, term) for name, term in state.ids[0].items() if term.value is None]
    sizes = [term for name, term in named if name.startswith(("lsize", "groups"))]
    scalars = [term for term in state.scalars.values() if term.value is None and term.width >= ID_WIDTH]
    for most in limits if sizes or scalars else ():
        yield [(term, most) for term in (*sizes, *scalars)]
    local = [term for name, term in named if name.startswith("lsize")]
    if sizes and scalars:
        yield [(term, limits[-1]) for term in sizes]
    if local:
        each = round(MOST_IN_GROUP ** (1 / len(local)))
        yield [(term, each + 1) for term in local]


def requested_checks(checks: list[KernelCheck], state: ThreadPairState, options: Options) -> list[KernelCheck]:
    """Return the checks that the options ask for. Those of what is known afterwards are always among them."""
    if options.only == "divergence":
        return [check for check in checks if check.kind in {"divergence", "assertion", "overflow", "base", "step"}]
    if not options.only:
        return checks
    if options.only == "with atomics":
        kinds = ("race", "benign")
        return [
            check
            for check in checks
            if check.kind not in kinds or "atomic" in {check.access and check.access.kind, check.other_kind}
        ]
    where = state.same_group if options.only == "intra-group" else state.terms.no(state.same_group)
    return [
        replace(check, fails=state.terms.all(check.fails, where)) if check.kind in {"race", "benign"} else check
        for check in checks
    ]
