"""Lassos: an execution that a model allows and that never ends, the shortest one.

A walk that returns to its *anchor*, where it began, with nothing left open is the cycle of a lasso. Open is

- under the weak form each thread that has been owed a step in all states so far and has taken none;
- under the strong form each owed step of a state that the walk has been in, until it is taken from there.

Shortest means: the fewest steps in all, those to the anchor and those of the cycle together; among these, the earliest
anchor in the order of a breadth-first search, and then the lowest threads. The search is breadth-first over anchor,
state and what is open: the walks from all anchors at once, each starting as late as its anchor is far.

That may take long: the shortest walk along given edges is the rural postman problem, which is NP-hard (J. K. Lenstra
and A. H. G. Rinnooy Kan, On general routing problems, Networks 6, 1976). Where `BUDGET` is not enough the lasso is one
in the nearest failing set, on which something is always closed by the fewest next steps; it is not called the shortest.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from synth_checker.certificates.certificate import Lasso, LassoStep
from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from synth_checker.certificates.product import Product
    from synth_checker.models import Form
    from synth_checker.transitions.transition_system import AnyState

#: Walks that are looked at before the search is given up, in a tenth or two of a second.
BUDGET = 20_000


class _Walk(NamedTuple):
    """Where a walk began and where it is; the states it has been in, if that matters; and what is open. Bit masks."""

    anchor: int
    state: int
    seen: int
    open: int


#: For each walk that was looked at, the one that it prolongs and by which thread; None if it has just begun.
_Came = dict[_Walk, tuple[_Walk, int] | None]


class _Openness(Protocol):
    """What is open when a walk begins, and when it goes on."""

    def first(self, state: int) -> _Walk: ...

    def then(self, walk: _Walk, thread: int, after: int) -> _Walk: ...


class _Weak:
    """Each thread is a bit."""

    def __init__(self, product: Product[AnyState]) -> None:
        self._fair = product.fair

    def first(self, state: int) -> _Walk:
        return _Walk(state, state, 0, self._fair[state])

    def then(self, walk: _Walk, thread: int, after: int) -> _Walk:
        return _Walk(walk.anchor, after, 0, walk.open & ~(1 << thread) & self._fair[after])


class _Strong:
    """Each state that some walk has met is a bit, and so is each owed step of such a state."""

    def __init__(self, product: Product[AnyState]) -> None:
        self._owed = product.owed
        # Numbers are given when they are asked for: masks of all states would take more memory than there is.
        self._states: dict[int, int] = {}
        self._steps: dict[tuple[int, int], int] = {}

    def first(self, state: int) -> _Walk:
        return _Walk(state, state, *self._met(state))

    def then(self, walk: _Walk, thread: int, after: int) -> _Walk:
        taken = self._steps.get((walk.state, thread))
        left = walk.open if taken is None else walk.open & ~(1 << taken)
        bit, owed = self._met(after)
        return _Walk(walk.anchor, after, walk.seen | bit, left if walk.seen & bit else left | owed)

    def _met(self, state: int) -> tuple[int, int]:
        """The bit of a state, and those of its owed steps."""
        steps = [(state, thread) for thread in self._owed(state)]
        bit = 1 << self._states.setdefault(state, len(self._states))
        return bit, sum(1 << self._steps.setdefault(step, len(self._steps)) for step in steps)


def lasso_of(product: Product[AnyState], form: Form, sets: list[set[int]]) -> Lasso[AnyState]:
    """A lasso in one of the failing sets of a transition system: the shortest, if it is found in time."""
    inside = set().union(*sets)
    openness: _Openness = _Weak(product) if form == "weak" else _Strong(product)
    paths = _paths(product)
    shortest = _shortest(product, inside, openness, [len(path) for path in paths])
    anchor, cycle = shortest or _good(product, min(sets, key=min), openness)
    steps, state = [], 0
    for thread in (*paths[anchor], *cycle):
        steps.append(LassoStep(product.states[state], product.fair[state], thread))
        state = product.successors[state][thread]
    return Lasso(tuple(steps), len(paths[anchor]), is_shortest=shortest is not None)


def _paths(product: Product[AnyState]) -> list[tuple[int, ...]]:
    """The threads of a shortest path to each state; by their numbers a state comes after one that leads to it."""
    paths: list[tuple[int, ...] | None] = [(), *[None] * (len(product.states) - 1)]
    for state, row in enumerate(product.successors):
        for thread, after in row.items():
            if paths[after] is None:
                paths[after] = (*(paths[state] or ()), thread)
    return [path or () for path in paths]


def _shortest(
    product: Product[AnyState], inside: AbstractSet[int], openness: _Openness, far: list[int]
) -> tuple[int, list[int]] | None:
    """The anchor and the threads of the shortest lasso's cycle, or None where the budget is not enough."""
    anchors = deque(sorted(inside))
    came: _Came = {}
    walks: list[_Walk] = []
    steps = 0
    while (anchors or walks) and len(came) <= BUDGET:
        while anchors and far[anchors[0]] <= steps:
            walks.append(openness.first(anchors.popleft()))
            came[walks[-1]] = None
        longer = []
        for walk in walks:
            for thread, after in product.successors[walk.state].items():
                if after not in inside:
                    continue
                prolonged = openness.then(walk, thread, after)
                if after == walk.anchor and not prolonged.open:
                    return walk.anchor, [*_threads(came, walk), thread]
                if prolonged not in came:
                    came[prolonged] = walk, thread
                    longer.append(prolonged)
        walks = longer
        steps += 1
    return None


def _good(product: Product[AnyState], c: AbstractSet[int], openness: _Openness) -> tuple[int, list[int]]:
    """The anchor and the threads of a cycle in a failing set: always to what can be closed soonest, and then home."""
    anchor = min(c)
    walk, threads = openness.first(anchor), list[int]()
    while walk.open or not threads or walk.state != anchor:
        walk, more = _nearest(product, c, openness, walk)
        threads += more
    return anchor, threads


def _nearest(
    product: Product[AnyState], c: AbstractSet[int], openness: _Openness, first: _Walk
) -> tuple[_Walk, list[int]]:
    """The walk prolonged to where something is closed, or home if nothing is open; and by which threads."""
    came: _Came = {first: None}
    visited = {first.state}
    walks = deque([first])
    while walks:
        walk = walks.popleft()
        for thread, after in product.successors[walk.state].items():
            if after not in c:
                continue
            prolonged = openness.then(walk, thread, after)
            if walk.open & ~prolonged.open if first.open else after == walk.anchor:
                return prolonged, [*_threads(came, walk), thread]
            if after not in visited:
                visited.add(after)
                came[prolonged] = walk, thread
                walks.append(prolonged)
    msg = f"lasso: nothing more can be closed from {product.states[first.state]} on"
    raise InternalError(msg)


def _threads(came: _Came, walk: _Walk) -> list[int]:
    """The threads that have made a walk."""
    threads: list[int] = []
    while (before := came[walk]) is not None:
        walk, thread = before
        threads.append(thread)
    return threads[::-1]
