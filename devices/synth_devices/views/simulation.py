"""The texts of `synth sim`: launches of tests, replayed schedules, and schedulers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.normal import written_out
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.programs.program import Program
    from synth_devices.sim.adversary import Attack
    from synth_devices.sim.presets import Preset
    from synth_devices.sim.simulation import LaunchResult
    from synth_devices.simulated.counts import SimulationCounts
    from synth_devices.simulated.power import Power


def simulation_line(simulation: SimulationCounts) -> str:
    """Return how many launches of a test end and hang; for the first that hangs, also which threads had ended."""
    many = count(simulation.launches, "launch")
    of = f"{simulation.id}: {many} of {count(simulation.instances, 'instance')}"
    hang = simulation.first_hang
    if hang is None:
        return f"{of}: all ended"
    finished = ", ".join(f"{shown} in {count(times, 'instance')}" for shown, times in hang.finished.items())
    return (
        f"{of}: {simulation.hung} hung; in the first of these, launch {hang.launch}, the threads marked 1 have ended: "
        f"{finished}"
    )


def replay_line(program: Program, result: LaunchResult) -> str:
    """Return what a replayed schedule does."""
    return f"{written_out(program)}: each line keeps the rules; the launch {_outcome(result)}"


def attack_line(program: Program, attack: Attack, verdict: str | None, why: str | None) -> str:
    """Return what the replayed schedule of an attack does, and if a verdict is given, whether it keeps its promise."""
    stem, cycle = count(len(attack.stem), "step"), count(len(attack.cycle), "step")
    line = f"{written_out(program)}: after {stem}, a cycle of {cycle} leads back to its start, so the test hangs"
    if verdict is None:
        return line
    if why is None:
        return f"{line}; the schedule keeps the promise of {verdict}"
    return f"{line}; the schedule does not keep the promise of {verdict}: {why}"


def no_attack_line(program: Program, verdict: str) -> str:
    """Return that no schedule of a model makes a test hang."""
    return f"{written_out(program)}: no schedule that keeps the promise of {verdict} makes this test hang"


def _outcome(result: LaunchResult) -> str:
    if result.is_hung:
        return f"hangs, which is certain after {count(result.steps, 'step')}"
    return f"ends after {count(result.steps, 'step')}"


def power_lines(power: Power) -> Iterator[str]:
    """Yield a line for each planted fault of the scheduler: under which mappings how many tests of a suite catch it.

    Two lines follow: how many faults the suite catches, and a smallest part of the suite that catches the same faults.
    """
    width = max(len(fault.name) for fault in power.faults)
    for fault in power.faults:
        by = ", ".join(f"{mapping} {len(ids)}" for mapping, ids in fault.caught_by.items() if ids) or "not caught"
        yield f"{fault.name:{width}}  {fault.verdict:14}  of {fault.candidates}: {by}"
    suite = f"The suite of {count(len(power.tests), 'test')}"
    yield f"{suite} catches {power.caught} of {len(power.faults)} faults: on each of these, a test hangs that must end."
    if power.smallest:
        part = "The smallest part of the suite that catches the same faults under the same mappings"
        yield f"{part} has {count(len(power.smallest), 'test')}: {' '.join(power.smallest)}"


def preset_lines(presets: Sequence[Preset]) -> Iterator[str]:
    """Yield a line for each scheduler that ships: its name, and what it does."""
    width = max(len(preset.name) for preset in presets)
    for preset in presets:
        yield f"{preset.name:{width}}  {preset.about}"


def scheduler_lines(preset: Preset) -> Iterator[str]:
    """Yield lines about a scheduler that ships: what it does, its file, and the verdicts that it implies."""
    yield preset.about
    yield from preset.scheduler.toml().splitlines()
    if not preset.implied:
        return
    verdict = " or ".join(preset.implied)
    yield f"Every test that passes {verdict} ends on this scheduler."
    yield f"So does every test that passes a verdict that is at most as fair as {verdict}; synth lattice shows these."
