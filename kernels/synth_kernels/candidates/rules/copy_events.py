"""r27 (copies of an event): copies that nobody has waited for belong to an event that the loop hands on.

Trigger: a copy may be pending at the header of a loop, and the loop has a value for an event to wait for. The
candidate: a pending copy of an array belongs to this event, which is not 0. A loop that begins the copy of the next
round needs this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.pair.touches import SETTLED
from synth_kernels.program import ID_WIDTH, Barrier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def copy_events(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r27 says."""
    keys = [key for key in loop.keys if key[1] in SETTLED]
    if not keys:
        return
    steps = [instruction for instruction in loop.kernel.steps if isinstance(instruction, Barrier)]
    names = {name for step in steps for event in step.waits for name in loop.values.leaves(loop.values.of(event))}
    for name, width in loop.header.parameters:
        if name in names and width == ID_WIDTH:
            event = loop.values.of(name)
            same = loop.terms.equal(loop.word("watched.event", ID_WIDTH), event)
            is_one = loop.terms.no(loop.terms.equal(event, loop.number(0)))
            for key in keys:
                yield loop.terms.implies(loop.pending(key), loop.terms.all(same, is_one))
