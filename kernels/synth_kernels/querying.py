"""Which checks options ask for, and a state of the two threads in which something fails, for people if possible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH
from synth_kernels.terms import script

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import Check, State
    from synth_kernels.terms import Term
    from synth_solvers.answers import Answer
    from synth_solvers.asking import Solver


def state_in_which(
    fails: Term, state: State, solver: Solver, preferred: Sequence[Iterable[tuple[Term, int]]]
) -> Answer:
    """Return a state in which something fails, with true products of ids and sizes.

    Each preference says which terms shall be below which numbers. The answer is that of the first that can be met, or
    else that without any.
    """
    terms, exact = state.terms, state.products.exact
    for limits in preferred:
        small = [terms.apply("ult", (term, terms.constant(most, term.width))) for term, most in limits]
        if small and (answer := solver.ask(script([fails, exact, *small]))).verdict == "sat":
            return answer
    return solver.ask(script([fails, exact]))


def open_numbers(state: State) -> list[Term]:
    """Return the sizes and scalars that may have several values, but for scalars of few bits."""
    sizes = [term for name, term in state.ids[0].items() if name.startswith(("lsize", "groups"))]
    return [term for term in (*sizes, *state.scalars.values()) if term.value is None and term.width >= ID_WIDTH]


def asked_for(checks: list[Check], state: State, options: Options) -> list[Check]:
    """Return the checks that the options ask for. Those of what is known afterwards are always among them."""
    if options.only == "divergence":
        return [check for check in checks if check.kind in {"divergence", "assertion", "overflow", "base", "step"}]
    if not options.only:
        return checks
    where = state.same_group if options.only == "intra-group" else state.terms.no(state.same_group)
    return [
        replace(check, fails=state.terms.all(check.fails, where)) if check.kind in {"race", "benign"} else check
        for check in checks
    ]
