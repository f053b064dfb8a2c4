"""The seven conditions under which a model ignores no-ops, one by one (docs/understand/semantics.md, section 9).

Most conditions say that one state promises no more than another, now and after any further steps. This module decides
that by elimination. At first there are all triples of two states and a set of live threads. A triple is removed if its
first state promises something that its second state does not. Then triples are removed from which a step leads to a
removed triple, until there are no more of these. The triples that are left are those of which the statement is true.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models.automaton import Automaton

Threads = frozenset[int]
#: Maps the number of a thread in the smaller automaton to its number in the larger one.
Ids = Callable[[int], int]
Triple = tuple[int, int, Threads]
Place = TypeVar("Place")


def hides_no_ops(automata: list[Automaton]) -> bool:
    """Return whether a model meets all seven conditions of docs/understand/semantics.md, section 9.

    `automata` are the automata of the model for 1 thread, for 2 threads, and so on.
    """
    return all(meets_1_to_4(automaton) for automaton in automata) and all(
        meets_5_to_7(larger, smaller, thread)
        for smaller, larger in itertools.pairwise(automata)
        for thread in range(larger.threads)
    )


def no_more(first: Automaton, other: Automaton, ids: Ids) -> set[Triple]:
    """Return the triples in which the first state promises no more than the second, now and after any further steps.

    A triple is a state of `first`, a state of `other`, and a set of live threads of `first`.
    """
    live_sets = [
        Threads(members)
        for n in range(first.threads + 1)
        for members in itertools.combinations(range(first.threads), n)
    ]
    triples = {
        (q, r, live)
        for q in range(first.states)
        for r in range(other.states)
        for live in live_sets
        if _renamed(_fair(first, q, live), ids) <= _fair(other, r, _renamed(live, ids))
    }
    while gone := {triple for triple in triples if not set(_next(first, other, ids, triple)) <= triples}:
        triples -= gone
    return triples


def _next(first: Automaton, other: Automaton, ids: Ids, triple: Triple) -> Iterator[Triple]:
    q, r, live = triple
    for t in live:
        yield first.steps[q][t], other.steps[r][ids(t)], live
        yield first.ends[q][t], other.ends[r][ids(t)], live - {t}


def meets_1_to_4(automaton: Automaton) -> bool:
    """Return whether an automaton meets the conditions 1 to 4 of docs/understand/semantics.md, section 9.

    They must hold after every history, that is, after every sequence of steps and ends.
    """
    steps, ends = automaton.steps, automaton.ends
    less = no_more(automaton, automaton, lambda t: t)
    everyone = Threads(range(automaton.threads))
    for q, live, stepped in _reached((0, everyone, Threads()), lambda here: _after(automaton, *here)):
        for t in live:
            pair = (q, steps[q][t], live) in less
            two = (steps[steps[q][t]][t], steps[q][t], live) in less
            two_at_the_end = (ends[steps[q][t]][t], ends[q][t], live - {t}) in less
            three = all(
                (steps[ends[q][t]][u], ends[steps[q][u]][t], live - {t}) in less
                and (ends[ends[q][t]][u], ends[ends[q][u]][t], live - {t, u}) in less
                for u in live - {t}
            )
            fair = _fair(automaton, q, live)
            four = t not in stepped or t in fair or _fair(automaton, ends[q][t], live - {t}) <= fair
            if not (pair and two and two_at_the_end and three and four):
                return False
    return True


def meets_5_to_7(larger: Automaton, smaller: Automaton, thread: int) -> bool:
    """Return whether two automata of a model meet the conditions 5 to 7 of docs/understand/semantics.md, section 9.

    The automaton `larger` is for one more thread than `smaller`. `thread` is the thread that only `larger` has; all its
    instructions are no-ops.
    """

    def ids(t: int) -> int:
        return t if t < thread else t + 1

    everyone = Threads(range(smaller.threads))
    if (0, larger.ends[0][thread], everyone) not in no_more(smaller, larger, ids):
        return False

    def following(triple: Triple) -> Iterator[Triple]:
        return _next(smaller, larger, ids, triple)

    start = (0, 0, everyone)
    behind_a_step = {here for after in following(start) for here in _reached(after, following)}
    for here in {start} | behind_a_step:
        q, r, live = here
        others = _renamed(live, ids)
        without = _renamed(_fair(smaller, q, live), ids)
        beside = _fair(larger, r, others | {thread})
        six = thread in beside or without <= beside
        behind = _fair(larger, larger.ends[r][thread], others)
        seven = here not in behind_a_step or beside <= without or behind <= without
        if not (six and seven):
            return False
    return True


def _after(automaton: Automaton, q: int, live: Threads, stepped: Threads) -> Iterator[tuple[int, Threads, Threads]]:
    for t in live:
        yield automaton.steps[q][t], live, stepped | {t}
        yield automaton.ends[q][t], live - {t}, stepped - {t}


def _reached(start: Place, following: Callable[[Place], Iterator[Place]]) -> set[Place]:
    reached = {start}
    while more := {after for here in reached for after in following(here)} - reached:
        reached |= more
    return reached


def _fair(automaton: Automaton, state: int, live: Threads) -> Threads:
    mask = automaton.fair[state][sum(2**t for t in live)]
    return Threads(t for t in range(automaton.threads) if mask // 2**t % 2)


def _renamed(threads: Threads, ids: Ids) -> Threads:
    return Threads(map(ids, threads))
