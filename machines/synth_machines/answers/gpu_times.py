"""The times of a kernel on the repaired GPU: one run of the machines `@gpu`, in which all happens as early as it can.

- Blocks go to free multiprocessors in their order, and to the free one with the lowest number. A block that ends frees
  its multiprocessor at once.
- All threads of a block are elected when the block starts. They take the one token for global memory in the order of
  their election, and in a block by their lanes.
- A thread holds the token for `duration`, and then finishes. Meanwhile all others that are ready wait.

`trace` gives the same run as a trace of the machine `thread_execution`, so `synth machine replay` can check it.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import LimitError
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_machines.answers.traces import TraceFields, TraceStepFields

#: A run has so many threads at most, and a trace so many steps.
MOST_THREADS, _MOST_STEPS = 1_000_000, 100_000


@dataclass(frozen=True, slots=True)
class LaunchTimes:
    """A launch of a kernel: its threads, the multiprocessors, the threads of a warp, and times.

    `c` is the time to divide the kernel into blocks, and `duration` that of a thread's access to memory.
    """

    threads: int
    multiprocessors: int = 16
    warp: int = 32
    c: int = 1
    duration: int = 1

    @property
    def blocks(self) -> int:
        """The number of blocks. Each has `warp` threads, also the last one."""
        return -(-self.threads // self.warp)


@dataclass(slots=True)
class ThreadTimes:
    """When a thread is elected, for how long it waits for the token, and when it ends."""

    lane: int
    start: int
    waited: int = 0
    end: int = 0


@dataclass(slots=True)
class BlockTimes:
    """On which multiprocessor a block runs, counted from 1, from when to when, and its threads."""

    block: int
    multiprocessor: int
    start: int
    end: int = 0
    threads: list[ThreadTimes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """What `synth machine run --json` prints."""

    threads: int
    multiprocessors: int
    warp: int
    c: int
    duration: int
    start: int
    end: int
    blocks: list[BlockTimes]


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """An event of the machine at a time. What does not belong to the event is −1."""

    time: int
    event: str
    block: int = -1
    lane: int = -1
    multiprocessor: int = -1


def _timed_events(launch: LaunchTimes, *, with_waiting: bool = False) -> Iterator[TimedEvent]:
    """Yield what happens, in order. Thread_waiting is left out unless it is asked for."""
    now, begun = launch.c, 0
    free = list(range(launch.multiprocessors, 0, -1))
    places: dict[int, int] = {}
    unfinished: dict[int, int] = {}
    ready: deque[tuple[int, int]] = deque()
    yield TimedEvent(0, "EXECUTION")
    while begun < launch.blocks or ready:
        while free and begun < launch.blocks:
            places[begun] = free.pop()
            unfinished[begun] = launch.warp
            yield TimedEvent(now, "Affectation", begun, multiprocessor=places[begun])
            yield TimedEvent(now, "bloc_executing", begun)
            for lane in range(launch.warp):
                yield TimedEvent(now, "Thread_election", begun, lane)
                ready.append((begun, lane))
            begun += 1
        block, lane = ready.popleft()
        yield TimedEvent(now, "Thread_running", block, lane)
        for other, place in ready if with_waiting else ():
            for _ in range(launch.duration):
                yield TimedEvent(now, "Thread_waiting", other, place)
        now += launch.duration
        yield TimedEvent(now, "tick")
        yield TimedEvent(now, "Thread_finishing", block, lane)
        unfinished[block] -= 1
        if not unfinished[block]:
            yield TimedEvent(now, "bloc_ending", block)
            free.append(places.pop(block))
            free.sort(reverse=True)
    yield TimedEvent(now, "ENDEXECUTION")


def times_of_launch(launch: LaunchTimes) -> KernelTimes:
    """Return the times of a launch.

    Raises:
        LimitError: there are too many threads.
    """
    if launch.blocks * launch.warp > MOST_THREADS:
        raise LimitError(f"found {launch.blocks * launch.warp:,} threads in blocks, expected at most {MOST_THREADS:,}")
    blocks: list[BlockTimes] = []
    end = 0
    for happening in _timed_events(launch):
        match happening.event:
            case "Affectation":
                blocks.append(BlockTimes(happening.block, happening.multiprocessor, happening.time))
            case "Thread_election":
                blocks[happening.block].threads.append(ThreadTimes(happening.lane, happening.time))
            case "Thread_running":
                thread = blocks[happening.block].threads[happening.lane]
                thread.waited = happening.time - thread.start
            case "Thread_finishing":
                blocks[happening.block].threads[happening.lane].end = happening.time
            case "bloc_ending":
                blocks[happening.block].end = happening.time
        end = happening.time
    return answer_from(KernelTimes, launch, start=0, end=end, blocks=blocks)


def trace(launch: LaunchTimes) -> TraceFields:
    """Return the run of a launch as a trace of `thread_execution`.

    Raises:
        LimitError: there are too many steps.
    """
    events = list(itertools.islice(_timed_events(launch, with_waiting=True), _MOST_STEPS))
    if len(events) >= _MOST_STEPS:
        raise LimitError(f"found a trace with more than {_MOST_STEPS:,} steps, expected a smaller launch")
    return trace_of(launch, events)


def trace_of(launch: LaunchTimes, events: Iterable[TimedEvent]) -> TraceFields:
    """Return events of a run as a trace of `thread_execution`."""
    steps: list[TraceStepFields] = [{"event": "INITIALISATION", "parameters": {}, "chosen": {"GPU_OCC": "FALSE"}}]
    steps += [{"event": event.event, "parameters": _parameters(event), "chosen": {}} for event in events]
    setting = {
        "SM": str(launch.multiprocessors),
        "nb_kernel_threads": str(launch.threads),
        "warp": str(launch.warp),
        "c": str(launch.c),
        "duration": str(launch.duration),
    }
    return {"machine": "thread_execution", "setting": setting, "steps": steps}


def _parameters(happening: TimedEvent) -> dict[str, str]:
    if happening.event == "tick":
        return {"t": str(happening.time)}
    if happening.event == "Affectation":
        return {"s": f"SM{happening.multiprocessor}"}
    texts = {} if happening.block < 0 else {"m": str(happening.block)}
    return texts if happening.lane < 0 else {**texts, "p": str(happening.lane)}
