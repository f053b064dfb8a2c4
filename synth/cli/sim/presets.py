"""`synth sim list` and `synth sim show`: the schedulers that ship with `synth`, and files with others."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.vocabulary import completer

LIST_EXAMPLE = "Example: synth sim list"
SHOW_EXAMPLE = "Example: synth sim show linear"


def list_command(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON array with an object for each scheduler.")
    ] = False,
) -> None:
    """List the schedulers that ship with synth."""
    from synth_devices.simulated.answer import preset_answer, presets
    from synth_devices.views.simulation import preset_lines

    if as_json:
        print_json([preset_answer(preset) for preset in presets()])
    else:
        print_lines(preset_lines(presets()))


def show_command(
    scheduler: Annotated[
        str,
        typer.Argument(
            metavar="SCHEDULER",
            help="The scheduler: {schedulers}, or the path of a TOML file that describes one.",
            autocompletion=completer("schedulers"),
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Show a scheduler: the file that describes it, and the verdicts that it implies if it ships with synth.

    A scheduler implies a verdict if each test that passes the verdict ends on this scheduler.
    """
    from synth_devices.sim.presets import read_preset
    from synth_devices.simulated.answer import preset_answer
    from synth_devices.views.simulation import scheduler_lines

    description = read_preset(scheduler)
    if as_json:
        print_json(preset_answer(description))
    else:
        print_lines(scheduler_lines(description))
