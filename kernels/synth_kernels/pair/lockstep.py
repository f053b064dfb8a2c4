"""Warps in lockstep: accesses at which two threads of a warp are both there need no barrier between them.

GPUVerify calls this warp synchronisation (Bardsley et al. 2014). Before an access at which both threads are, pending
accesses of thread 1 to the same array are forgotten, if they conflict with it. Behind it, the access itself is. So one
instruction still races with itself, and the two sides of a branch race with each other.

We deviate in two points. Both threads have to be there. If neither is, nothing is known of the order in which the warp
goes through the sides of a branch around. And since other threads of the warp may store at any time, what arrays hold
is not followed if the kernel writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.terms import Term, Terms


def warp_number(terms: Terms, ids: Mapping[str, Term], warp: int) -> Term:
    """Return the number of the warp of a thread in its group, by its local ids and sizes."""

    def times_size(number: Term, dimension: int) -> Term:
        size = ids[f"lsize.{dimension}"]
        return number if size.value == 1 else terms.apply("mul", (number, size))

    linear = ids["lid.2"]
    for dimension in (1, 0):
        linear = terms.apply("add", (times_size(linear, dimension), ids[f"lid.{dimension}"]))
    if warp & (warp - 1) == 0:
        return terms.apply("lshr", (linear, terms.constant(warp.bit_length() - 1, ID_WIDTH)))
    return terms.apply("udiv", (linear, terms.constant(warp, ID_WIDTH)))
