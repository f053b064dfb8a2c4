"""r20 (ours): a counter is not beyond the end that its test names.

Trigger: a test compares a counter with a value that the loop does not change. The candidates: the comparison holds, or
the counter is equal to that value, or it is beyond it by less than a round adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term

_COMPARISONS = {"slt": "sle", "sle": "sle", "ult": "ule", "ule": "ule"}


def loop_end(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r20 says."""
    terms, own = loop.terms, {counter.value for counter in loop.counters}
    for test in loop.tests:
        for one in below([test.stays]):
            if one.operator not in _COMPARISONS:
                continue
            for place, counter in enumerate(one.operands):
                end = one.operands[1 - place]
                if counter not in own or not loop.is_fixed(end):
                    continue
                weak = _COMPARISONS[one.operator]
                for pair in (one.operands, one.operands[::-1]):
                    yield terms.apply(weak, pair)
                yield from _strides_beyond(loop, counter, end, weak)


def _strides_beyond(loop: LoopFacts, counter: Term, end: Term, weak: str) -> Iterator[Term]:
    """Yield that a counter that grows by a number, or falls, is beyond its end by less than that."""
    step = loop.stride(counter)
    if step is None or set(step[1]) != {()}:
        return
    last = loop.terms.apply("add", (end, loop.number(step[1][()] - 1, counter.width)))
    yield loop.terms.apply(weak, (counter, last))


def ends_of(loop: LoopFacts, counter: Term) -> Iterator[Term]:
    """Yield the values that a counter of this loop, or of one in it, does not reach, or does not exceed by a round."""
    for test in loop.inner_tests:
        for one in below([test.stays]):
            if one.operator in {"slt", "ult"} and one.operands[0] is counter and loop.is_fixed(one.operands[1]):
                yield one.operands[1]
