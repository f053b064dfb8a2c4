"""r26 (ours): a pending write has stored a value that is known, at the place of that write.

Trigger: the loop does not change what a write stores, or the difference of this and of the offset. Two writes of the
same value are no race, so such a write races with no other one that stores the same there. All writes to the array that
may be pending must give such a value. A second candidate is about writes in the loop only. Tests that the loop does not
change hold for a write behind them, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.values import added

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.terms import Term

_LIMIT = (1 << 32) - 1
#: A write stores at most so many elements.
_MOST_UNITS = 4


def stored_value(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r26 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))) if key[1] == "write" else ():
            found = [_of_write(loop, reach) for reach in reaches]
            known = [term for term in found if term is not None]
            if known and len(known) == len(found):
                yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(known)))


def _of_write(loop: LoopFacts, reach: Reach) -> Term | None:
    """Return what a write has stored, where, and behind which tests; None if the value is not known."""
    terms, width, access = loop.terms, loop.kernel.array(reach.access.array).width, reach.access
    if access.count or access.width // width > _MOST_UNITS or width == 1:
        return None
    found = []
    for unit in range(access.width // width):
        if (value := _stored(loop, reach, unit, width)) is None:
            return None
        stored = terms.equal(loop.word(f"stored.{access.array}", width), value)
        found.append(terms.all(stored, _where(loop, reach, unit)))
    return terms.all(*filter(loop.is_fixed, reach.guards), terms.any(*found))


def _where(loop: LoopFacts, reach: Reach, unit: int) -> Term:
    """Return that the watched location is some element of a write, as far as it is known where that is."""
    if (known := loop.congruence(loop.values.sum(reach.offset))) is None:
        return loop.terms.true
    sum_, modulus = known
    element = loop.values.term(added(sum_, {(): unit}, _LIMIT), loop.watched.width)
    modulus &= -modulus
    sides = [loop.remainder(side, modulus) if modulus else side for side in (loop.watched, element)]
    return loop.terms.equal(*sides)


def _stored(loop: LoopFacts, reach: Reach, unit: int, width: int) -> Term | None:
    """Return what a write has stored in one of its elements."""
    terms, value = loop.terms, loop.values.of(reach.access.value)
    if value.width > width:
        shifted = terms.apply("lshr", (value, loop.number(unit * width, value.width)))
        value = terms.apply("trunc", (shifted,), width)
    if loop.is_fixed(value):
        return value
    if width != loop.watched.width or reach.access.width != width:
        return None
    more = loop.values.term(added(loop.values.sum(value), loop.values.sum(reach.offset), _LIMIT, -1), width)
    return terms.apply("add", (loop.watched, more)) if loop.is_fixed(more) else None
