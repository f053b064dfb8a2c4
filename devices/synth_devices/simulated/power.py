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
from synth_corpus.record import Id  # noqa: TC001  (for the JSON Schema)
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
    """A planted fault, the verdict that it breaks, and for each mapping the tests that catch it.

    `candidates` is how many tests of the suite pass the verdict. `hides_in_plain` says that no launch under the mapping
    `plain` can show the fault, if the test has at most six threads.
    """

    name: str
    about: str
    verdict: str
    hides_in_plain: bool
    candidates: int
    caught_by: dict[str, list[Id]]

    @property
    def is_caught(self) -> bool:
        """Whether some test catches the fault under some mapping."""
        return any(self.caught_by.values())


@dataclass(frozen=True, slots=True)
class Power:
    """The tests of a suite, and the planted faults that they catch.

    `caught` is how many faults some test catches. `smallest` is the smallest part of the suite with the same power.
    """

    tests: list[Id]
    caught: int
    faults: list[FaultCaught]
    smallest: list[Id]


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
    ids = [written_out(program) for program in programs]
    faults = []
    for number, fault in enumerate(FAULTS):
        progress(number, len(FAULTS))
        faults.append(_caught(fault, programs, ids, checks))
    goals = [(caught.name, mapping) for caught in faults for mapping, catching in caught.caught_by.items() if catching]
    reaches = [
        sum(
            1 << bit
            for bit, (name, mapping) in enumerate(goals)
            if any(caught.name == name and id_ in caught.caught_by[mapping] for caught in faults)
        )
        for id_ in ids
    ]
    cover = smallest_cover(reaches, [sum(map(len, program)) for program in programs])
    return Power(ids, sum(fault.is_caught for fault in faults), faults, [ids[place] for place in cover.chosen])


def _caught(
    fault: SchedulerFault, programs: Sequence[Program], ids: Sequence[str], checks: Sequence[Check]
) -> FaultCaught:
    passing = [place for place, check in enumerate(checks) if check.verdicts[fault.verdict] == "pass"]
    by = {mapping: [ids[place] for place in passing if _hangs(fault, programs[place], mapping)] for mapping in MAPPINGS}
    return FaultCaught(fault.name, fault.about, fault.verdict, fault.hides_in_plain, len(passing), by)


def _hangs(fault: SchedulerFault, program: Program, mapping: str) -> bool:
    instances = 1 if mapping == "plain" else max(1, WORKGROUPS // len(program))
    simulator = Simulator(fault.scheduler, program, read_mapping(mapping), instances, fault.name)
    return any(simulator.hangs(number) for number in range(LAUNCHES))
