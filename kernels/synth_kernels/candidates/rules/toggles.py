"""r22 (ours): two values that each round exchanges, or a value that changes between 0 and 1.

Trigger: the step of a value is the other value, or 1 minus the value itself. The candidates: the value is 0 or 1; the
values at entry stand in one of the two orders.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import Counter, LoopFacts
    from synth_kernels.terms import Term


def toggles(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r22 says."""
    flipped = [one for one in loop.counters if any(_is_flipped(loop, one.value, step) for step in one.steps)]
    for counter in flipped:
        yield loop.terms.apply("ule", (counter.value, loop.number(1, counter.value.width)))
    for first, second in itertools.combinations(loop.counters, 2):
        swaps = second.value in first.steps and first.value in second.steps
        if first.value.width == second.value.width and (swaps or first in flipped or second in flipped):
            yield from _sum_stays(loop, first, second)


def _sum_stays(loop: LoopFacts, first: Counter, second: Counter) -> Iterator[Term]:
    if first.initial is not None and second.initial is not None:
        before = loop.terms.apply("add", (first.initial, second.initial))
        if loop.is_known(before):
            yield loop.terms.equal(loop.terms.apply("add", (first.value, second.value)), before)


def _is_flipped(loop: LoopFacts, value: Term, step: Term) -> bool:
    if step.operator == "xor":
        return value in step.operands and any(one.value is not None for one in step.operands)
    sum_ = loop.values.sum(step)
    return set(sum_) == {(), (value,)} and sum_[value,] == (1 << value.width) - 1
