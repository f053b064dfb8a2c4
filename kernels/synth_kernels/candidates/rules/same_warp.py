"""r18 (sameWarpNoaccess): threads of one warp have no pending access at the header of a loop.

Trigger: the launch has warps in lockstep. The candidate: if both threads are in the same warp, the access is not
pending. There is one for each array and kind of access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.pair.lockstep import warp_number
from synth_kernels.pair.touches import SETTLED
from synth_kernels.program import ID_WIDTH, IDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def same_warp(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r18 says."""
    if not loop.warp:
        return
    terms = loop.terms
    number = warp_number(terms, {name: loop.word(name, ID_WIDTH) for name in IDS}, loop.warp)
    together = terms.all(loop.word("same_group"), loop.uniform(number))
    for key in loop.keys:
        if key[1] not in SETTLED:
            yield terms.implies(together, terms.no(loop.pending(key)))
