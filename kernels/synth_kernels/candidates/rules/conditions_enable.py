"""r5 (conditionsImplyingEnabledness): a thread that entered the loop and does not leave by a test is in it.

Trigger: a test of the loop of which the header knows the value. The candidates: if the test lets the thread stay, the
thread is in the loop, and the other way round for a test at the bottom, which counts for the round before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def conditions_enable(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r5 says."""
    for test in loop.tests:
        if loop.is_known(test):
            yield loop.terms.implies(test, loop.word("enabled"))
