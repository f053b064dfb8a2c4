"""r21 (ours): a pending access was made where the tests around it hold, and it is where r1 says.

Trigger: an access stands behind tests of which the loop does not change the values, such as `if (lid == 0)`. For the
place of such an access, only these tests are known if r1 knows nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.accessed_offsets import place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts, ReachingAccess
    from synth_kernels.terms import Term


def access_guards(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r21 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            tests = [[guard for guard in reach.guards if loop.is_fixed(guard)] for reach in reaches]
            if any(tests):
                places = [
                    loop.terms.all(*test, _where(loop, reach)) for test, reach in zip(tests, reaches, strict=True)
                ]
                yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(places)))


def _where(loop: LoopFacts, reach: ReachingAccess) -> Term:
    location = place(loop, reach, only_powers=True)
    return loop.terms.true if location is None else location
