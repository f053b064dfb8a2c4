"""r11 (loopPredicateEquality): both threads are in the loop, or neither is; also for threads of one group only.

Trigger: there is a barrier in the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def same_round(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r11 says."""
    if loop.is_together:
        same = loop.uniform(loop.word("enabled"))
        yield same
        yield loop.terms.implies(loop.word("same_group"), same)
