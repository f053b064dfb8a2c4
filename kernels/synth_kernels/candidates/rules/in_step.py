"""r29 (ours): counters to which each round adds different numbers move in step.

Trigger: each round adds a number to two counters, such as an index and the number of the round, and one of these
numbers is a multiple of the other one. The candidate: what the rounds have added to one counter is this multiple of
what they have added to the other one. So a test of one of them bounds both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import to_signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def in_step(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r29 says."""
    terms = loop.terms
    moved: dict[int, list[tuple[int, Term]]] = {}
    tested = {counter.value for counter in loop.tested}
    for counter in sorted(loop.counters, key=lambda counter: counter.value not in tested):
        step, width = loop.stride(counter.value), counter.value.width
        if counter in loop.deciding and step is not None and set(step[1]) == {()} and loop.is_known(step[0]):
            delta = to_signed(step[1][()], width)
            moved.setdefault(width, []).append((delta, terms.apply("sub", (counter.value, step[0]))))
    for width, moves in moved.items():
        least, of_least = min(moves, key=lambda fit: abs(fit[0]))
        for delta, of_other in moves:
            if of_other is not of_least and delta % least == 0:
                times = terms.apply("mul", (of_least, loop.number(delta // least, width)))
                yield terms.equal(of_other, times)
