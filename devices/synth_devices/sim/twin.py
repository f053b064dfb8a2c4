"""The simulated device once more, slow and obvious. Tests compare it with the core, event by event.

This module keeps the whole state of a launch and does what docs/sim.md says, one step after the other. If the scheduler
picks nothing at random, the module remembers every state of the launch: the launch hangs if a state comes again. If the
scheduler picks the next workgroup at random, the module searches all orders in which the resident workgroups may step
from the present state. The launch hangs if no resident workgroup ends in any of these orders.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from synth_checker.twin import semantics
from synth_devices.sim.simulation import Event, LaunchResult, packed_sets

if TYPE_CHECKING:
    from synth_backends.mapping import Launch
    from synth_checker.programs.program import Program, State
    from synth_devices.sim.scheduler import Scheduler

_WORD = 1 << 64


class RandomNumbers:
    """The random number generator SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)."""

    def __init__(self, seed: int, stream: int) -> None:
        self._state = seed
        self._state = (self.next() + stream) % _WORD
        self._state = self.next()

    def next(self) -> int:
        """Return the next random number, which has 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % _WORD
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
        return mixed ^ mixed >> 31

    def below(self, bound: int) -> int:
        """Return a random number from 0 to `bound` - 1."""
        return (self.next() >> 32) * bound >> 32


class TwinSimulator:
    """The slow and obvious version of `simulation.Simulator`."""

    def __init__(self, scheduler: Scheduler, program: Program, launch: Launch) -> None:
        self.scheduler = scheduler
        self.program = program
        self.launch = launch
        self.places = [launch.place(workgroup) for workgroup in range(launch.workgroups)]
        self._stuck: dict[object, bool] = {}

    def schedule(self, number: int) -> tuple[LaunchResult, list[Event]]:
        """Run the launch with this number, and return its result and all its events. The result's `period` is 0."""
        run = _Run(self, RandomNumbers(self.scheduler.seed, number))
        return run.result(), run.events

    def are_stuck(self, states: list[State], residents: frozenset[int]) -> bool:
        """Return whether none of the workgroups `residents` ever ends, in whatever order they step from now on.

        `states` has the present state of each instance.
        """
        mine = sorted({self.places[workgroup][0] for workgroup in residents})
        start = tuple(states[instance] for instance in mine)
        key = (start, residents)
        if key not in self._stuck:
            self._stuck[key] = not self._may_end(mine, start, residents)
        return self._stuck[key]

    def _may_end(self, mine: list[int], start: tuple[State, ...], residents: frozenset[int]) -> bool:
        met, to_do = {start}, deque([start])
        while to_do:
            joint = to_do.popleft()
            for workgroup in residents:
                instance, thread = self.places[workgroup]
                at = mine.index(instance)
                after = semantics.step(self.program, joint[at], thread)
                if thread not in semantics.live(self.program, after):
                    return True
                stepped = (*joint[:at], after, *joint[at + 1 :])
                if stepped not in met:
                    met.add(stepped)
                    to_do.append(stepped)
        return False


class _Run:
    """One launch."""

    def __init__(self, simulator: TwinSimulator, random: RandomNumbers) -> None:
        self.simulator = simulator
        self.scheduler = simulator.scheduler
        self.random = random
        self.events: list[Event] = []
        least, most = self.scheduler.slots
        self.slots = least + random.below(most - least + 1) if most > least else least
        self.queue = deque(_dispatch_order(self.scheduler, len(simulator.places), random))
        self.states = [semantics.start(simulator.program)] * simulator.launch.instances
        count = min(self.slots, -(-len(simulator.places) // self.scheduler.batch))  # more would never be used
        self.resident: list[int | None] = [None] * count
        self.used = [0] * count
        self.batch: list[deque[int]] = [deque() for _ in range(count)]
        self.occupied = list(range(count))  # in the order in which a random pick sees them
        self.last = count - 1
        self.met: set[object] = set()
        self.steps = 0
        for slot in range(count):
            self._give(slot)

    def result(self) -> LaunchResult:
        """Run the launch until all its workgroups have ended, or until it is certain that it hangs."""
        while self.occupied and not self._never_ends():
            self._step()
        threads = len(self.simulator.program)
        places = self.simulator.places
        started = [0] * len(self.states)
        for event in self.events:
            if event.kind == "start":
                instance, thread = places[event.workgroup]
                started[instance] |= 1 << thread
        live = [semantics.live(self.simulator.program, state) for state in self.states]
        finished = [sum(1 << thread for thread in range(threads) if thread not in some) for some in live]
        return LaunchResult(
            "hung" if any(live) else "ended", self.steps, self.slots, 0, packed_sets(started), packed_sets(finished)
        )

    def _never_ends(self) -> bool:
        if not self.scheduler.is_deterministic:
            return self.simulator.are_stuck(self.states, frozenset(w for w in self.resident if w is not None))
        used = tuple(self.used) if self.scheduler.quantum else ()
        slots = (tuple(self.resident), used, tuple(map(tuple, self.batch)), self.last)
        state = (slots, tuple(self.queue), tuple(self.states))
        if state in self.met:
            return True
        self.met.add(state)
        return False

    def _step(self) -> None:
        slot = self._pick()
        workgroup = self.resident[slot]
        assert workgroup is not None  # noqa: S101  (only occupied slots are picked)
        instance, thread = self.simulator.places[workgroup]
        self.states[instance] = semantics.step(self.simulator.program, self.states[instance], thread)
        self.steps += 1
        self.events.append(Event("step", workgroup, slot))
        if thread not in semantics.live(self.simulator.program, self.states[instance]):
            self.events.append(Event("end", workgroup, slot))
            self._give(slot)
            if self.resident[slot] is None:
                self._remove(slot)
            return
        self.used[slot] += 1
        if self.used[slot] == self.scheduler.quantum:
            self.events.append(Event("preempt", workgroup, slot))
            self.queue.append(workgroup)
            self._give(slot)

    def _give(self, slot: int) -> None:
        """Give a slot to the next workgroup of its batch, else of the queue, of which it takes a batch."""
        self.used[slot] = 0
        if not self.batch[slot]:
            for _ in range(min(self.scheduler.batch, len(self.queue))):
                self.batch[slot].append(self.queue.popleft())
        if self.batch[slot]:
            workgroup = self.batch[slot].popleft()
            self.resident[slot] = workgroup
            self.events.append(Event("start", workgroup, slot))
        else:
            self.resident[slot] = None

    def _remove(self, slot: int) -> None:
        """Take an empty slot out of the list; the last of the list takes its place."""
        place = self.occupied.index(slot)
        self.occupied[place] = self.occupied[-1]
        self.occupied.pop()

    def _pick(self) -> int:
        pick = self.scheduler.pick
        if pick == "rotate":
            higher = [slot for slot in self.occupied if slot > self.last]
            self.last = min(higher or self.occupied)
            return self.last
        if pick == "lowest":
            return min(self.occupied, key=lambda slot: self.resident[slot] or 0)
        place = self.random.below(len(self.occupied))
        if pick == "weighted":
            place = min(place, self.random.below(len(self.occupied)))
        return self.occupied[place]


def _dispatch_order(scheduler: Scheduler, workgroups: int, random: RandomNumbers) -> list[int]:
    order = list(range(workgroups))
    if scheduler.order == "reverse":
        order.reverse()
    elif scheduler.order == "stride":
        order.sort(key=lambda workgroup: workgroup % scheduler.spread)
    elif scheduler.order == "random":
        for k in range(workgroups, 1, -1):
            other = random.below(k)
            order[k - 1], order[other] = order[other], order[k - 1]
    elif scheduler.order == "jitter":
        place = [workgroup + random.below(scheduler.spread + 1) for workgroup in order]
        order.sort(key=lambda workgroup: place[workgroup])
    return order
