"""r22 (ours): values that change places in each round, such as two buffers, or a value that changes between 0 and 1.

Trigger: the step of each of some values is another one of them, or the step of a value is 1 minus the value itself. The
candidates: the values at entry stand in one of the orders that rounds give; a value is 0 or 1; the sum of a value that
changes so and of another one stays.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.candidates.loops import Counter, LoopFacts
    from synth_kernels.terms import Term


def toggles(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r22 says."""
    for ring in _rings(loop):
        yield from _turned(loop, ring)
    flipped = [
        counter for counter in loop.counters if any(_is_flipped(loop, counter.value, step) for step in counter.steps)
    ]
    for counter in flipped:
        yield loop.terms.apply("ule", (counter.value, loop.number(1, counter.value.width)))
    for first, second in itertools.combinations(loop.counters, 2):
        if first.value.width == second.value.width and (first in flipped or second in flipped):
            yield from _sum_stays(loop, first, second)


def _rings(loop: LoopFacts) -> Iterator[list[Counter]]:
    """Yield values of which each gets that of the next one in each round, and the last one that of the first."""
    after = {counter.value: counter.steps[0] for counter in loop.counters if len(counter.steps) == 1}
    counters = {counter.value: counter for counter in loop.counters}
    seen: set[Term] = set()
    for first in after:
        ring = [first]
        while (following := after.get(ring[-1])) in after and following not in ring:
            ring.append(following)
        if len(ring) > 1 and following is first and first not in seen:
            seen.update(ring)
            yield [counters[term] for term in ring]


def _turned(loop: LoopFacts, ring: Sequence[Counter]) -> Iterator[Term]:
    terms, first = (
        loop.terms,
        [counter.initial for counter in ring if counter.initial is not None and loop.is_known(counter.initial)],
    )
    if len(first) == len(ring):
        orders = ([*first[turn:], *first[:turn]] for turn in range(len(ring)))
        yield terms.any(*(terms.all(*map(terms.equal, (counter.value for counter in ring), order)) for order in orders))


def _sum_stays(loop: LoopFacts, first: Counter, second: Counter) -> Iterator[Term]:
    if first.initial is not None and second.initial is not None:
        before = loop.terms.apply("add", (first.initial, second.initial))
        if loop.is_known(before):
            yield loop.terms.equal(loop.terms.apply("add", (first.value, second.value)), before)


def _is_flipped(loop: LoopFacts, value: Term, step: Term) -> bool:
    if step.operator == "xor":
        return value in step.operands and any(operand.value is not None for operand in step.operands)
    sum_ = loop.values.sum(step)
    return set(sum_) == {(), (value,)} and sum_[value,] == (1 << value.width) - 1
