"""The power of a suite: which planted faults of the simulated scheduler it catches, and under which mapping.

A suite catches a fault if one of its tests passes the verdict that the fault breaks, and hangs on the faulty scheduler.
The smallest suite with the same power is a smallest cover (`synth_search.suites.cover`): it catches each fault under
the same mappings as the whole suite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError
from synth_checker.programs.normal import written_out
from synth_devices.sim.faults import FAULTS
from synth_devices.sim.simulation import Simulator
from synth_litmus.facts.check import check_programs
from synth_search.suites.cover import smallest_cover
from synth_workers.execution import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.programs.program import Program
    from synth_devices.sim.faults import SchedulerFault
    from synth_litmus.facts.check import Check
    from synth_workers.execution import StepProgress

MAPPINGS = ("plain", "round-robin", "chunked", "hybrid:2")
#: Workgroups of a launch: enough to fill the slots of the faulty schedulers many times.
WORKGROUPS = 240
LAUNCHES = 10


@dataclass(frozen=True, slots=True)
class FaultCaught:
    """A fault, and for each mapping the ids of the tests that catch it.

    `candidates` is how many tests of the suite pass the verdict that the fault breaks.
    """

    fault: SchedulerFault
    candidates: int
    by: dict[str, tuple[str, ...]]

    @property
    def is_caught(self) -> bool:
        """Whether some test catches the fault under some mapping."""
        return any(self.by.values())


@dataclass(frozen=True, slots=True)
class Power:
    """What a suite catches, and the ids of a smallest part of it that catches the same under the same mappings."""

    tests: tuple[str, ...]
    faults: tuple[FaultCaught, ...]
    smallest: tuple[str, ...]

    @property
    def caught(self) -> int:
        """How many faults the suite catches."""
        return sum(fault.is_caught for fault in self.faults)


def power_of(programs: Sequence[Program], progress: StepProgress = ignore_progress) -> Power:
    """Launch the tests of a suite on each faulty scheduler, and return which faults the suite catches.

    Raises:
        InputError: there is no test.
        LimitError: a program is too large to judge.
    """
    if not programs:
        raise InputError("power: found no test, expected at least one")
    programs = list({written_out(program): program for program in programs}.values())  # each test once
    checks = check_programs(programs)
    ids = tuple(written_out(program) for program in programs)
    faults = []
    for number, fault in enumerate(FAULTS):
        progress(number, len(FAULTS))
        faults.append(_caught(fault, programs, ids, checks))
    goals = [(caught.fault.name, mapping) for caught in faults for mapping, catching in caught.by.items() if catching]
    reaches = [
        sum(
            1 << bit
            for bit, (name, mapping) in enumerate(goals)
            if any(caught.fault.name == name and id_ in caught.by[mapping] for caught in faults)
        )
        for id_ in ids
    ]
    cover = smallest_cover(reaches, [sum(map(len, program)) for program in programs])
    return Power(ids, tuple(faults), tuple(ids[place] for place in cover.chosen))


def _caught(
    fault: SchedulerFault, programs: Sequence[Program], ids: Sequence[str], checks: Sequence[Check]
) -> FaultCaught:
    passing = [place for place, check in enumerate(checks) if check.verdicts[fault.verdict] == "pass"]
    by = {
        mapping: tuple(ids[place] for place in passing if _hangs(fault, programs[place], mapping))
        for mapping in MAPPINGS
    }
    return FaultCaught(fault, len(passing), by)


def _hangs(fault: SchedulerFault, program: Program, mapping: str) -> bool:
    instances = 1 if mapping == "plain" else max(1, WORKGROUPS // len(program))
    simulator = Simulator(fault.scheduler, program, read_mapping(mapping), instances, fault.name)
    return any(simulator.hangs(number) for number in range(LAUNCHES))
