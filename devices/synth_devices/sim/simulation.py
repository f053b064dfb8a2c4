"""Launches of a test on a simulated scheduler, run by the core (checker/native/simulation)."""

from __future__ import annotations

import functools
import struct
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_backends.mapping import LitmusLaunch, Mapping
from synth_checker import _native
from synth_checker.errors import InputError
from synth_checker.programs.normal import written_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_checker.programs.program import Program
    from synth_devices.sim.scheduler import Scheduler

EventKind: TypeAlias = Literal["start", "step", "preempt", "end"]
EVENTS: tuple[EventKind, ...] = ("start", "step", "preempt", "end")


class LaunchEvent(NamedTuple):
    """One thing that happens in a launch: a workgroup starts in a slot, steps, is pre-empted, or ends."""

    kind: EventKind
    workgroup: int
    slot: int


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """The outcome of a launch: whether it ended or hung, and which threads started and ended.

    `steps` is the number of steps until all workgroups had ended or the hang was certain. `slots` is how many slots
    this launch had. `period` is the number of steps after which the schedule of a hang repeats; if the launch ended, or
    the pick is random, it is 0. `packed_started` and `packed_finished` have the sets of `started` and `finished`, in 4
    bytes for each instance.
    """

    outcome: Literal["ended", "hung"]
    steps: int
    slots: int
    period: int
    packed_started: bytes
    packed_finished: bytes

    @property
    def started(self) -> tuple[int, ...]:
        """Return, for each instance, the set of its threads that have had a slot, as a bit mask."""
        return _unpacked(self.packed_started)

    @property
    def finished(self) -> tuple[int, ...]:
        """Return, for each instance, the set of its threads that have ended, as a bit mask."""
        return _unpacked(self.packed_finished)

    @property
    def is_hung(self) -> bool:
        """Return whether some workgroup of the launch never ends."""
        return self.outcome == "hung"

    def __repr__(self) -> str:
        """Return how the launch ended and after how many steps."""
        return f"<LaunchResult: {self.outcome} after {self.steps} steps>"


class Simulator:
    """Runs launches of a test: `instances` copies of it, whose threads a mapping gives to workgroups.

    The seed of the scheduler and the number of a launch decide everything in it, so a launch can be repeated.

    Raises:
        InputError: the scheduler is not valid, see `Scheduler`, or the mapping needs workgroups of several threads.
        LimitError: the test reaches too many states, or has more instances than the mapping can tell apart.
    """

    def __init__(
        self, scheduler: Scheduler, program: Program, mapping: Mapping, instances: int, fault: str = "none"
    ) -> None:
        self.scheduler = scheduler
        if mapping.kind.is_anew:
            raise InputError(
                f"mapping {mapping.name}: all simulated launches have the same places; write it without the +"
            )
        if mapping.apart:
            raise InputError(
                f"mapping {mapping.name}: a simulated workgroup has only one thread; choose another mapping"
            )
        self.shape = LitmusLaunch(mapping, len(program), instances)
        self._system = _native.Lts.of_program(written_out(program))
        self._core = _native.Simulator(
            self._system,
            instances,
            places_of(self.shape),
            slots=scheduler.slots,
            order=scheduler.order,
            spread=scheduler.spread,
            batch=scheduler.batch,
            quantum=scheduler.quantum,
            pick=scheduler.pick,
            seed=scheduler.seed,
            fault=fault,
        )

    def launch(self, number: int) -> LaunchResult:
        """Run a launch, and return its outcome. `number`, from 0 on, decides the random choices of the launch."""
        return _result(self._core.run(number))

    def hangs(self, number: int) -> bool:
        """Run the launch with this number, and return whether it hangs."""
        return self._core.run(number)[0]

    def table(self) -> list[list[int]]:
        """Return the steps of one instance: a row for each state, with the state after a step of each thread.

        State 0 is the start. In a row, -1 stands for a thread that has ended.
        """
        return self._system.table()

    def recurs(self, workgroups: Sequence[int], prefix: int) -> bool:
        """Run some steps, and return whether they lead back to the state before the step with the index `prefix`.

        If they do, the steps from that one on can be repeated without end. `workgroups` are the workgroups that take
        the steps. All workgroups are resident, whatever the scheduler says.

        Raises:
            InputError: a workgroup that steps is not there or has ended, or no step follows `prefix`.
        """
        return self._core.recurs(workgroups, prefix)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Return the instance and the thread that each workgroup runs, in the order of the workgroups."""
        return [self.shape.place(workgroup) for workgroup in range(self.shape.workgroups)]

    def schedule(self, number: int) -> tuple[LaunchResult, list[LaunchEvent]]:
        """Run the launch with this number, and return its result and all its events, in order.

        Each step adds at least one event to the list, so the list of a long launch takes much memory.
        """
        events: list[LaunchEvent] = []
        return self.watch(number, events.extend), events

    def watch(
        self, number: int, take: Callable[[Iterator[LaunchEvent]], None], steps: Sequence[int] | None = None
    ) -> LaunchResult:
        """Run the launch with this number, and return its result. `take` is given all events, some thousand at a time.

        So a long launch needs little memory. `take` may not use this simulator. If `steps` is given and the scheduler
        picks at random, these are the workgroups that step, in place of those that the scheduler would draw.

        Raises:
            InputError: a workgroup in `steps` is not resident when it should step, or the launch goes on after `steps`.
        """

        def unpacked(packed: bytes) -> None:
            rows = struct.iter_unpack("3i", packed)
            take(LaunchEvent(EVENTS[kind], workgroup, slot) for kind, workgroup, slot in rows)

        return _result(self._core.run(number, unpacked, steps))


def _result(fields: tuple[bool, int, int, int, bytes, bytes]) -> LaunchResult:
    is_hung, steps, slots, period, started, finished = fields
    return LaunchResult("hung" if is_hung else "ended", steps, slots, period, started, finished)


def _unpacked(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f"{len(packed) // 4}I", packed)


def patterns(packed: bytes, threads: int) -> dict[str, int]:
    """Return how often each set of threads occurs among packed ones, of which each instance has one of 4 bytes.

    The most frequent set comes first.
    """
    instances = len(packed) // 4
    if packed == packed[:4] * instances:  # usually, and much faster
        counts = [(struct.unpack_from("I", packed)[0], instances)]
    else:
        counts = Counter(memoryview(packed).cast("I")).most_common()
    return {"".join(str(mask >> thread & 1) for thread in range(threads)): times for mask, times in counts}


@functools.lru_cache(maxsize=64)
def places_of(launch: LitmusLaunch) -> bytes:
    """Return the instance and the thread of each workgroup, as numbers of 4 bytes in the byte order of this machine."""
    numbers = [number for w in range(launch.threads * launch.instances) for number in launch.place(w)]
    return struct.pack(f"{len(numbers)}i", *numbers)
