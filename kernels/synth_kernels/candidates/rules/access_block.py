"""r19 (ours): a pending access lies between where the loop began and where it is now, or where it will end.

Trigger: an offset is a fixed value and a multiple of a counter, which grows or falls by a fixed number in each round.
The first candidate: the distance of the watched location from the first offset is below that of the present offset.

The second candidate: the distance from the lowest offset is below the number of places that the counters can reach. It
counts loops in this loop, too, if a test says where each of them ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.loop_end import ends_of
from synth_kernels.candidates.values import added, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.candidates.values import Sum
    from synth_kernels.terms import Term

_LIMIT = (1 << 32) - 1
_NEGATIVE = 1 << 31


def access_block(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r19 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            for where in (_until_now, _until_end):
                found = [where(loop, reach) for reach in reaches]
                known = [term for term in found if term is not None]
                if known and len(known) == len(found):
                    yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(known)))


def _until_now(loop: LoopFacts, reach: Reach) -> Term | None:
    """Return that the watched location is where an access of this loop has been so far, or is that of another one."""
    terms, values = loop.terms, loop.values
    now = values.sum(reach.offset)
    if not all(loop.is_known(term) for product in now for term in product):
        return None
    start, falls = now, False
    for product, by in now.items():
        step = loop.stride(product[0]) if len(product) == 1 and not loop.is_fixed(product[0]) else None
        if step is not None and loop.is_known(step[0]):
            start = added(start, {product: by}, _LIMIT, -1)
            start = added(start, scaled(values.sum(step[0]), by, _LIMIT), _LIMIT)
            falls = (step[1].get((), 0) >= _NEGATIVE) != (by >= _NEGATIVE)
    if any(not loop.is_fixed(term) for product in start for term in product):
        return None
    if start == now:
        return terms.equal(loop.watched, values.term(now, 32))
    far, here = (values.term(term, 32) for term in (start, now))
    distances = (loop.watched, far), (here, far)
    if falls:
        distances = (far, loop.watched), (far, here)
    return terms.apply("ult", tuple(terms.apply("sub", pair) for pair in distances))


def _until_end(loop: LoopFacts, reach: Reach) -> Term | None:
    """Return that the watched location is where an access may be between the beginning and the end of all loops."""
    terms, values = loop.terms, loop.values
    sum_, length = values.sum(reach.offset), _one()
    for product, by in list(sum_.items()):
        if all(loop.is_fixed(term) for term in product):
            continue
        reached = _extent(loop, product) if by < _NEGATIVE else None
        if reached is None:
            return None
        first, most = reached
        sum_ = added(sum_, {product: by}, _LIMIT, -1)
        sum_ = added(sum_, scaled(first, by, _LIMIT), _LIMIT)
        length = added(length, scaled(most, by, _LIMIT), _LIMIT)
    if any(not loop.is_fixed(term) for part in (sum_, length) for product in part for term in product):
        return None
    distance = terms.apply("sub", (loop.watched, values.term(sum_, 32)))
    return terms.apply("ult", (distance, values.term(length, 32)))


def _one() -> Sum:
    return {(): 1}


def _extent(loop: LoopFacts, product: Sequence[Term]) -> tuple[Sum, Sum] | None:
    """Return the least value of a counter, and how far it gets from there at most."""
    step = loop.stride(product[0]) if len(product) == 1 else None
    if step is None or set(step[1]) != {()} or not 0 < step[1][()] < _NEGATIVE:
        return None
    first = loop.values.sum(step[0])
    for end in ends_of(loop, product[0]):
        last = added(loop.values.sum(end), {(): 1}, _LIMIT, -1)
        return first, added(last, first, _LIMIT, -1)
    return None
