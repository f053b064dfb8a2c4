"""The commands below `synth sim` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_checker.programs.program import Program
from synth_devices.simulated.answer import PresetAnswer
from synth_devices.simulated.answer import SimulationAnswer
from synth_devices.simulated.power import Power
from synth_devices.simulated.schedule_answer import AttackAnswer
from synth_devices.simulated.schedule_answer import ReplayedSchedule

def run(
    tests: str | Iterable[str],
    *,
    scheduler: str = 'linear',
    mapping: str = 'round-robin',
    instances: int | None = None,
    launches: int = 20,
    first: int = 0,
    seed: int | None = None,
    events: bool = False,
    timeline: bool = False,
    svg: str | PathLike[str] | None = None,
    force: bool = False,
    expect: str | None = None,
    jobs: int | None = None,
    corpus: str | None = None,
) -> builtins.list[SimulationAnswer]:
    """Launch tests on a simulated scheduler, and say which launches end and which hang."""

def attack(
    test: str | PathLike[str] | Program,
    *,
    verdict: str,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    corpus: str | None = None,
) -> AttackAnswer:
    """Find a schedule that keeps the promise of a model and makes a test hang."""

def replay(
    test: str | PathLike[str] | Program,
    schedule: str | PathLike[str],
    *,
    scheduler: str = 'linear',
    mapping: str = 'round-robin',
    instances: int | None = None,
    first: int = 0,
    seed: int | None = None,
    verdict: str | None = None,
    corpus: str | None = None,
) -> ReplayedSchedule:
    """Run a schedule that a file has, and check that each line keeps the rules of the scheduler."""

def list(
) -> builtins.list[PresetAnswer]:
    """List the schedulers that ship with synth."""

def power(
    tests: str | Iterable[str],
    *,
    corpus: str | None = None,
) -> Power:
    """Plant faults in simulated schedulers, and say which of them a suite catches under which mapping."""

def show(
    scheduler: str,
) -> PresetAnswer:
    """Show a scheduler: the file that describes it, and the verdicts that it implies if it ships with synth."""
