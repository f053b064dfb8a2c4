"""r28 (ours): a counter that grows by a size, as in a loop over the grid, keeps its remainder by that size.

Trigger: each round adds to a counter a value that no loop changes, and that is the same for all threads. It comes from
sizes of the launch and scalars, so it is not known, and r10 says nothing. The candidates:

- the remainder of the counter by this value is what it was at entry;
- the counter is below three quarters of all numbers of its width, so the next round does not exceed this width;
- if an access is pending, and its offset is a multiple of the counter plus something fixed, then the watched location
  tells what the counter was. This number, too, has the remainder of the counter at entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.terms import Term


def size_strided(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r28 says."""
    terms = loop.terms
    for counter in loop.counters:
        if (found := _first_and_step(loop, counter.value)) is not None:
            first, step = found
            yield terms.equal(terms.apply("urem", (counter.value, step)), _remainder(loop, first, step))
            width = counter.value.width
            yield terms.apply("ult", (counter.value, loop.number(3 << (width - 2), width)))
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            found_here = [_where(loop, reach) for reach in reaches]
            known = [one for one in found_here if one is not None]
            if known and len(known) == len(found_here):
                yield terms.implies(loop.pending(key), terms.any(*dict.fromkeys(known)))


def _first_and_step(loop: LoopFacts, value: Term) -> tuple[Term, Term] | None:
    """Return the value at entry of a counter of any loop, and what each round adds, if that comes from sizes."""
    stride = loop.stride(value)
    if stride is None or set(stride[1]) <= {()} or not loop.is_known(stride[0]):
        return None
    step = loop.values.term(stride[1], value.width)
    same = {f"{word}.{number}" for word in ("lsize", "groups") for number in range(DIMENSIONS)}
    same |= {name for name, _ in loop.kernel.scalars}
    return (stride[0], step) if loop.values.leaves(step) <= same else None


def _where(loop: LoopFacts, reach: Reach) -> Term | None:
    """Return which remainder an access gives the watched location, if its offset has one such counter."""
    terms, values, sum_ = loop.terms, loop.values, loop.values.sum(reach.offset)
    for product, by in sum_.items():
        rest = {other: factor for other, factor in sum_.items() if other != product}
        if by >> 16 or len(product) != 1 or any(not loop.is_fixed(one) for other in rest for one in other):
            continue
        value = product[0].operands[0] if product[0].operator == "trunc" else product[0]
        if value.name and (found := _first_and_step(loop, value)) is not None:
            first, step = found
            place = terms.apply("sub", (loop.watched, values.term(rest, loop.watched.width))) if rest else loop.watched
            is_multiple = terms.equal(loop.remainder(place, by), loop.number(0)) if by > 1 else terms.true
            place = terms.apply("udiv", (place, loop.number(by))) if by > 1 else place
            place = terms.extended(place, value.width)
            same = terms.equal(terms.apply("urem", (place, step)), _remainder(loop, first, step))
            return terms.all(is_multiple, same)
    return None


def _remainder(loop: LoopFacts, first: Term, step: Term) -> Term:
    """Return the remainder of the value at entry, which is this value if it is an id."""
    is_id = any(name.startswith(("lid.", "gid.")) for name in loop.values.leaves(first))
    return first if is_id else loop.terms.apply("urem", (first, step))
