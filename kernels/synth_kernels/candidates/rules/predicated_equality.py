"""r16 (predicatedEquality): what a loop with a barrier changes is the same for two threads that are both in it.

Also for threads of one group only, and if the barrier comes after a loop with several ways out. Only values that may
decide a branch or an offset are of interest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def predicated_equality(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r16 says."""
    if loop.parts_threads:
        for counter in loop.deciding:
            yield from loop.for_both(loop.uniform(counter.value))
