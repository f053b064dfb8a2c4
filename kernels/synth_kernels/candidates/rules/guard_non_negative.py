"""r8 (guardNonNeg): a value that is tested with its sign is not negative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def guard_non_negative(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r8 says."""
    signed = {
        name
        for test in loop.inner_tests
        for term in below([test])
        if term.operator in {"slt", "sle"}
        for name in loop.values.leaves(term)
    }
    for counter in loop.tested:
        if counter.value.name in signed:
            yield loop.terms.apply("sle", (loop.number(0, counter.value.width), counter.value))
