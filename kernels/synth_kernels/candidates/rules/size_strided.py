"""r28 (ours): a counter that grows by a size, as in a loop over the grid, keeps its remainder by that size.

Trigger: each round adds to a counter a value that no loop changes, and that is the same for all threads. It comes from
sizes of the launch and scalars, so it is not known, and r10 says nothing. What the counter is at entry may be an id
plus something that is the same for all threads, which is taken away first. The candidates:

- the remainder of the counter by this value is what it was at entry;
- the counter is below three quarters of all numbers of its width, so the next round does not exceed this width;
- if an access is pending, and its offset is a multiple of the counter plus something fixed, then the watched location
  tells what the counter was. This number, too, has the remainder of the counter at entry.

The first two are also said of threads for which the tests hold that stand before an access at the counter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.candidates.values import add_sums, scale_sum
from synth_kernels.program import DIMENSIONS, ID_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, ReachingAccess
    from synth_kernels.candidates.values import Sum
    from synth_kernels.terms import Term


class _SizeStride(NamedTuple):
    """A counter: what is taken away from it, the remainder that it then has, and what each round adds."""

    less: Sum
    remainder: Term
    step: Term


def size_strided(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r28 says."""
    terms = loop.terms
    for counter in loop.counters:
        if (stride := _stride_by_sizes(loop, counter.value)) is not None:
            value, width = counter.value, counter.value.width
            limit = terms.apply("ult", (value, loop.number(3 << (width - 2), width)))
            for tests in _tests(loop, value):
                yield terms.implies(tests, _has_same_remainder(loop, value, stride))
                yield terms.implies(tests, limit)
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            places = [_where(loop, reach) for reach in reaches]
            known = [place for place in places if place is not None]
            if known and len(known) == len(places):
                yield terms.implies(loop.pending(key), terms.any(*dict.fromkeys(known)))


def _stride_by_sizes(loop: LoopFacts, value: Term) -> _SizeStride | None:
    """Return what is known of a counter of any loop, if each round adds something that comes from sizes."""
    stride = loop.stride(value)
    if stride is None or set(stride[1]) <= {()} or not loop.is_known(stride[0]):
        return None
    step, first, limit = loop.values.term(stride[1], value.width), loop.values.sum(stride[0]), (1 << value.width) - 1
    if not loop.values.leaves(step) <= _same_for_all(loop):
        return None
    same = _same_for_all(loop)
    less = {product: by for product, by in first.items() if all(loop.values.leaves(term) <= same for term in product)}
    if less == first:
        return _SizeStride({}, loop.terms.apply("urem", (stride[0], step)), step)
    return _SizeStride(less, loop.values.term(add_sums(first, less, limit, -1), value.width), step)


def _same_for_all(loop: LoopFacts) -> set[str]:
    same = {f"{word}.{number}" for word in ("lsize", "groups") for number in range(DIMENSIONS)}
    return same | {name for name, _ in loop.kernel.scalars}


def _tests(loop: LoopFacts, value: Term) -> list[Term]:
    """Return what holds before accesses of the loop at a counter, or that this is always so."""
    tests = [
        loop.terms.all(*filter(loop.is_fixed, reach.guards))
        for reach in loop.in_loop(loop.reaching)
        if value.name in loop.values.leaves(reach.offset)
    ]
    return list(dict.fromkeys(tests)) or [loop.terms.true]


def _has_same_remainder(loop: LoopFacts, value: Term, stride: _SizeStride) -> Term:
    """Return that a value has the remainder of a counter."""
    less = scale_sum(stride.less, -1, (1 << value.width) - 1)
    value = loop.terms.apply("add", (value, loop.values.term(less, value.width)))
    return loop.terms.equal(loop.terms.apply("urem", (value, stride.step)), stride.remainder)


def _where(loop: LoopFacts, reach: ReachingAccess) -> Term | None:
    """Return which remainder an access gives the watched location, if its offset has one such counter."""
    terms, values, sum_ = loop.terms, loop.values, loop.values.sum(reach.offset)
    for product, by in sum_.items():
        rest = {other: factor for other, factor in sum_.items() if other != product}
        if (
            by >> (ID_WIDTH // 2)
            or len(product) != 1
            or any(not loop.is_fixed(term) for other in rest for term in other)
        ):
            continue
        value = product[0].operands[0] if product[0].operator == "trunc" else product[0]
        if value.name and (stride := _stride_by_sizes(loop, value)) is not None:
            place = terms.apply("sub", (loop.watched, values.term(rest, ID_WIDTH))) if rest else loop.watched
            is_multiple = terms.equal(loop.remainder(place, by), loop.number(0)) if by > 1 else terms.true
            place = terms.apply("udiv", (place, loop.number(by))) if by > 1 else place
            return terms.all(is_multiple, _has_same_remainder(loop, terms.extended(place, value.width), stride))
    return None
