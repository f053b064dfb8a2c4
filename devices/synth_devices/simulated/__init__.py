"""Runs of tests on the simulated device: which launches end, and which hang (docs/understand/sim.md).

    simulation = simulate("0011-00_0", "reverse", mapping="chunked", launches=20)
    simulation.hung                 # how many of the launches hang
    simulation.launches[0].finished

A simulator is given a program as it is, with its no-ops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError, LimitError, check_number, check_type
from synth_checker.programs.normal import written_out
from synth_devices.sim.defaults import LAUNCHES, MAPPING, SCHEDULER, WORKGROUPS
from synth_devices.sim.presets import read_scheduler
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import Simulator
from synth_litmus.inputs.questions import program_given

if TYPE_CHECKING:
    from synth_checker.programs.program import Program
    from synth_devices.sim.simulation import LaunchResult
    from synth_litmus.inputs.questions import Given

#: Of more workgroups, the list of what each runs would take long to write.
MOST_WORKGROUPS = 1 << 20
#: The largest number of a launch.
_LAST = (1 << 64) - 1


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

    Without `instances`, a launch has as many instances as fit into 65,535 workgroups. The mapping `plain` has one
    instance.

    Raises:
        InputError: a number is too small or too large, there is no such mapping, or `plain` comes with several
            instances.
    """

    scheduler: Scheduler
    mapping: str = MAPPING
    instances: int | None = None
    first: int = 0
    count: int = LAUNCHES

    def __post_init__(self) -> None:
        check_number("launches", self.count, 1, _LAST)
        check_number("first", self.first, 0, _LAST)
        if self.first + self.count - 1 > _LAST:
            raise InputError(
                f"first: found {self.first}, expected at most {_LAST + 1 - self.count} for {self.count} launches"
            )
        is_plain = read_mapping(self.mapping).name == "plain"
        if self.instances is not None:
            check_number("instances", self.instances, 1, MOST_WORKGROUPS)
            if is_plain and self.instances > 1:
                raise InputError(
                    f"mapping plain: found {self.instances} instances, expected 1; choose another mapping for more"
                )

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
            raise LimitError(
                f"instances: found {instances}, expected at most {most} of a program with {len(program)} threads"
            )
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
    request = Launches(seeded_scheduler(scheduler, seed), mapping, instances, first, launches)
    litmus_program = program_given(program)
    simulator = request.simulator(litmus_program)
    results = tuple(simulator.launch(number) for number in range(first, first + launches))
    return Simulation(
        written_out(litmus_program), request.scheduler, mapping, request.instances_of(litmus_program), first, results
    )


def seeded_scheduler(scheduler: Scheduler | str, seed: int | None) -> Scheduler:
    """Return the scheduler that a caller names. Unless `seed` is None, it replaces the seed of the scheduler."""
    check_type("scheduler", scheduler, (Scheduler, str), "a Scheduler, the name of a preset, or the path of a file")
    chosen = scheduler if isinstance(scheduler, Scheduler) else read_scheduler(scheduler)
    return chosen if seed is None else replace(chosen, seed=seed)
