"""r9 (loopBound): a tested value only grows, or only falls: it is not below, or not above, its value at entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def loop_bound(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r9 says."""
    for counter in loop.tested:
        if counter.initial is not None and loop.is_known(counter.initial):
            for operator in ("sle", "ule"):
                yield loop.terms.apply(operator, (counter.value, counter.initial))
                yield loop.terms.apply(operator, (counter.initial, counter.value))
