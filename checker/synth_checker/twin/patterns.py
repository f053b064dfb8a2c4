"""Which patterns a model explains, directly from the definitions (section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.twin.models import history_product
from synth_checker.twin.verdicts import fails_strongly_among, fails_weakly_among

if TYPE_CHECKING:
    from synth_checker.models.expression import Expression

Threads = frozenset[int]


def with_flags(program: Program) -> Program:
    """Return a program whose threads take one more step at their ends, which changes nothing."""
    return Program(tuple(Thread((*thread, Instruction(0, 0, len(thread) + 1, None))) for thread in program))


def explained(program: Program, expression: Expression) -> dict[Threads, tuple[bool, bool]]:
    """Return, for each set of threads that may be live at once, whether each form of a model explains it.

    A form explains the set if it fails in a recurrent set of states in which these threads are live and no others. It
    also does if the fair set of such a state is empty, because then these threads may rest.
    """
    product = history_product(with_flags(program), expression)
    explanations = {}
    for live in {frozenset(row) for row in product.successors.values()} - {frozenset()}:
        states = {state for state, row in product.successors.items() if row.keys() == live}
        may_rest = any(not product.fair[state] for state in states)
        explanations[live] = (
            may_rest or fails_weakly_among(product, states),
            may_rest or fails_strongly_among(product, states),
        )
    return explanations
