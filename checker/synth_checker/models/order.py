"""Check that a model depends on thread ids only through their order (definitions, section 4).

For each number of threads, a model has a table: the automaton that says which threads the model promises a step. The
table for a single number of threads cannot break this rule, because each thread then has a fixed place in the
order. So the table for T threads is compared with that for T - 1 threads. Let thread k take no part in a run.
Without this thread, the ids above k are lower by one, but the other threads keep their order. So a model that keeps the
rule promises the other threads the same with and without thread k. The check compares the two tables in this way for
each k, and in every run of the other threads. A thread can take no part in two ways. For one of these two ways, the
tables must agree for all k and T:

- Thread k never steps and is not live.
- Thread k ends with its first step, before all others.

Models that are set expressions cannot name ids, so they need no check.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.models.automaton import Automaton


def dependence_on_ids(tables: Sequence[Automaton]) -> str | None:
    """Return why a model depends on thread ids other than by their order, or None if it does not.

    `tables` are the automata of the model for 1, 2, and more threads.
    """
    reasons = [_first_difference(tables, ends_first=ends_first) for ends_first in (False, True)]
    return reasons[0] if all(reasons) else None


def _first_difference(tables: Sequence[Automaton], *, ends_first: bool) -> str | None:
    for smaller, larger in itertools.pairwise(tables):
        for away in range(larger.threads):
            fair_sets = _difference(smaller, larger, away, ends_first=ends_first)
            if fair_sets is not None:
                first, other = (sorted(t for t in range(larger.threads) if mask >> t & 1) for mask in fair_sets)
                return (
                    f"if thread {away} of {larger.threads} takes no part, the model promises to run {first}, but "
                    f"without that thread it promises to run {other}"
                )
    return None


def _difference(smaller: Automaton, larger: Automaton, away: int, *, ends_first: bool) -> tuple[int, int] | None:
    """Return two fair sets that differ, both with the thread ids of the larger tables, or None."""

    def moved(mask: int) -> int:
        below = (1 << away) - 1
        return mask & below | (mask & ~below) << 1

    start = (0, larger.ends[0][away] if ends_first else 0, (1 << smaller.threads) - 1)
    seen = {start}
    to_do = [start]
    while to_do:
        first, other, live = to_do.pop()
        expected, promised = moved(smaller.fair[first][live]), larger.fair[other][moved(live)]
        if expected != promised:
            return promised, expected
        for t in range(smaller.threads):
            if not live >> t & 1:
                continue
            there = t + (t >= away)
            for after in (
                (smaller.steps[first][t], larger.steps[other][there], live),
                (smaller.ends[first][t], larger.ends[other][there], live & ~(1 << t)),
            ):
                if after not in seen:
                    seen.add(after)
                    to_do.append(after)
    return None
