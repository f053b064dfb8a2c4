"""The plain encoding: the tests of a split as one formula, for certificates.

This encoding follows the definitions alone. It shares no code with the other modules of `synth_encodings`, and it does
without what makes those fast: minimised clauses, permutations of threads, and loop formulas that are added while the
solver runs. Each value of a field has a variable of its own, and every least fixpoint has ranks.
So the formula is complete before it is solved, and a solver can prove that it is unsatisfiable.
docs/understand/certificates.md explains each family of clauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import LimitError
from synth_encodings.plain import rules
from synth_encodings.plain.fields import Fields
from synth_encodings.plain.fixpoints import non_termination_cycle, possible_termination, reachability
from synth_encodings.plain.formula import Formula
from synth_encodings.plain.states import States, count_states
from synth_encodings.plain.step import Steps

if TYPE_CHECKING:
    from collections.abc import Collection

#: The most states (memory, pcs) of a split. More states would need millions of clauses.
MAX_STATES = 1024


def plain_formula(
    sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()
) -> tuple[Formula, Fields]:
    """Return the formula whose solutions are the tests of a split, and the variables of the instructions' fields.

    `sizes` are the numbers of instructions of the threads, in any order. The rules in `without` are dropped.

    Raises:
        LimitError: the split has more than `MAX_STATES` states.
    """
    check_size(sizes, locations, values)
    formula = Formula()
    fields = Fields(formula, sizes, locations, values)
    rules.normal_form(formula, fields, keep_store_checks="meaningful-comparisons" in without)
    if "inter-thread-influence" not in without:
        rules.inter_thread_influence(formula, fields)
    steps = Steps(formula, fields)
    states = States(formula, fields, steps)
    reachability(formula, states)
    possible_termination(formula, states)
    non_termination_cycle(formula, states)
    executions = rules.PlainExecutions(formula, states)
    executions.executed()
    if "all-branches" not in without:
        executions.all_branches(fields, steps)
    if "effective-stores" not in without:
        executions.effective_stores(fields, steps)
    return formula, fields


def check_size(sizes: tuple[int, ...], locations: int, values: int) -> None:
    """Raise LimitError if a split has too many states for `plain_formula`."""
    states = count_states(sizes, locations, values)
    if states > MAX_STATES:
        split = "+".join(map(str, sizes))
        shown = f"{states:,}" if states < 10**9 else "more than a thousand million"
        problem = f"split {split}: a program of this split has {shown} possible states"
        raise LimitError(f"{problem}, expected at most {MAX_STATES:,} for a certificate")
