"""Whether a model depends on thread ids otherwise than through their order (definitions, section 4).

For one number of threads every thread has a place in the order, so nothing could be said against any tables. What can
be said is that they agree between numbers of threads: a thread that plays no part only moves the ids above it up by
one, which keeps the order of the others. A model that keeps to the order guarantees these the same without it. So with
each thread k of T taken away, the tables for T, told of the others alone, are held against those for T - 1, in every
run; k is away in one of two ways, and one of them has to fit all k and T:

- it never steps and is not live, as if it had not been there;
- it ends with its first step, before all others.

Models made of set expressions can't name ids at all, and are not tested.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.models.automaton import Automaton


def dependence_on_ids(tables: Sequence[Automaton]) -> str | None:
    """Why a model depends on thread ids, or None if it does not; `tables` are its tables for 1, 2, ... threads."""
    reasons = [_first_difference(tables, ends_first=ends_first) for ends_first in (False, True)]
    return reasons[0] if all(reasons) else None


def _first_difference(tables: Sequence[Automaton], *, ends_first: bool) -> str | None:
    for smaller, larger in itertools.pairwise(tables):
        for away in range(larger.threads):
            found = _difference(smaller, larger, away, ends_first=ends_first)
            if found is not None:
                one, other = (sorted(t for t in range(larger.threads) if mask >> t & 1) for mask in found)
                return (
                    f"if thread {away} of {larger.threads} takes no part, it guarantees {one}, but its tables for one "
                    f"thread fewer guarantee {other}"
                )
    return None


def _difference(smaller: Automaton, larger: Automaton, away: int, *, ends_first: bool) -> tuple[int, int] | None:
    """Two fair sets that differ, both by the ids of the larger tables."""

    def moved(mask: int) -> int:
        below = (1 << away) - 1
        return mask & below | (mask & ~below) << 1

    start = (0, larger.ends[0][away] if ends_first else 0, (1 << smaller.threads) - 1)
    seen = {start}
    to_do = [start]
    while to_do:
        one, other, live = to_do.pop()
        expected, found = moved(smaller.fair[one][live]), larger.fair[other][moved(live)]
        if expected != found:
            return found, expected
        for t in range(smaller.threads):
            if not live >> t & 1:
                continue
            there = t + (t >= away)
            for after in (
                (smaller.steps[one][t], larger.steps[other][there], live),
                (smaller.ends[one][t], larger.ends[other][there], live & ~(1 << t)),
            ):
                if after not in seen:
                    seen.add(after)
                    to_do.append(after)
    return None
