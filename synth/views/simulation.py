"""The texts of `synth sim`: launches of tests, the schedule of a launch as lines or as a drawing, and schedulers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.phrases import count
from synth.simulating.answer import patterns
from synth_checker.programs.id_layout import thread_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth.simulating import Simulation
    from synth.simulating.power import Power
    from synth_devices.sim.presets import Preset
    from synth_devices.sim.simulation import Event, LaunchResult

#: Workgroups and steps of a drawing; more would not fit on a page.
MOST_ROWS, MOST_COLUMNS = 64, 96


def simulation_line(simulation: Simulation) -> str:
    """Return how many launches of a test end and hang; for the first that hangs, also which threads had ended."""
    launches, threads = simulation.launches, thread_count(simulation.id)
    many = "1 launch" if len(launches) == 1 else f"{len(launches)} launches"
    of = f"{simulation.id}: {many} of {count(simulation.instances, 'instance')}"
    if not simulation.hung:
        return f"{of}: all ended"
    first, hang = next((k, one) for k, one in enumerate(launches, simulation.first) if one.is_hung)
    ended = patterns(hang.finished, threads).items()
    finished = ", ".join(f"{shown} in {count(times, 'instance')}" for shown, times in ended)
    return (
        f"{of}: {simulation.hung} hung; in the first of these, launch {first}, the threads marked 1 have ended: "
        f"{finished}"
    )


def event_lines(result: LaunchResult, events: Iterable[Event]) -> Iterator[str]:
    """Yield a schedule, one event on a line, and then the outcome.

    The lines are `start W SLOT`, `step W`, `preempt W` and `end W`, where W is a workgroup.
    """
    for event in events:
        slot = f" {event.slot}" if event.kind == "start" else ""
        yield f"{event.kind} {event.workgroup}{slot}"
    yield result.outcome


def timeline_lines(result: LaunchResult, events: Sequence[Event], places: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a drawing of the schedule: a row for each workgroup, a column for each step.

    A workgroup waits (space), has a slot (`-`), steps (`#`), or ends with this step (`|`).
    """
    rows = [[" "] * MOST_COLUMNS for _ in places[:MOST_ROWS]]
    resident: set[int] = set()
    column = -1
    for event in events:
        if event.kind == "start":
            resident.add(event.workgroup)
        elif event.kind == "step":
            column += 1
            if column == MOST_COLUMNS:
                break
            for workgroup in resident:
                _draw(rows, workgroup, column, "-")
            _draw(rows, event.workgroup, column, "#")
        else:
            resident.discard(event.workgroup)
            if event.kind == "end":
                _draw(rows, event.workgroup, column, "|")
    yield "workgroup instance thread"
    for workgroup, (row, (instance, thread)) in enumerate(zip(rows, places, strict=False)):
        yield f"{workgroup:9} {instance:8} {thread:6}  {''.join(row).rstrip()}"
    if len(places) > MOST_ROWS:
        yield f"{len(places) - MOST_ROWS:,} more workgroups"
    if result.steps > MOST_COLUMNS:
        yield f"{result.steps - MOST_COLUMNS:,} more steps"
    yield f"{result.outcome} after {count(result.steps, 'step')}"


def _draw(rows: list[list[str]], workgroup: int, column: int, sign: str) -> None:
    if workgroup < len(rows):
        rows[workgroup][column] = sign


def power_lines(power: Power) -> Iterator[str]:
    """Yield a line for each planted fault of the scheduler: under which mappings how many tests of a suite catch it.

    Two lines follow: how many faults the suite catches, and a smallest part of the suite that catches the same faults.
    """
    width = max(len(one.fault.name) for one in power.faults)
    for one in power.faults:
        by = ", ".join(f"{mapping} {len(ids)}" for mapping, ids in one.by.items() if ids) or "not caught"
        yield f"{one.fault.name:{width}}  {one.fault.verdict:14}  of {one.candidates}: {by}"
    suite = f"The suite of {count(len(power.tests), 'test')}"
    yield f"{suite} catches {power.caught} of {len(power.faults)} faults: on each of these, a test hangs that must end."
    if power.smallest:
        part = "The smallest part of the suite that catches the same faults under the same mappings"
        yield f"{part} has {count(len(power.smallest), 'test')}: {' '.join(power.smallest)}"


def preset_lines(presets: Sequence[Preset]) -> Iterator[str]:
    """Yield a line for each scheduler that ships: its name, and what it does."""
    width = max(len(one.name) for one in presets)
    for one in presets:
        yield f"{one.name:{width}}  {one.about}"


def scheduler_lines(found: Preset) -> Iterator[str]:
    """Yield lines about a scheduler that ships: what it does, its file, and the verdicts that it implies."""
    yield found.about
    yield from found.scheduler.toml().splitlines()
    verdict = " or ".join(found.implied)
    yield f"Every test that passes {verdict} ends on this scheduler."
    yield f"So does every test that passes a verdict that is at most as fair as {verdict}; synth lattice shows these."
