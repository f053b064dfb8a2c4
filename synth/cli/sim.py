"""`synth sim`: tests on a simulated device whose scheduler is known."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.command import group
from synth.cli.options import Jobs, NamesOf, check_word
from synth.cli.printing import print_json, print_lines
from synth.cli.progress import progress_bar
from synth.cli.vocabulary import completer
from synth_checker.errors import InputError

RUN_EXAMPLE = "Example: synth sim run 0011-00_0 --scheduler reverse --mapping chunked"
LIST_EXAMPLE = "Example: synth sim list"
POWER_EXAMPLE = "Example: synth sim power @minimal/2x2"
SHOW_EXAMPLE = "Example: synth sim show linear"
_EXPECTED = ("ended", "hung")


def run_command(
    tests: Annotated[
        list[str],
        typer.Argument(
            metavar="TESTS",
            help="The tests: ids, names, files, '-' for standard input, or corpora.",
            autocompletion=completer("corpora"),
        ),
    ],
    scheduler: Annotated[
        str,
        typer.Option(
            help="The scheduler: {schedulers}, or the path of a TOML file that describes one.",
            metavar="SCHEDULER",
            autocompletion=completer("schedulers"),
        ),
    ] = "linear",
    mapping: Annotated[
        str,
        typer.Option(
            help="Which workgroup runs which thread: {mappings}.",
            metavar="MAPPING",
            autocompletion=completer("mappings"),
        ),
    ] = "round-robin",
    instances: Annotated[
        int | None,
        typer.Option(
            help="How many instances of a test run at once.  [default: enough to fill 65,535 workgroups]", metavar="N"
        ),
    ] = None,
    launches: Annotated[int, typer.Option(help="How many times to launch each test.", metavar="N")] = 20,
    first: Annotated[
        int,
        typer.Option(
            help="The number of the first launch, which decides its random choices together with the seed.", metavar="N"
        ),
    ] = 0,
    seed: Annotated[
        int | None,
        typer.Option(help="The seed of the random choices.  [default: the seed of the scheduler]", metavar="N"),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help="Print the schedule of the first launch, a line for each event.")
    ] = False,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Draw the schedule of the first launch, a row for each workgroup.")
    ] = False,
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with status 1 unless all launches have this outcome: ended or hung.", metavar="OUTCOME"
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each test.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Launch tests on a simulated scheduler, and say which launches end and which hang.

    The simulator decides without a time limit whether a launch ends, so a hang is certain. A launch with the same seed
    and the same number always takes the same steps.
    """
    from synth.inputs.programs import given_programs
    from synth.simulating import Launches, seeded, simulations
    from synth.simulating.answer import simulation_fields
    from synth.views.simulation import event_lines, simulation_line, timeline_lines

    if expect is not None:
        check_word("expect", expect, _EXPECTED)
    if (events or timeline) and as_json:
        msg = "--json cannot be combined with --events or --timeline, which are not written in JSON"
        raise InputError(msg)
    asked = Launches(seeded(scheduler, seed), mapping, instances, first, launches)
    programs = [one.program for word in tests for one in given_programs(word, corpus)]
    if events or timeline:
        for program in programs:
            simulator = asked.simulator(program)
            result, found = simulator.schedule(asked.first)
            print_lines(timeline_lines(result, found, simulator.places) if timeline else event_lines(result, found))
        return 0
    as_expected = True
    with progress_bar("sim", "test") as progress:
        for simulation in simulations(programs, asked, jobs=jobs, progress=progress):
            if as_json:
                print_json(simulation_fields(simulation))
            else:
                print_lines([simulation_line(simulation)])
            as_expected = as_expected and (expect is None or {one.outcome for one in simulation.launches} == {expect})
    return 0 if as_expected else 1


def list_command(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON array with an object for each scheduler.")
    ] = False,
) -> None:
    """List the schedulers that ship."""
    from synth.simulating.answer import preset_fields, presets
    from synth.views.simulation import preset_lines

    if as_json:
        print_json([preset_fields(one) for one in presets()])
    else:
        print_lines(preset_lines(presets()))


def show_command(
    scheduler: Annotated[
        str,
        typer.Argument(metavar="PRESET", help="The scheduler: {schedulers}.", autocompletion=completer("schedulers")),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Show a scheduler that ships: the file that describes it, and the verdicts that it implies.

    A scheduler implies a verdict if each test that passes the verdict ends on this scheduler.
    """
    from synth.simulating.answer import preset_fields
    from synth.views.simulation import scheduler_lines
    from synth_devices.sim.presets import preset

    found = preset(scheduler)
    if as_json:
        print_json(preset_fields(found))
    else:
        print_lines(scheduler_lines(found))


def power_command(
    tests: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE",
            help="The tests of the suite: ids, names, files, '-' for standard input, or corpora.",
            autocompletion=completer("corpora"),
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Plant faults in simulated schedulers, and say which of them a suite catches under which mapping.

    A test catches a fault if it passes the verdict that the fault breaks, and hangs on the faulty scheduler. The line
    of a fault has this verdict, how many tests of the suite pass it, and how many of these hang under each mapping.
    """
    from synth.inputs.programs import given_programs
    from synth.simulating.answer import power_fields
    from synth.simulating.power import power_of
    from synth.views.simulation import power_lines

    programs = [one.program for word in tests for one in given_programs(word, corpus)]
    with progress_bar("power", "fault") as progress:
        power = power_of(programs, progress)
    if as_json:
        print_json(power_fields(power))
    else:
        print_lines(power_lines(power))


app = group(
    "Run tests on a simulated device, whose scheduler is known.",
    RUN_EXAMPLE,
    ("run", "Launch tests on a simulated scheduler", run_command, RUN_EXAMPLE),
    ("list", "List the schedulers that ship", list_command, LIST_EXAMPLE),
    ("power", "Say which planted faults a suite catches", power_command, POWER_EXAMPLE),
    ("show", "Show a scheduler and the verdicts that it implies", show_command, SHOW_EXAMPLE),
)
