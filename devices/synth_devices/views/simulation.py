"""The texts of `synth sim`: launches of tests, replayed schedules, and schedulers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_devices.sim.presets import Preset
    from synth_devices.simulated.counts import SimulationCounts
    from synth_devices.simulated.power import Power
    from synth_devices.simulated.schedule_answer import AttackAnswer, ReplayedSchedule


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


def replay_line(answer: ReplayedSchedule) -> str:
    """Return what a replayed schedule does, and if a verdict is given, whether it keeps its promise."""
    steps = count(answer.steps, "step")
    if not answer.cycle:
        does = f"hangs, which is certain after {steps}" if answer.hangs else f"ends after {steps}"
        return f"{answer.test}: each line keeps the rules; the launch {does}"
    cycle = count(answer.cycle, "step")
    line = f"{answer.test}: after {steps}, a cycle of {cycle} leads back to its start, so the test hangs"
    if answer.keeps is None:
        return line
    keeps = f"the schedule {'keeps' if answer.keeps else 'does not keep'} the promise of {answer.verdict}"
    return f"{line}; {keeps}" + f": {answer.reason}" * bool(answer.reason)


def no_attack_line(answer: AttackAnswer) -> str:
    """Return that no schedule of a model makes a test hang."""
    return f"{answer.test}: no schedule that keeps the promise of {answer.verdict} makes this test hang"


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
