"""r26 (ours): a pending write has stored a value that is known, at the place of that write.

Trigger: the loop does not change what a write stores, or the difference of this and of the offset. Two writes of the
same value are no race, so such a write races with no other one that stores the same there. All writes to the array that
may be pending must give such a value. A second candidate is about writes in the loop only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.accessed_offsets import place
from synth_kernels.candidates.values import added

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.terms import Term

_LIMIT = (1 << 32) - 1


def stored_value(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r26 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))) if key[1] == "write" else ():
            found = [_of_write(loop, reach) for reach in reaches]
            known = [one for one in found if one is not None]
            if known and len(known) == len(found):
                yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(known)))


def _of_write(loop: LoopFacts, reach: Reach) -> Term | None:
    """Return what a write has stored, and where if r1 knows this; None if the value is not known."""
    terms, width = loop.terms, loop.kernel.array(reach.access.array).width
    if reach.access.count or reach.access.width != width or width == 1:
        return None
    stored, value = loop.word(f"stored.{reach.access.array}", width), loop.values.of(reach.access.value)
    if not loop.is_fixed(value):
        if width != loop.watched.width:
            return None
        more = loop.values.term(added(loop.values.sum(value), loop.values.sum(reach.offset), _LIMIT, -1), width)
        value = terms.apply("add", (loop.watched, more))
        if not loop.is_fixed(more):
            return None
    where = place(loop, reach, only_powers=True)
    return terms.all(terms.equal(stored, value), terms.true if where is None else where)
