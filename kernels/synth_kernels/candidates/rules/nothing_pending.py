"""r12 and r13 (noread, nowrite): at the header of a loop with a barrier, no access is pending.

r12 is about reads, r13 about writes and atomic operations. The reads and writes of copies that nobody has waited for
count, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def no_read(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r12 says."""
    return _nothing_pending(loop, is_read=True)


def no_write(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r13 says."""
    return _nothing_pending(loop, is_read=False)


def _nothing_pending(loop: LoopFacts, *, is_read: bool) -> Iterator[Term]:
    for key in loop.keys if loop.barriers else ():
        if (key[1] in {"read", "fetch"}) == is_read:
            yield loop.terms.no(loop.pending(key))
