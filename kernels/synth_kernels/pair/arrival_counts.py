"""Barriers that are one object, wherever they stand: that of the grid, and those of a group if somebody says so.

Threads meet there by how often they have come, and not by where they stand. So the arrivals of each thread are counted.
Two threads have their n-th arrival together. A watched number, which is arbitrary, says of which arrival it is checked
that both threads come to the same object. Another one says of which *interval*, between two arrivals, the accesses
count: only those are logged that thread 1 makes in this interval, and only those of thread 2 in it are checked.

A barrier in a loop, or one that gives a value, is not counted: all threads must come to it together, which is stricter.
They must have passed as many others before.

What barriers of one object fence is what all of them fence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import Barrier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel, Scope, Space
    from synth_kernels.terms import Term, Terms

#: The width of numbers of arrivals outside of loops, and of the objects.
_WIDTH, _KIND = 16, 2
_OBJECTS: dict[Scope, int] = {"group": 1, "grid": 2}


def object_scopes(kernels: Iterable[Kernel], options: Options) -> set[Scope]:
    """Return the scopes of which kernels have several barriers that are one object.

    A barrier in a function is several, since the function may be called more than once.
    """
    scopes = [
        scope
        for kernel in kernels
        for instruction in kernel.steps
        if isinstance(instruction, Barrier) and not instruction.gives
        for scope in ([instruction.scope] * (1 if kernel.function is None else 2))
    ]
    scopes_of_objects: tuple[Scope, ...] = ("group", "grid") if options.one_barrier else ("grid",)
    return {scope for scope in scopes_of_objects if scopes.count(scope) > 1}


class ArrivalCounts:
    """The arrivals of two threads at barriers of some scopes, which are one object each."""

    def __init__(self, terms: Terms, kernel: Kernel, scopes: set[Scope], same_group: Term) -> None:
        self._terms, self._scopes, self._same_group = terms, scopes, same_group
        barriers = [instruction for instruction in kernel.steps if isinstance(instruction, Barrier)]
        self._fences = {
            scope: frozenset.intersection(*(barrier.fences for barrier in barriers if barrier.scope == scope))
            for scope in scopes
        }
        zero = terms.constant(0, _WIDTH)
        self._arrivals = [zero, zero]
        self._intervals: dict[Space, list[Term]] = {"local": [zero, zero], "global": [zero, zero]}
        self._watched_arrival = terms.variable("watched arrival", _WIDTH)
        self._watched_interval = terms.variable("watched interval", _WIDTH)
        #: The object to which each thread comes with its watched arrival, or 0.
        self._objects = [terms.constant(0, _KIND)] * 2
        #: The lines of barriers, each with whether thread 1 comes to it with its watched arrival.
        self._sites: list[tuple[int, int, Term]] = []

    def counts(self, barrier: Barrier, *, in_loop: bool) -> bool:
        """Return whether arrivals at a barrier are counted."""
        return barrier.scope in self._scopes and not in_loop and not barrier.gives

    def arrive(self, barrier: Barrier, live: tuple[Term, Term]) -> None:
        """Count the arrivals of threads that come to a barrier. One of another group has a barrier of its own."""
        terms = self._terms
        kind = terms.constant(_OBJECTS[barrier.scope], _KIND)
        together = self._same_group if barrier.scope == "group" else terms.true
        for thread in (0, 1):
            comes = terms.all(live[thread], together)
            is_watched = terms.all(comes, terms.equal(self._arrivals[thread], self._watched_arrival))
            self._objects[thread] = terms.choose(is_watched, kind, self._objects[thread])
            if thread == 0:
                self._sites.append((barrier.line, _OBJECTS[barrier.scope], is_watched))
            self._arrivals[thread] = self._after(self._arrivals[thread], comes)
            for space in self._fences[barrier.scope] & self._intervals.keys():
                self._intervals[space][thread] = self._after(self._intervals[space][thread], comes)

    def _after(self, count: Term, comes: Term) -> Term:
        return self._terms.choose(comes, self._terms.apply("add", (count, self._terms.constant(1, _WIDTH))), count)

    def are_even(self) -> Term:
        """Return whether both threads have come as often."""
        return self._terms.equal(*self._arrivals)

    def is_watched(self, thread: int, space: Space) -> Term:
        """Return whether a thread is in the interval whose accesses count."""
        if space not in self._intervals:
            return self._terms.true
        return self._terms.equal(self._intervals[space][thread], self._watched_interval)

    def failing(self) -> Iterator[tuple[int, Term]]:
        """Yield for each barrier whether thread 1 comes there, and thread 2 does not meet it, when both have ended."""
        for line, number, is_watched in self._sites:
            meets = self._terms.equal(self._objects[1], self._terms.constant(number, _KIND))
            yield line, self._terms.all(is_watched, self._terms.no(meets))
