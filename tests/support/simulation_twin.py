"""The simulated device once more, slow and obvious. Tests compare it with the core, event by event.

This module keeps the whole state of a launch and does what docs/understand/sim.md says, one step after the other. If
the scheduler picks nothing at random, the module remembers every state of the launch: the launch hangs if a state
comes again. If the scheduler picks the next workgroup at random, the module searches all orders in which the resident
workgroups may step from the present state. The launch hangs if no resident workgroup ends in any of these orders.
"""

from __future__ import annotations

import struct
from collections import deque
from typing import TYPE_CHECKING, Protocol, cast

from synth_checker.twin import semantics
from synth_devices.sim.simulation import LaunchEvent, LaunchResult

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

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


class InstanceSteps(Protocol):
    """The steps of one instance of a test. States can be compared and hashed."""

    threads: int
    start: Hashable

    def after(self, state: Hashable, thread: int) -> Hashable:
        """Return the state after a step of a live thread."""

    def live(self, state: Hashable) -> Collection[int]:
        """Return the threads that have not ended in a state."""


class ProgramSteps:
    """The steps of a program, by the slow and obvious semantics."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.threads = len(program)
        self.start: Hashable = semantics.start(program)

    def after(self, state: Hashable, thread: int) -> State:
        """Return the state after a step of a live thread."""
        return semantics.step(self.program, cast("State", state), thread)

    def live(self, state: Hashable) -> frozenset[int]:
        """Return the threads that have not ended in a state."""
        return semantics.live(self.program, cast("State", state))


class TwinSimulator:
    """The slow and obvious version of `simulation.Simulator`.

    `places` has the instance and the thread of each workgroup. `rules` runs a launch; `faulty_twin` has
    others, each with a planted fault.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        steps: InstanceSteps,
        places: Sequence[tuple[int, int]],
        rules: type[TwinLaunch] | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.steps = steps
        self.places = places
        self.rules = rules or TwinLaunch
        self._stuck: dict[object, bool] = {}

    def schedule(self, number: int, most: int | None = None) -> tuple[LaunchResult | None, list[LaunchEvent]]:
        """Run the launch with this number, and return its result and all its events. The result's `period` is 0.

        The result is None if the outcome is not certain after `most` steps.
        """
        run = self.rules(self, RandomNumbers(self.scheduler.seed, number))
        return run.result(most), run.events

    def are_stuck(self, states: Sequence[Hashable], residents: frozenset[int]) -> bool:
        """Return whether none of the workgroups `residents` ever ends, in whatever order they step from now on.

        `states` has the present state of each instance.
        """
        mine = sorted({self.places[workgroup][0] for workgroup in residents})
        start = tuple(states[instance] for instance in mine)
        key = (start, residents)
        if key not in self._stuck:
            self._stuck[key] = not self._may_end(mine, start, residents)
        return self._stuck[key]

    def _may_end(self, mine: list[int], start: tuple[Hashable, ...], residents: frozenset[int]) -> bool:
        met, to_do = {start}, deque([start])
        while to_do:
            joint = to_do.popleft()
            for workgroup in residents:
                instance, thread = self.places[workgroup]
                at = mine.index(instance)
                after = self.steps.after(joint[at], thread)
                if thread not in self.steps.live(after):
                    return True
                stepped = (*joint[:at], after, *joint[at + 1 :])
                if stepped not in met:
                    met.add(stepped)
                    to_do.append(stepped)
        return False


class TwinLaunch:
    """One launch. Its public methods are the rules of the scheduler, each of which a planted fault may break."""

    def __init__(self, simulator: TwinSimulator, random: RandomNumbers) -> None:
        self.simulator = simulator
        self.scheduler = simulator.scheduler
        self.random = random
        self.events: list[LaunchEvent] = []
        least, most = self.scheduler.slots
        self.slots = least + random.below(most - least + 1) if most > least else least
        self.queue = deque(self.order())
        self.states = [simulator.steps.start] * (1 + max(instance for instance, _ in simulator.places))
        count = min(self.slots, -(-len(simulator.places) // self.scheduler.batch))  # more would never be used
        self.resident: list[int | None] = [None] * count
        self.used = [0] * count
        self.given = [0] * count  # how often each slot was given away
        self.batch: list[deque[int]] = [deque() for _ in range(count)]
        self.last = count - 1
        self.is_new = True  # whether the slot that was picked last has another workgroup since then
        self.preemptions = 0
        self.met: set[object] = set()
        self.steps = 0
        for slot in range(count):
            self._give(slot)
        self.occupied = [slot for slot in range(count) if self.resident[slot] is not None]  # as a random pick sees them

    def result(self, most: int | None = None) -> LaunchResult | None:
        """Run the launch until all its workgroups have ended, or until it is certain that it hangs."""
        while self.occupied and not self._never_ends():
            if self.steps == most:
                return None
            self._step()
        steps, places = self.simulator.steps, self.simulator.places
        started = [0] * len(self.states)
        for event in self.events:
            if event.kind == "start":
                instance, thread = places[event.workgroup]
                started[instance] |= 1 << thread
        live = [steps.live(state) for state in self.states]
        finished = [
            sum(1 << thread for thread in range(steps.threads) if thread not in hung_threads) for hung_threads in live
        ]
        return LaunchResult(
            "hung" if any(live) else "ended", self.steps, self.slots, 0, packed_sets(started), packed_sets(finished)
        )

    def order(self) -> list[int]:
        """Return the workgroups in the order in which they wait at the start of the launch."""
        return _dispatch_order(self.scheduler, len(self.simulator.places), self.random)

    def batch_size(self) -> int:
        """Return how many workgroups a slot takes at once."""
        return self.scheduler.batch

    def may_take(self, slot: int) -> bool:  # noqa: ARG002  (a fault looks at the slot)
        """Return whether a slot may take the next workgroup of the queue."""
        return bool(self.queue)

    def take(self) -> int:
        """Take the next workgroup from the queue, and return it."""
        return self.queue.popleft()

    def put_back(self, workgroup: int) -> None:
        """Let a workgroup that has been pre-empted wait."""
        self.queue.append(workgroup)

    def preempts(self) -> bool:
        """Return whether the scheduler still counts the steps of a workgroup and pre-empts it."""
        return self.scheduler.quantum > 0

    def turns(self) -> list[int]:
        """Return the occupied slots that take turns."""
        return self.occupied

    def goes_on(self) -> bool:
        """Return whether the slot that was picked last is picked again, although it has had its turn."""
        return False

    def counts(self) -> object:
        """Return what a fault counts: the launch is in the same state as before only if this is the same, too."""
        return None

    def _never_ends(self) -> bool:
        if not self.scheduler.is_deterministic:
            return self.simulator.are_stuck(self.states, frozenset(w for w in self.resident if w is not None))
        used = tuple(self.used) if self.scheduler.quantum else ()
        slots = (tuple(self.resident), used, tuple(map(tuple, self.batch)), self.last, self.counts())
        state = (slots, tuple(self.queue), tuple(self.states))
        if state in self.met:
            return True
        self.met.add(state)
        return False

    def _step(self) -> None:
        slot = self._pick()
        workgroup = self.resident[slot]
        assert workgroup is not None
        self.last, self.is_new = slot, False
        instance, thread = self.simulator.places[workgroup]
        self.states[instance] = self.simulator.steps.after(self.states[instance], thread)
        self.steps += 1
        self.events.append(LaunchEvent("step", workgroup, slot))
        if thread not in self.simulator.steps.live(self.states[instance]):
            self.events.append(LaunchEvent("end", workgroup, slot))
            self._give(slot)
        elif self.preempts():
            self.used[slot] += 1
            if self.used[slot] == self.scheduler.quantum:
                self.preemptions += 1
                self.events.append(LaunchEvent("preempt", workgroup, slot))
                self.put_back(workgroup)
                self._give(slot)
        if self.resident[slot] is None:
            self._remove(slot)

    def _give(self, slot: int) -> None:
        """Give a slot to the next workgroup of its batch, else of the queue, of which it takes a batch."""
        self.used[slot] = 0
        self.is_new = True
        self.given[slot] += 1
        batch = self.batch[slot]
        if not batch:
            while len(batch) < self.batch_size() and self.may_take(slot):
                batch.append(self.take())
        if batch:
            workgroup = batch.popleft()
            self.resident[slot] = workgroup
            self.events.append(LaunchEvent("start", workgroup, slot))
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
            if self.goes_on():
                return self.last
            turns = self.turns()
            return min([slot for slot in turns if slot > self.last] or turns)
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


def packed_sets(sets: Sequence[int]) -> bytes:
    """Return sets of threads in the packed form of `LaunchResult`: 4 bytes for each set."""
    return struct.pack(f"{len(sets)}I", *sets)
