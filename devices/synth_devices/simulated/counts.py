"""Launches of many tests, counted: how many hang, and in how many instances which threads started and ended.

The launches of a test are divided into *pieces* of about a million workgroups. So all processors have work even if
there is one test only, and nobody waits long for the end of a piece. The result of a whole launch has some bytes for
each instance, so that of each launch only counts are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice
from typing import TYPE_CHECKING, Literal

from synth_checker.os_threads import run_in_order
from synth_checker.programs.normal import written_out
from synth_devices.sim.simulation import patterns
from synth_workers.execution import ignore_progress, processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_checker.programs.program import Program
    from synth_devices.sim.scheduler import Scheduler
    from synth_devices.sim.simulation import LaunchResult
    from synth_devices.simulated import Launches
    from synth_workers.execution import StepProgress

#: The workgroups of all launches of a piece, about.
PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class LaunchCounts:
    """A launch by its number.

    `started` says for each set of threads in how many instances exactly these threads have had a slot. `finished` says
    in how many instances exactly these threads have ended. A set is written with one digit for each thread, thread 0
    first; the digit 1 says that the thread is in the set.
    """

    launch: int
    outcome: Literal["ended", "hung"]
    steps: int
    slots: int
    period: int
    started: dict[str, int]
    finished: dict[str, int]


@dataclass(frozen=True, slots=True)
class SimulationCounts:
    """A test, how it was launched, and how many of its launches hang.

    `steps` is the sum over all launches, and `first_hang` the first launch that hangs. `each` has all launches, if the
    caller wants them.
    """

    id: str
    scheduler: Scheduler
    mapping: str
    instances: int
    launches: int
    hung: int
    steps: int
    first_hang: LaunchCounts | None
    each: tuple[LaunchCounts, ...]

    @property
    def ended(self) -> int:
        """How many launches end."""
        return self.launches - self.hung


def count_hangs(
    programs: Sequence[Program],
    launches: Launches,
    *,
    each: bool = False,
    jobs: int | None = None,
    progress: StepProgress = ignore_progress,
) -> Iterator[SimulationCounts]:
    """Launch many programs as `simulate` does, and yield the counts of each program, in the order of the programs.

    With `each`, the counts of each launch are kept. `jobs` is the number of operating-system threads that do the work.

    Raises:
        InputError: `jobs` is less than 1.
        LimitError: a program reaches too many states, or the instances of one are too many.
    """
    sizes = [max(1, PIECE // (len(program) * launches.instances_of(program))) for program in programs]
    pieces = [-(-launches.count // size) for size in sizes]

    def tasks() -> Iterator[Callable[[], SimulationCounts]]:
        for program, size in zip(programs, sizes, strict=True):
            for done in range(0, launches.count, size):
                part = replace(launches, first=launches.first + done, count=min(size, launches.count - done))
                yield partial(_launched, program, part, each=each)

    threads = processes(jobs)
    results = run_in_order(tasks(), threads, 2 * threads)
    done, total = 0, sum(pieces)
    for number in pieces:
        parts = []
        for part in islice(results, number):
            parts.append(part)
            done += 1
            progress(done, total)
            if len(parts) == 2:  # so that a million pieces need no memory
                parts = [_joined(*parts)]
        yield reduce(_joined, parts)


def _launched(program: Program, launches: Launches, *, each: bool) -> SimulationCounts:
    simulator = launches.simulator(program)
    hung = steps = 0
    first_hang: LaunchCounts | None = None
    kept = []
    for number in range(launches.first, launches.first + launches.count):
        launch = simulator.launch(number)
        steps += launch.steps
        hung += launch.is_hung
        if launch.is_hung and first_hang is None:
            first_hang = _counts(number, launch, len(program))
        if each:
            kept.append(_counts(number, launch, len(program)))
    instances = launches.instances_of(program)
    return SimulationCounts(
        written_out(program), launches.scheduler, launches.mapping, instances, launches.count, hung, steps, first_hang,
        tuple(kept),
    )  # fmt: skip


def _joined(first: SimulationCounts, other: SimulationCounts) -> SimulationCounts:
    return replace(
        first,
        launches=first.launches + other.launches,
        hung=first.hung + other.hung,
        steps=first.steps + other.steps,
        first_hang=first.first_hang or other.first_hang,
        each=first.each + other.each,
    )


def _counts(number: int, launch: LaunchResult, threads: int) -> LaunchCounts:
    return LaunchCounts(
        number,
        launch.outcome,
        launch.steps,
        launch.slots,
        launch.period,
        patterns(launch.packed_started, threads),
        patterns(launch.packed_finished, threads),
    )
