"""r11 (loopPredicateEquality): both threads are in the loop, or neither is; also for threads of one group only.

Trigger: there is a barrier in the loop. Or one comes after it, and the loop has several ways out, so that the way of a
thread may decide whether it comes to the barrier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def same_round(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r11 says."""
    if loop.parts_threads:
        same = loop.uniform(loop.word("enabled"))
        yield same
        yield loop.terms.implies(loop.word("same_group"), same)
