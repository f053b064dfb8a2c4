"""Find the shortest lasso: the shortest description of an execution that a model allows and that never ends.

A walk is a sequence of steps. It begins at a state, its *anchor*. A walk that has returned to its anchor is the cycle
of a lasso if nothing is *open* at its end:

- under the weak form, a thread is open while it has been in the fair set of all states of the walk and has taken no
  step;
- under the strong form, the step of a thread that is in the fair set of a visited state is open until the walk takes
  that step from that state.

A lasso is shorter than another if it has fewer steps in all, counting those to the anchor and those of the cycle. Of
lassos with equally many steps, the one with the earliest anchor in breadth-first order counts as the shortest, and then
the one with the lowest thread ids. The search is breadth-first over anchor, state and open parts. It extends the walks
from all anchors at the same time. Each round extends every walk by one step. If an anchor is k steps away from the
start state, its walk begins after k rounds.

The search may take long: to find the shortest walk along given edges is the rural postman problem, which is NP-hard (J.
K. Lenstra and A. H. G. Rinnooy Kan, On general routing problems, Networks 6, 1976). If the search exceeds `BUDGET`, the
result is another lasso, which is not marked as the shortest. It begins at the failing set that is nearest to the start.
Its cycle goes again and again the shortest way to a step that makes something no longer open. At last it goes back to
its anchor.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from synth_checker.certificates.certificate import Lasso, LassoStep
from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from synth_checker.certificates.product import Product
    from synth_checker.models import Form
    from synth_checker.transitions.transition_system import AnyState

#: The number of walks after which the search for the shortest lasso stops. It takes a tenth or two of a second.
BUDGET = 20_000


class _Walk(NamedTuple):
    """A walk: its anchor, its last state, the visited states (if they matter) and what is open, both as bit masks."""

    anchor: int
    state: int
    seen: int
    open: int


#: For each walk in the search, the walk that it extends by one step, and the thread of that step; None for a new walk.
_Came = dict[_Walk, tuple[_Walk, int] | None]


class _OpenThreads(Protocol):
    """What is open in a new walk, and in a walk that is extended by one step."""

    def first(self, state: int) -> _Walk: ...

    def extended(self, walk: _Walk, thread: int, after: int) -> _Walk: ...


class _Weak:
    """Openness under the weak form: each bit stands for a thread."""

    def __init__(self, product: Product[AnyState]) -> None:
        self._fair = product.fair

    def first(self, state: int) -> _Walk:
        return _Walk(state, state, 0, self._fair[state])

    def extended(self, walk: _Walk, thread: int, after: int) -> _Walk:
        return _Walk(walk.anchor, after, 0, walk.open & ~(1 << thread) & self._fair[after])


class _Strong:
    """Openness under the strong form: each bit stands for a visited state, or for a promised step of such a state."""

    def __init__(self, product: Product[AnyState]) -> None:
        self._owed = product.owed
        # A bit is assigned when it is first needed, because masks of all states would take too much memory.
        self._states: dict[int, int] = {}
        self._steps: dict[tuple[int, int], int] = {}

    def first(self, state: int) -> _Walk:
        return _Walk(state, state, *self._met(state))

    def extended(self, walk: _Walk, thread: int, after: int) -> _Walk:
        taken = self._steps.get((walk.state, thread))
        still_open = walk.open if taken is None else walk.open & ~(1 << taken)
        bit, owed = self._met(after)
        return _Walk(walk.anchor, after, walk.seen | bit, still_open if walk.seen & bit else still_open | owed)

    def _met(self, state: int) -> tuple[int, int]:
        """Return the bit of a state, and the bits of its promised steps."""
        steps = [(state, thread) for thread in self._owed(state)]
        bit = 1 << self._states.setdefault(state, len(self._states))
        return bit, sum(1 << self._steps.setdefault(step, len(self._steps)) for step in steps)


def lasso_of(product: Product[AnyState], form: Form, sets: list[set[int]]) -> Lasso[AnyState]:
    """Return a lasso whose cycle lies in one of the sets `sets` of states of a product.

    Each of these sets makes the program fail. The lasso is the shortest, if the search finds the shortest within
    `BUDGET`.
    """
    inside = set().union(*sets)
    openness: _OpenThreads = _Weak(product) if form == "weak" else _Strong(product)
    far, came = _shortest_ways(product)
    shortest = _shortest(product, inside, openness, far)
    anchor, cycle = shortest or _good_cycle(product, min(sets, key=min), openness)
    way = _way_to(anchor, came)
    return Lasso(_steps_of(product, (*way, *cycle)), len(way), is_shortest=shortest is not None)


def shortest_way(product: Product[AnyState], ends: AbstractSet[int]) -> Lasso[AnyState]:
    """Return a shortest way to one of some states as a lasso without a cycle, which fits a system that gets stuck."""
    way = _way_to(min(ends), _shortest_ways(product)[1])
    return Lasso(_steps_of(product, way), len(way), is_shortest=True)


def _steps_of(product: Product[AnyState], threads: Iterable[int]) -> tuple[LassoStep[AnyState], ...]:
    steps, state = [], 0
    for thread in threads:
        steps.append(LassoStep(product.states[state], product.fair[state], thread))
        state = product.successors[state][thread]
    return tuple(steps)


def _shortest_ways(product: Product[AnyState]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return for each state how far it is from the start, and the last step of a shortest way: from where, by whom.

    States have breadth-first numbers.
    """
    far = [0, *[-1] * (len(product.states) - 1)]
    came = [(0, 0)] * len(product.states)
    for state, row in enumerate(product.successors):
        for thread, after in row.items():
            if far[after] < 0:
                far[after] = far[state] + 1
                came[after] = state, thread
    return far, came


def _way_to(state: int, came: Sequence[tuple[int, int]]) -> list[int]:
    """Return the threads that step on a shortest way to a state."""
    threads = []
    while state:
        state, thread = came[state]
        threads.append(thread)
    return threads[::-1]


def _shortest(
    product: Product[AnyState], inside: AbstractSet[int], openness: _OpenThreads, far: list[int]
) -> tuple[int, list[int]] | None:
    """Return the anchor and the threads of the cycle of the shortest lasso, or None if `BUDGET` is exceeded."""
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
                prolonged = openness.extended(walk, thread, after)
                if after == walk.anchor and not prolonged.open:
                    return walk.anchor, [*_threads(came, walk), thread]
                if prolonged not in came:
                    came[prolonged] = walk, thread
                    longer.append(prolonged)
        walks = longer
        steps += 1
    return None


def _good_cycle(product: Product[AnyState], c: AbstractSet[int], openness: _OpenThreads) -> tuple[int, list[int]]:
    """Return the anchor and the threads of a cycle in a failing set.

    The walk always goes where it can close something soonest, and at last back to the anchor.
    """
    anchor = min(c)
    walk, threads = openness.first(anchor), list[int]()
    while walk.open or not threads or walk.state != anchor:
        walk, more = _nearest(product, c, openness, walk)
        threads += more
    return anchor, threads


def _nearest(
    product: Product[AnyState], c: AbstractSet[int], openness: _OpenThreads, first: _Walk
) -> tuple[_Walk, list[int]]:
    """Extend a walk until it closes something, or returns to its anchor if nothing is open; also return the threads."""
    came: _Came = {first: None}
    visited = {first.state}
    walks = deque([first])
    while walks:
        walk = walks.popleft()
        for thread, after in product.successors[walk.state].items():
            if after not in c:
                continue
            prolonged = openness.extended(walk, thread, after)
            if walk.open & ~prolonged.open if first.open else after == walk.anchor:
                return prolonged, [*_threads(came, walk), thread]
            if after not in visited:
                visited.add(after)
                came[prolonged] = walk, thread
                walks.append(prolonged)
    raise InternalError(
        f"lasso: no walk from the state {product.states[first.state]} closes anything more in this failing set"
    )


def _threads(came: _Came, walk: _Walk) -> list[int]:
    """Return the threads whose steps make up a walk."""
    threads: list[int] = []
    while (before := came[walk]) is not None:
        walk, thread = before
        threads.append(thread)
    return threads[::-1]
