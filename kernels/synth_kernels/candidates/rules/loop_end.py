"""r20 (ours): a counter is not beyond the end that its test names.

Trigger: a test compares a counter with a value that the loop does not change. The candidates: the comparison holds, or
the counter is equal to that value, or it is beyond it by less than a round adds.

A test at the bottom of a loop may compare what the counter is in the next round. Then the comparison holds for the
counter itself, or the counter is what it was at entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopCounter, LoopFacts
    from synth_kernels.terms import Term

_COMPARISONS = {"slt": "sle", "sle": "sle", "ult": "ule", "ule": "ule"}


def loop_end(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r20 says."""
    for test in loop.tests:
        for term in below([test]):
            if term.operator not in _COMPARISONS:
                continue
            for counter in loop.counters:
                for place in (0, 1):
                    if loop.is_fixed(term.operands[1 - place]):
                        yield from _of_comparison(loop, term, counter, place)


def _of_comparison(loop: LoopFacts, test: Term, counter: LoopCounter, place: int) -> Iterator[Term]:
    """Yield what a comparison of a counter says. The counter stands at a place, and the other place is fixed."""
    terms, weak = loop.terms, _COMPARISONS[test.operator]
    pair = (counter.value, test.operands[1]) if place == 0 else (test.operands[0], counter.value)
    if test.operands[place] in counter.steps:
        yield terms.apply(weak, pair)
        if counter.initial is not None and loop.is_known(counter.initial):
            yield terms.any(terms.apply(test.operator, pair), terms.equal(counter.value, counter.initial))
    elif test.operands[place] is counter.value:
        yield terms.apply(weak, pair)
        yield terms.apply(weak, pair[::-1])
        yield from _strides_beyond(loop, counter.value, test.operands[1 - place], weak)


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
        for term in below([test]):
            if term.operator in {"slt", "ult"} and term.operands[0] is counter and loop.is_fixed(term.operands[1]):
                yield term.operands[1]
