"""r14 and r15 (pow2, pow2NotZero): a value that is doubled or halved is a power of two or 0, and not 0.

Trigger: each round multiplies the value by a power of two, or divides it by one. r14 has two forms. One looks at the
bits, and the other one lists the numbers 0, 1, 2, 4 and so on to 2^15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopCounter, LoopFacts
    from synth_kernels.terms import Term

#: The powers of two that the finite form has.
POWERS = 16


def power_of_two(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r14 says."""
    terms = loop.terms
    for counter in loop.counters:
        if grows(loop, counter) or shrinks(counter):
            value, width = counter.value, counter.value.width
            below = terms.apply("sub", (value, loop.number(1, width)))
            yield terms.equal(terms.apply("and", (value, below)), loop.number(0, width))
            numbers = [0, *(1 << power for power in range(min(POWERS, width)))]
            yield terms.any(*(terms.equal(value, loop.number(number, width)) for number in numbers))


def not_zero(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r15 says."""
    for counter in loop.counters:
        if grows(loop, counter) or shrinks(counter):
            yield loop.terms.no(loop.terms.equal(counter.value, loop.number(0, counter.value.width)))


def grows(loop: LoopFacts, counter: LoopCounter) -> bool:
    """Return whether some round multiplies a value by a power of two, also as a sum with itself."""
    sums = [loop.values.sum(step) for step in counter.steps]
    return any(
        set(sum_) == {(counter.value,)} and (by := sum_[counter.value,]) > 1 and by & (by - 1) == 0 for sum_ in sums
    )


def shrinks(counter: LoopCounter) -> bool:
    """Return whether some round divides a value by a power of two."""
    return any(
        step.operator in {"lshr", "ashr", "udiv", "sdiv"}
        and step.operands[0] is counter.value
        and (by := step.operands[1].value) is not None
        and (step.operator in {"lshr", "ashr"} or (by > 1 and by & (by - 1) == 0))
        for step in counter.steps
    )
