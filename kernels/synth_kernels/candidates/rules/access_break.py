"""r0 (accessBreak): an id of the thread that accessed a place is a digit of the number of this place.

Trigger: an offset is a sum of ids and of other values with numbers as factors. A counter that grows by a number in each
round stands for its value at entry and a multiple of that number. The candidate: if an access is pending, then an id is
what is left of the watched location after it was divided by the factor of the id, without what larger factors take.

If the factor is negative, the distance of the id from the last one stands for the id. All accesses of a kind to an
array must give the same. There are two forms: a constant in the offset is taken away before, or it is not. There are
none with factors that are no powers of two where r25 has each place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules import few_places
from synth_kernels.candidates.values import added, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.candidates.values import Sum
    from synth_kernels.terms import Term

_LIMIT = (1 << 32) - 1
#: Counters may begin with counters of loops around theirs, so many times.
_DEPTH = 8


def access_break(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r0 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            facts = [
                dict.fromkeys(fact for always in (False, True) for fact in _of_access(loop, reach, always=always))
                for reach in reaches
            ]
            for fact in facts[0] if facts else ():
                if all(fact in others for others in facts):
                    yield loop.terms.implies(loop.pending(key), fact)


def _of_access(loop: LoopFacts, reach: Reach, *, always: bool) -> Iterator[Term]:
    """Yield what an access says of the ids. With `always`, it holds in all rounds of loops around this one, too."""
    sum_, steps = _expanded(loop, loop.values.sum(reach.offset), always=always)
    sum_, last = _from_last(loop, sum_)
    loose = {product: by for product, by in sum_.items() if not _is_settled(loop, product)}
    settled = {product: by for product, by in sum_.items() if product not in loose}
    ids = {product[0]: by for product, by in loose.items() if _is_id(product)}
    if len(set(ids.values())) != len(ids):
        return
    factors = sorted({*loose.values(), *steps})
    if any(mask.bit_count() > 1 for mask in factors) and few_places.places(loop, [reach], always=always) is not None:
        return
    for kept in dict.fromkeys((tuple(settled), tuple(product for product in settled if product))):
        rest = {product: settled[product] for product in kept}
        place = loop.watched
        if rest:
            place = loop.terms.apply("sub", (place, loop.values.term(rest, place.width)))
        for id_, factor in ids.items():
            larger = next((mask for mask in factors if mask > factor), 0)
            digit = loop.remainder(place, larger) if larger else place
            if factor > 1:
                digit = loop.terms.apply("udiv", (digit, loop.number(factor)))
            yield loop.terms.equal(digit, loop.terms.apply("sub", (last[id_], id_)) if id_ in last else id_)


def _from_last(loop: LoopFacts, sum_: Sum) -> tuple[Sum, dict[Term, Term]]:
    """Return a sum in which ids with negative factors count from the last one, and the last id for each of them."""
    found = {}
    for product, by in list(sum_.items()):
        if _is_id(product) and by > _LIMIT // 2:
            id_ = product[0]
            size = loop.word(id_.name.replace("lid", "lsize").replace("gid", "groups"), id_.width)
            found[id_] = loop.terms.apply("sub", (size, loop.number(1)))
            sum_ = added(sum_, {product: by}, _LIMIT, -2)
            sum_ = added(sum_, scaled(loop.values.sum(found[id_]), by, _LIMIT), _LIMIT)
    return sum_, found


def _expanded(loop: LoopFacts, sum_: Sum, *, always: bool) -> tuple[Sum, list[int]]:
    """Return a sum with counters replaced by their values at entry, and the factors of what their rounds add."""
    steps = []
    for _ in range(_DEPTH):
        changed = False
        for product, by in list(sum_.items()):
            is_loose = len(product) == 1 and (always or not loop.is_fixed(product[0]))
            step = loop.stride(product[0]) if is_loose else None
            if step is not None and set(step[1]) == {()}:
                changed = True
                sum_ = added(sum_, {product: by}, _LIMIT, -1)
                sum_ = added(sum_, scaled(loop.values.sum(step[0]), by, _LIMIT), _LIMIT)
                grows = by * step[1][()] & _LIMIT
                steps.append(min(grows, _LIMIT + 1 - grows))
        if not changed:
            break
    return sum_, steps


def _is_id(product: tuple[Term, ...]) -> bool:
    return len(product) == 1 and product[0].name.startswith(("lid.", "gid."))


def _is_settled(loop: LoopFacts, product: tuple[Term, ...]) -> bool:
    """Return whether a product is a known one, and no single id."""
    return not _is_id(product) and all(loop.is_fixed(term) for term in product)
