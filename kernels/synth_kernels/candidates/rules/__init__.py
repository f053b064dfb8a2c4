"""The rules that make candidates, by their names. Each is a function in a module of its own.

r0 to r17 have the numbers that GPUVerify's rules have. The others are ours. A rule may guess, because what is no
invariant is found out. r4 and r6 are not here: the walk of two threads knows what they would say. A claim about pending
accesses holds for a thread that has entered the loop. A thread that has not entered it logs nothing there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from synth_checker.nearest import check_known
from synth_kernels.candidates.rules.access_block import access_block
from synth_kernels.candidates.rules.access_break import access_break
from synth_kernels.candidates.rules.access_guards import access_guards
from synth_kernels.candidates.rules.accessed_offsets import accessed_offsets
from synth_kernels.candidates.rules.conditions_enable import conditions_enable
from synth_kernels.candidates.rules.copy_events import copy_events
from synth_kernels.candidates.rules.few_places import few_places
from synth_kernels.candidates.rules.group_block import lower_bound, upper_bound
from synth_kernels.candidates.rules.guard_difference import guard_difference
from synth_kernels.candidates.rules.guard_non_negative import guard_non_negative
from synth_kernels.candidates.rules.in_step import in_step
from synth_kernels.candidates.rules.last_round import last_round
from synth_kernels.candidates.rules.loop_bound import loop_bound
from synth_kernels.candidates.rules.loop_end import loop_end
from synth_kernels.candidates.rules.nothing_pending import no_read, no_write
from synth_kernels.candidates.rules.power_of_two import not_zero, power_of_two
from synth_kernels.candidates.rules.predicated_equality import predicated_equality
from synth_kernels.candidates.rules.product_of_powers import product_of_powers
from synth_kernels.candidates.rules.product_stays import product_stays
from synth_kernels.candidates.rules.same_round import same_round
from synth_kernels.candidates.rules.same_warp import same_warp
from synth_kernels.candidates.rules.size_strided import size_strided
from synth_kernels.candidates.rules.stored_value import stored_value
from synth_kernels.candidates.rules.strided import strided
from synth_kernels.candidates.rules.toggles import toggles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


class Rule(Protocol):
    """A rule gets a loop, and gives formulas that may be invariants of it."""

    def __call__(self, loop: LoopFacts, /) -> Iterator[Term]:
        """Yield what may be an invariant of a loop."""
        ...


RULES: dict[str, Rule] = {
    "r0": access_break,
    "r1": accessed_offsets,
    "r2": lower_bound,
    "r3": upper_bound,
    "r5": conditions_enable,
    "r7": guard_difference,
    "r8": guard_non_negative,
    "r9": loop_bound,
    "r10": strided,
    "r11": same_round,
    "r12": no_read,
    "r13": no_write,
    "r14": power_of_two,
    "r15": not_zero,
    "r16": predicated_equality,
    "r17": product_of_powers,
    "r18": same_warp,
    "r19": access_block,
    "r20": loop_end,
    "r21": access_guards,
    "r22": toggles,
    "r23": product_stays,
    "r24": last_round,
    "r25": few_places,
    "r26": stored_value,
    "r27": copy_events,
    "r28": size_strided,
    "r29": in_step,
}
ALL = tuple(RULES)


def chosen_rules(only: Collection[str] = (), omitted: Collection[str] = ()) -> tuple[str, ...]:
    """Return the rules with these names, or all if there are none, without the omitted ones.

    Raises:
        InputError: no rule has this name.
    """
    for name in (*only, *omitted):
        check_known("rule", name, RULES)
    return tuple(name for name in RULES if (not only or name in only) and name not in omitted)
