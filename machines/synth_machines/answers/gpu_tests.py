"""One run of a litmus test on the repaired GPU, step by step, as a trace of the machine `thread_execution`.

Each workgroup of the test is a block of one thread. All happens as early as it can: blocks go to free multiprocessors
in their order, and threads take the token for memory in turn. A thread that has the token executes one instruction, and
then waits at the end of the queue or finishes. So the run is fair. If the test and the queue come back to a state that
they were in, the run goes round and round.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.programs.text import write_instruction
from synth_checker.twin import semantics
from synth_machines.answers.gpu_times import LaunchTimes, TimedEvent, trace_of

if TYPE_CHECKING:
    from synth_checker.programs.program import Program, State
    from synth_machines.answers.traces import TraceFields

#: The constants of a run: each block has one thread.
_WARP = 1


@dataclass(slots=True)
class LitmusEvent:
    """An event of the machine at a time. If a thread executes an instruction, `memory` is what it leaves there."""

    time: int
    event: str
    block: int | None = None
    multiprocessor: int | None = None
    instruction: str | None = None
    memory: list[int] | None = None


@dataclass(frozen=True, slots=True)
class LitmusRun:
    """What `synth machine run --test --json` prints.

    `ended` says whether all threads of the test ended. If not, the events from number `cycle` on repeat without end;
    `cycle` is null if the run was cut off.
    """

    test: str
    multiprocessors: int
    c: int
    duration: int
    ended: bool
    cycle: int | None
    events: list[LitmusEvent]


def run_litmus(  # noqa: PLR0913  (all have names)
    program: Program, test: str, *, multiprocessors: int, c: int, duration: int, most: int
) -> LitmusRun:
    """Return the run of a test, with at most `most` instructions."""
    now, begun, cycle = 0, 0, None
    state = semantics.start(program)
    free = list(range(multiprocessors, 0, -1))
    places: dict[int, int] = {}
    ready: deque[int] = deque()
    events: list[LitmusEvent] = []
    met: dict[tuple[State, tuple[int, ...]], int] = {}

    def add(event: str, block: int | None = None, multiprocessor: int | None = None) -> LitmusEvent:
        events.append(LitmusEvent(now, event, block, multiprocessor))
        return events[-1]

    add("EXECUTION")
    now = c
    for _ in range(most):
        while free and begun < len(program):
            places[begun] = free.pop()
            add("Affectation", begun, places[begun])
            add("bloc_executing", begun)
            add("Thread_election", begun)
            ready.append(begun)
            begun += 1
        if not ready:
            break
        if (state, tuple(ready)) in met:
            cycle = met[state, tuple(ready)]
            break
        met[state, tuple(ready)] = len(events)
        block = ready.popleft()
        step = add("Thread_running", block)
        step.instruction = write_instruction(program[block], state.pcs[block])
        state = semantics.step(program, state, block)
        step.memory = list(state.memory)
        now += duration
        add("tick")
        if block in semantics.live(program, state):
            add("Thread_yield", block)
            ready.append(block)
        else:
            add("Thread_finishing", block)
            add("bloc_ending", block)
            free.append(places.pop(block))
            free.sort(reverse=True)
    ended = not semantics.live(program, state)
    if ended:
        add("ENDEXECUTION")
    return LitmusRun(test, multiprocessors, c, duration, ended, cycle, events)


def litmus_trace(run: LitmusRun, blocks: int) -> TraceFields:
    """Return the run of a test with so many threads as a trace of `thread_execution`."""
    events = [
        TimedEvent(
            event.time,
            event.event,
            -1 if event.block is None else event.block,
            0 if event.event.startswith("Thread_") else -1,
            event.multiprocessor or -1,
        )
        for event in run.events
    ]
    return trace_of(LaunchTimes(blocks, run.multiprocessors, _WARP, run.c, run.duration), events)
