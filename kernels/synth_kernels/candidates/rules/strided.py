"""r10 (loopCounterIsStrided): a value to which each round adds the same keeps its remainder by that number.

Remainders by a power of two are kept if the value wraps around, so there is a second candidate with the largest power
of two that divides the number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def strided(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r10 says."""
    for counter in loop.counters:
        step = loop.stride(counter.value)
        if step is None or not loop.is_known(step[0]) or set(step[1]) != {()}:
            continue
        delta = min(step[1][()], (1 << counter.value.width) - step[1][()])
        for modulus in dict.fromkeys((delta, delta & -delta)):
            if modulus > 1:
                now, at_entry = (loop.remainder(side, modulus) for side in (counter.value, step[0]))
                yield loop.terms.equal(now, at_entry)
