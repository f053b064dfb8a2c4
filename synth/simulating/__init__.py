"""Runs of tests on the simulated device: which launches end, and which hang (docs/sim.md).

    simulation = simulate("0011-00_0", "reverse", mapping="chunked", launches=20)
    simulation.hung                 # how many of the launches hang
    simulation.launches[0].finished

A simulator is given a program as it is, with its no-ops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from synth.inputs.asking import program_given
from synth.work.execution import processes, tell_nobody
from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError, LimitError, check_type
from synth_checker.os_threads import run_in_order
from synth_checker.programs.normal import written_out
from synth_devices.sim.presets import read_scheduler
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import Simulator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth.inputs.asking import Given
    from synth.work.execution import Progress
    from synth_checker.programs.program import Program
    from synth_devices.sim.simulation import Event, LaunchResult

#: How many workgroups a launch has at most, unless instances are asked for: what every GPU interface can start.
WORKGROUPS = 65_535
#: Of more workgroups, the list of what each runs would take long to write.
MOST_WORKGROUPS = 1 << 20
MAPPING = "round-robin"
SCHEDULER = "linear"
LAUNCHES = 20


@dataclass(frozen=True, slots=True)
class Simulation:
    """A test, how it was launched, and what became of each launch.

    A launch with the same `seed` and the same number always takes the same steps.
    """

    id: str
    scheduler: Scheduler
    mapping: str
    instances: int
    first: int
    launches: tuple[LaunchResult, ...]

    @property
    def hung(self) -> int:
        """How many launches hang."""
        return sum(launch.is_hung for launch in self.launches)

    @property
    def ended(self) -> int:
        """How many launches end."""
        return len(self.launches) - self.hung

    def __repr__(self) -> str:
        """Return the test, the mapping, and how many launches hang."""
        return f"<Simulation of {self.id}, {self.mapping}: {self.hung} of {len(self.launches)} launches hang>"


@dataclass(frozen=True, slots=True)
class Launches:
    """What is to be launched: under which scheduler and mapping, in how many instances, and which launches.

    Without `instances` a launch fills 65,535 workgroups. The mapping `plain` has one instance.

    Raises:
        InputError: a number is too small.
    """

    scheduler: Scheduler
    mapping: str = MAPPING
    instances: int | None = None
    first: int = 0
    count: int = LAUNCHES

    def __post_init__(self) -> None:
        for what, found, least in (("launches", self.count, 1), ("first", self.first, 0)):
            check_type(what, found, int, "a number")
            if found < least:
                msg = f"{what}: found {found}, expected at least {least}"
                raise InputError(msg)
        if self.instances is not None and self.instances < 1:
            msg = f"instances: found {self.instances}, expected at least 1"
            raise InputError(msg)

    def instances_of(self, program: Program) -> int:
        """Return how many instances of a program a launch has.

        Raises:
            LimitError: these would be more than 1,048,576 workgroups.
        """
        if self.mapping == "plain":
            return 1
        instances = self.instances or max(1, WORKGROUPS // len(program))
        if instances * len(program) > MOST_WORKGROUPS:
            most = MOST_WORKGROUPS // len(program)
            msg = f"instances: found {instances}, expected at most {most} of a program with {len(program)} threads"
            raise LimitError(msg)
        return instances

    def simulator(self, program: Program) -> Simulator:
        """Return a simulator of a program, under this scheduler and mapping, and with this number of instances."""
        return Simulator(self.scheduler, program, read_mapping(self.mapping), self.instances_of(program))


def simulate(  # noqa: PLR0913  (all but the first have defaults and names)
    program: Given,
    scheduler: Scheduler | str = SCHEDULER,
    *,
    mapping: str = MAPPING,
    instances: int | None = None,
    launches: int = LAUNCHES,
    first: int = 0,
    seed: int | None = None,
) -> Simulation:
    """Launch a program on a simulated scheduler, and say which launches end and which hang.

    `scheduler` is a preset, the path of a file, or a `Scheduler`, and `seed` replaces its seed. `mapping` says which
    workgroup runs which thread of which of the `instances`, by default as many as fill 65,535 workgroups. The launches
    are numbered from `first` on.

    Raises:
        InputError: a word or number is not valid, or it can't be decided whether launches on the scheduler hang.
        LimitError: the program reaches too many states.
    """
    asked = Launches(seeded(scheduler, seed), mapping, instances, first, launches)
    return launched(program_given(program), asked)


def seeded(scheduler: Scheduler | str, seed: int | None) -> Scheduler:
    """Return the scheduler that a caller names. Unless `seed` is None, it replaces the seed of the scheduler."""
    found = scheduler if isinstance(scheduler, Scheduler) else read_scheduler(scheduler)
    return found if seed is None else replace(found, seed=seed)


def launched(program: Program, asked: Launches) -> Simulation:
    """Run all launches of a program that the caller asks for, and return their results."""
    simulator = asked.simulator(program)
    results = tuple(simulator.launch(number) for number in range(asked.first, asked.first + asked.count))
    return Simulation(
        written_out(program), asked.scheduler, asked.mapping, asked.instances_of(program), asked.first, results
    )


def schedule(program: Program, asked: Launches) -> tuple[LaunchResult, list[Event]]:
    """Run the first of the launches of a program, and return its result and its events."""
    return asked.simulator(program).schedule(asked.first)


def simulations(
    programs: Iterable[Program],
    asked: Launches,
    *,
    jobs: int | None = None,
    progress: Progress = tell_nobody,
) -> Iterator[Simulation]:
    """Launch many programs as `simulate` does, and yield a result for each program, in the order of the programs.

    `jobs` is the number of operating-system threads that do the work.
    """
    tasks = [partial(launched, program, asked) for program in programs]
    threads = processes(jobs)
    for done, simulation in enumerate(run_in_order(tasks, threads, 2 * threads), 1):
        progress(done, len(tasks), 0)
        yield simulation
