"""The planted faults once more, slow and obvious: each is the rules of the twin with one edit.

`FAULTY` has the rules for the name of each fault in `faults`. Tests compare them with the core, event by event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulation_twin import TwinLaunch

if TYPE_CHECKING:
    from collections.abc import Callable


def _in_order(edit: Callable[[list[int]], list[int]]) -> type[TwinLaunch]:
    """Return rules that edit the order in which workgroups wait at the start."""

    class Reordered(TwinLaunch):
        def order(self) -> list[int]:
            return edit(super().order())

    return Reordered


class _NewestFirst(TwinLaunch):
    def take(self) -> int:
        return self.queue.pop()


class _SecondFirst(TwinLaunch):
    def take(self) -> int:
        place = 1 if len(self.queue) > 1 else 0
        workgroup = self.queue[place]
        del self.queue[place]
        return workgroup


class _SlotsRetire(TwinLaunch):
    def may_take(self, slot: int) -> bool:
        return super().may_take(slot) and self.given[slot] <= 3

    def counts(self) -> object:
        return tuple(self.given)


class _KeepsThreeBack(TwinLaunch):
    def may_take(self, slot: int) -> bool:
        return super().may_take(slot) and len(self.queue) > 3


class _StartsPairs(TwinLaunch):
    def batch_size(self) -> int:
        return 2


class _SkipsLastSlot(TwinLaunch):
    def turns(self) -> list[int]:
        return sorted(self.occupied)[:-1] or self.occupied


class _SkipsFarSlots(TwinLaunch):
    def turns(self) -> list[int]:
        return [slot for slot in self.occupied if slot < 8] or self.occupied


class _SkipsOddWhenCrowded(TwinLaunch):
    def turns(self) -> list[int]:
        if len(self.occupied) < 32:
            return self.occupied
        return [slot for slot in self.occupied if slot % 2 == 0] or self.occupied


class _Sticks(TwinLaunch):
    def goes_on(self) -> bool:
        return not self.is_new


class _SticksWhenCrowded(TwinLaunch):
    def goes_on(self) -> bool:
        return not self.is_new and len(self.occupied) > 8


class _LosesPreempted(TwinLaunch):
    def put_back(self, workgroup: int) -> None:
        pass


class _LosesPreemptedWhenCrowded(TwinLaunch):
    def put_back(self, workgroup: int) -> None:
        if len(self.queue) <= 16:
            super().put_back(workgroup)


class _PreemptedFirst(TwinLaunch):
    def put_back(self, workgroup: int) -> None:
        self.queue.appendleft(workgroup)


class _StopsPreempting(TwinLaunch):
    def preempts(self) -> bool:
        return super().preempts() and self.preemptions < 100

    def counts(self) -> object:
        return self.preemptions


FAULTY: dict[str, type[TwinLaunch]] = {
    "reversed-queue": _in_order(lambda order: order[::-1]),
    "swapped-halves": _in_order(lambda order: order[len(order) // 2 :] + order[: len(order) // 2]),
    "odd-first": _in_order(lambda order: sorted(order, key=lambda workgroup: workgroup % 2 == 0)),
    "forgets-last": _in_order(lambda order: order[:-1]),
    "forgets-each-seventh": _in_order(lambda order: [w for place, w in enumerate(order, 1) if place % 7]),
    "forgets-after-64": _in_order(lambda order: order[:64]),
    "newest-first": _NewestFirst,
    "second-first": _SecondFirst,
    "slots-retire": _SlotsRetire,
    "keeps-three-back": _KeepsThreeBack,
    "starts-pairs": _StartsPairs,
    "skips-last-slot": _SkipsLastSlot,
    "skips-far-slots": _SkipsFarSlots,
    "sticks": _Sticks,
    "sticks-when-crowded": _SticksWhenCrowded,
    "skips-odd-when-crowded": _SkipsOddWhenCrowded,
    "loses-preempted": _LosesPreempted,
    "preempted-first": _PreemptedFirst,
    "stops-preempting": _StopsPreempting,
    "loses-preempted-when-crowded": _LosesPreemptedWhenCrowded,
}
