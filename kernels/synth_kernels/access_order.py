"""Which accesses of a run are ordered before what a thread does now.

Barriers order them, and waits for copies, and that the threads of a warp run in lockstep. In an execution, atomic and
volatile accesses do so, too: what a thread has done before it changes a place is ordered before what another thread
does after it has read there. For this, each thread has a clock, which goes on when others may learn of the thread, and
knows clocks of others (vector clocks, as in Flanagan and Freund, FastTrack, PLDI 2009). We keep the clocks of each
memory apart, because a barrier may fence only one of them.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Barrier, Space

SHARED: tuple[Space, ...] = ("local", "global")


class Copy(NamedTuple):
    """An asynchronous copy of a group: its line, how many copies of this line the group has made, and its event."""

    line: int
    number: int
    event: int


class AccessMoment(NamedTuple):
    """When a thread made an access: behind so many barriers of its group and of the grid, and by its clock.

    `time` is the number of the step of its warp.
    """

    thread: Thread
    epochs: tuple[int, int]
    clock: int
    time: int
    copy: Copy | None


class Order:
    """What is ordered before what in a run. With `waits_fence`, waiting for a copy orders it as a barrier would."""

    def __init__(self, *, waits_fence: bool = False) -> None:
        self._waits_fence = waits_fence
        self._group_epochs: dict[tuple[tuple[int, ...], Space], int] = {}
        self._grid_epochs: dict[Space, int] = {}
        #: The number of this step of a warp, and the last step in which two threads accessed an array together.
        self._time = 0
        self._together: dict[tuple[str, Thread, Thread], int] = {}
        #: The copies that groups have not waited for, and the barriers of each space before a group waited for others.
        self._copies: dict[tuple[int, ...], set[Copy]] = {}
        self._settled: dict[tuple[tuple[int, ...], Copy], dict[Space, tuple[int, int]]] = {}
        #: The clock of each thread, and the clocks of others that it knows. These maps never change.
        self._clocks: dict[Thread, int] = {}
        self._known: dict[tuple[Thread, Space], Mapping[Thread, int]] = {}
        #: What is known to whoever reads a place.
        self._place_clocks: dict[object, dict[Space, Mapping[Thread, int]]] = {}

    def now(self, thread: Thread, space: Space, copy: Copy | None = None) -> AccessMoment:
        """Return this moment of a thread."""
        return AccessMoment(thread, self.epochs(thread[0], space), self._clocks.get(thread, 0), self._time, copy)

    def epochs(self, group: tuple[int, ...], space: Space) -> tuple[int, int]:
        """Return how many barriers a group and the launch have passed that fence a space."""
        return self._group_epochs.get((group, space), 0), self._grid_epochs.get(space, 0)

    def is_before(self, earlier: AccessMoment, later: AccessMoment, array: str, space: Space) -> bool:
        """Return whether an access to an array is ordered before one that is made now."""
        is_near = earlier.thread[0] == later.thread[0]
        then = self.ordered_from(earlier, space)
        if then is not None and (then[1] != later.epochs[1] or (is_near and then[0] != later.epochs[0])):
            return True
        if is_near and earlier.copy is not None and earlier.copy == later.copy:
            return True
        if earlier.copy is not None or later.copy is not None:
            return False
        together = self._together.get((array, earlier.thread, later.thread))
        if together is not None and earlier.time < later.time and together >= earlier.time:
            return True
        return self._known.get((later.thread, space), {}).get(earlier.thread, -1) >= earlier.clock

    def ordered_from(self, moment: AccessMoment, space: Space) -> tuple[int, int] | None:
        """Return the barriers before an access: later ones order it. None for a copy that nobody has waited for."""
        if moment.copy is None:
            return moment.epochs
        settled = self._settled.get((moment.thread[0], moment.copy))
        return None if settled is None else settled[space]

    def step(self, array: str, lanes: Sequence[Thread]) -> None:
        """Begin a step of a warp, in which some threads make the same access to an array."""
        self._time += 1
        self._together |= dict.fromkeys(((array, *pair) for pair in itertools.permutations(lanes, 2)), self._time)

    def begin_copy(self, thread: Thread, copy: Copy) -> None:
        """Note a copy that nobody has waited for."""
        self._copies.setdefault(thread[0], set()).add(copy)

    # --- barriers ---

    def pass_barriers(
        self,
        barriers: Collection[Barrier],
        groups: Iterable[tuple[int, ...]],
        members: Collection[Thread] = (),
        events: Collection[int] = (),
    ) -> None:
        """Order what groups have done before they meet at barriers before what they do after it.

        Several barriers may be one object: they fence what all of them fence. `members` are the threads that meet, if
        atomics matter. From here on, barriers order the copies of these events, too.
        """
        groups = list(groups)
        first, *others = barriers
        for group in groups if events else ():
            completed = {copy for copy in self._copies.get(group, ()) if copy.event in events}
            now = {space: self.epochs(group, space) for space in SHARED}
            if self._waits_fence:
                now = {space: (-1, epochs[1]) for space, epochs in now.items()}
            self._settled |= {(group, copy): now for copy in completed}
            self._copies.get(group, set()).difference_update(completed)
        for space in first.fences.intersection(*(other.fences for other in others)):
            for group in groups:
                self._group_epochs[group, space] = self._group_epochs.get((group, space), 0) + 1
            if first.scope == "grid":
                self._grid_epochs[space] = self._grid_epochs.get(space, 0) + 1
            self._tell_each_other(members, space)

    def _tell_each_other(self, members: Collection[Thread], space: Space) -> None:
        clocks: dict[Thread, int] = {}
        for thread in members:
            _join(clocks, self._known.get((thread, space), {}))
        for thread in members:
            clocks[thread] = self._clocks.get(thread, 0)
            self._clocks[thread] = clocks[thread] + 1
        self._known |= dict.fromkeys(((thread, space) for thread in members), clocks)

    # --- atomics ---

    def read(self, thread: Thread, place: object) -> None:
        """Let a thread learn, at a place that it reads atomically, of those who have changed it."""
        for space, known in self._place_clocks.get(place, {}).items():
            clocks = dict(self._known.get((thread, space), {}))
            _join(clocks, known)
            self._known[thread, space] = clocks

    def change(self, thread: Thread, place: object) -> None:
        """Let others learn of a thread at a place that it changes atomically."""
        clock = self._clocks.get(thread, 0)
        self._place_clocks[place] = {space: {**self._known.get((thread, space), {}), thread: clock} for space in SHARED}
        self._clocks[thread] = clock + 1


def _join(clocks: dict[Thread, int], other_clocks: Mapping[Thread, int]) -> None:
    """Note the later clock of each thread."""
    for thread, clock in other_clocks.items():
        if clock > clocks.get(thread, -1):
            clocks[thread] = clock
