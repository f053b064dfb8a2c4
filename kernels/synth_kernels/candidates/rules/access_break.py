"""r0 (accessBreak): an id of the thread that accessed a place is a digit of the number of this place.

Trigger: all accesses of a kind to an array have one offset, a sum of ids and of other values with numbers as factors.
The candidate: if an access is pending, then each id is what is left of the watched location after it was divided by the
factor of the id, without what the larger factors take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import IDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.candidates.values import Sum
    from synth_kernels.terms import Term


def access_break(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r0 says."""
    for key in loop.keys:
        sums = [loop.values.sum(reach.offset) for reach in loop.accesses(key)]
        if all(one == sums[0] for one in sums):
            for fact in _digits(loop, sums[0]):
                yield loop.terms.implies(loop.pending(key), fact)


def _digits(loop: LoopFacts, sum_: Sum) -> Iterator[Term]:
    terms, values = loop.terms, loop.values
    loose = {product: by for product, by in sum_.items() if not _is_settled(loop, product)}
    settled = {product: by for product, by in sum_.items() if product not in loose}
    place = loop.watched
    if settled:
        place = terms.apply("sub", (place, values.term(settled, place.width)))
    factors = sorted(set(loose.values()))
    for product, factor in loose.items():
        if len(product) == 1 and product[0].name in IDS:
            larger = next((one for one in factors if one > factor), 0)
            rest = loop.remainder(place, larger) if larger else place
            digit = terms.apply("udiv", (rest, loop.number(factor))) if factor > 1 else rest
            yield terms.equal(digit, product[0])


def _is_settled(loop: LoopFacts, product: tuple[Term, ...]) -> bool:
    """Return whether a product is a known one, and no single id."""
    is_id = len(product) == 1 and product[0].name in IDS and not product[0].name.startswith(("lsize", "groups"))
    return not is_id and all(loop.is_fixed(one) for one in product)
