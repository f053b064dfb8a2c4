"""r7 (guardMinusInitialIsUniform): what the loop has added to a tested value is the same for both threads.

Trigger: there is a barrier in the loop, and a value that the loop changes and tests. The candidate: the difference of
the value and its value at entry is uniform; also for threads of one group only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def guard_difference(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r7 says."""
    if not loop.is_together:
        return
    for counter in loop.tested:
        if counter.initial is not None and loop.is_known(counter.initial) and counter.initial.value is None:
            yield from loop.for_both(loop.uniform(loop.terms.apply("sub", (counter.value, counter.initial))))
