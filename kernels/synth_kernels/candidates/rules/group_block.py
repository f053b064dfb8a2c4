"""r2 and r3 (accessLowerBoundBlock, accessUpperBoundBlock): each group accesses a block of its own.

Trigger: an offset is c + y. The loop does not change c, in which exactly one group id occurs. It changes y. The
candidates: a pending access is not below c, and it is below the value of c for the next group. Both compare numbers
with sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.values import added

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.candidates.values import Sum
    from synth_kernels.pair.touches import Key
    from synth_kernels.terms import Term


def lower_bound(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r2 says."""
    for key, first, _ in _blocks(loop):
        yield loop.terms.implies(loop.pending(key), loop.terms.apply("sle", (first, loop.watched)))


def upper_bound(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r3 says."""
    for key, _, end in _blocks(loop):
        yield loop.terms.implies(loop.pending(key), loop.terms.apply("slt", (loop.watched, end)))


def _blocks(loop: LoopFacts) -> Iterator[tuple[Key, Term, Term]]:
    """Yield where the block of a group begins and ends, for the offsets of each array and kind of access."""
    limit, values = (1 << loop.watched.width) - 1, loop.values
    for key in loop.keys:
        for reach in loop.accesses(key):
            sum_ = values.sum(reach.offset)
            fixed = {product: by for product, by in sum_.items() if all(loop.is_fixed(term) for term in product)}
            own = {product: by for product, by in fixed.items() if any(term.name.startswith("gid") for term in product)}
            groups = {factor for product in own for factor in product if factor.name.startswith("gid")}
            if len(groups) == 1 and fixed != sum_:
                first = {product: by for product, by in fixed.items() if product in own or _is_uniform(product)}
                end = added(first, _without(own, groups.pop()), limit)
                yield key, values.term(first, loop.watched.width), values.term(end, loop.watched.width)


def _is_uniform(product: tuple[Term, ...]) -> bool:
    return not any(term.name.startswith("lid") for term in product)


def _without(sum_: Sum, id_: Term) -> Sum:
    """Return what a sum grows by if an id that is a factor of each product grows by 1."""
    found: Sum = {}
    for product, by in sum_.items():
        rest = list(product)
        rest.remove(id_)
        found = added(found, {tuple(rest): by}, (1 << id_.width) - 1)
    return found
