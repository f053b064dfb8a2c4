"""r17 (relationalPow2): while one value is doubled and another one is halved, their product stays a power of two.

Trigger: the loop doubles exactly one value, and halves exactly one of the same width, and r23 does not know what both
are at entry. The candidates, for n from 0 to 15: the product is 2^n; the product is 2^n, or the halved value is 0 and
the doubled one is 2^(n+1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.power_of_two import POWERS, grows, shrinks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def product_of_powers(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r17 says."""
    for term, other in doubled_and_halved(loop):
        if values_at_entry(loop, term, other) is not None:
            continue
        product, width = loop.terms.apply("mul", (term, other)), term.width
        for power in range(min(POWERS, width - 1)):
            is_power = loop.terms.equal(product, loop.number(1 << power, width))
            is_last = loop.terms.all(
                loop.terms.equal(other, loop.number(0, width)), loop.terms.equal(term, loop.number(2 << power, width))
            )
            yield is_power
            yield loop.terms.any(is_power, is_last)


def doubled_and_halved(loop: LoopFacts) -> list[tuple[Term, Term]]:
    """Return the value that the loop doubles and the one that it halves, if there is one of each."""
    doubled = [counter.value for counter in loop.counters if grows(loop, counter)]
    halved = [counter.value for counter in loop.counters if shrinks(counter)]
    if len(doubled) != 1 or len(halved) != 1 or doubled[0].width != halved[0].width:
        return []
    return [(doubled[0], halved[0])]


def values_at_entry(loop: LoopFacts, doubled: Term, halved: Term) -> tuple[Term, Term] | None:
    """Return what two counters are at entry, or None if one of them is not known at the header."""
    initial = {counter.value: counter.initial for counter in loop.counters}
    first, second = initial[doubled], initial[halved]
    if first is None or second is None or not loop.is_known(first) or not loop.is_known(second):
        return None
    return first, second
