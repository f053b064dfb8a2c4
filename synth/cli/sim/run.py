"""`synth sim run`: launch tests on a simulated scheduler, or show the schedule of a launch."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import check_svg, put_text
from synth.cli.shared.program_arguments import refuse_kernels
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import NamesOf
from synth.cli.shared.streams import has_reader
from synth.cli.shared.vocabulary import completer
from synth.cli.sim.options import First, Instances, Mapping, Scheduler, Seed
from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_devices.sim.defaults import LAUNCHES, MAPPING, SCHEDULER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.programs.program import Program
    from synth_devices.sim.simulation import LaunchEvent, LaunchResult, Simulator
    from synth_devices.simulated import Launches

EXAMPLE = "Example: synth sim run 0011-00_0 --scheduler reverse --mapping chunked"
_EXPECTED = ("ended", "hung")


class _NobodyReadsError(Exception):
    """Nobody reads standard output any more, so that the rest of a schedule need not be simulated."""


def run_command(
    tests: Annotated[
        list[str],
        typer.Argument(
            callback=refuse_kernels,
            metavar="TESTS",
            help="The tests: ids, names, files, '-' for standard input, or corpora.",
            autocompletion=completer("corpora"),
        ),
    ],
    scheduler: Scheduler = SCHEDULER,
    mapping: Mapping = MAPPING,
    instances: Instances = None,
    launches: Annotated[int, typer.Option(help="How many times to launch each test.", metavar="N")] = LAUNCHES,
    first: First = 0,
    seed: Seed = None,
    events: Annotated[
        bool, typer.Option("--events", help="Print the schedule of the first launch, a line for each event.")
    ] = False,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Draw the schedule of the first launch, a row for each workgroup.")
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(help="Draw the schedule of the first launch of one test into this SVG file.", metavar="FILE"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --svg if it exists.")] = False,
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with status 1 unless all launches have this outcome: ended or hung. With a schedule or a "
            "drawing, only the first launch counts.",
            metavar="OUTCOME",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="How many threads of the operating system to use.  [default: as many as there are CPUs]", metavar="N"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each test.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Launch tests on a simulated scheduler, and say which launches end and which hang.

    The simulator decides without a time limit whether a launch ends, so a hang is certain. A launch with the same seed
    and the same number always takes the same steps.
    """
    from synth_devices.simulated import Launches, seeded_scheduler
    from synth_devices.simulated.answer import simulation_answer
    from synth_devices.simulated.counts import count_hangs
    from synth_devices.views.simulation import simulation_line
    from synth_litmus.inputs.programs import given_programs

    if expect is not None:
        check_known("expect", expect, _EXPECTED)
    outputs = {"--json": as_json, "--events": events, "--timeline": timeline, "--svg": svg is not None}
    chosen = [name for name, is_chosen in outputs.items() if is_chosen]
    if len(chosen) > 1:
        raise InputError(f"{chosen[0]} cannot be combined with {chosen[1]}; choose one of them")
    check_svg(svg, force=force)
    settings = Launches(seeded_scheduler(scheduler, seed), mapping, instances, first, launches)
    programs = [program.program for word in tests for program in given_programs(word, corpus)]
    if chosen and not as_json:
        outcomes = _show_schedules(programs, settings, svg, with_events=events, force=force)
        return 0 if expect is None or outcomes == {expect} else 1
    as_expected = True
    with progress_bar("sim", "part") as progress:
        for count in count_hangs(programs, settings, each=as_json, jobs=jobs, progress=progress):
            if as_json:
                print_json(simulation_answer(count))
            else:
                print_lines([simulation_line(count)])
            as_expected = as_expected and (
                expect is None or {"ended": count.ended, "hung": count.hung}[expect] == launches
            )
    return 0 if as_expected else 1


def _show_schedules(
    programs: Sequence[Program], settings: Launches, svg: Path | None, *, with_events: bool, force: bool
) -> set[str]:
    """Show the schedule of the first launch of each test, and return the outcomes."""
    if svg is not None and len(programs) > 1:
        raise InputError(f"--svg: found {len(programs)} tests, expected one, as a file has one drawing")
    outcomes: set[str] = set()
    for program in programs:
        simulator = settings.simulator(program)
        if len(programs) > 1:
            print_lines([_header(program, settings.first)])
        if with_events:
            outcomes.add(_print_events(simulator, settings.first).outcome)
        else:
            outcomes.add(_draw(simulator, settings.first, svg, force=force).outcome)
    return outcomes


def _header(program: Program, number: int) -> str:
    """Return a line that says whose schedule follows."""
    from synth_checker.programs.normal import written_out

    return f"# {written_out(program)}, launch {number}"


def _print_events(simulator: Simulator, number: int) -> LaunchResult:
    """Print the events of a launch while it runs."""
    from synth_devices.sim.schedules import line_of

    def take(events: Iterator[LaunchEvent]) -> None:
        print_lines(map(line_of, events))
        if not has_reader():
            raise _NobodyReadsError

    try:
        result = simulator.watch(number, take)
    except _NobodyReadsError:
        result = simulator.launch(number)
    print_lines([result.outcome])
    return result


def _draw(simulator: Simulator, number: int, svg: Path | None, *, force: bool) -> LaunchResult:
    """Draw the schedule of a launch, on the terminal or into a file."""
    from synth_devices.views.timeline import MOST_COLUMNS, Timeline, svg_of, timeline_lines

    columns = MOST_COLUMNS
    if svg is None and sys.stdout and sys.stdout.isatty():
        columns = max(8, min(columns, shutil.get_terminal_size().columns - 26))
    drawing = Timeline(simulator.places, columns)
    result = simulator.watch(number, drawing.take)
    if svg is None:
        print_lines(timeline_lines(drawing, result))
    else:
        put_text(svg_of(drawing, result), svg, force=force)
    return result
