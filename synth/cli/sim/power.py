"""`synth sim power`: which planted faults of a scheduler a suite catches."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import NamesOf
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth sim power @minimal/2x2"


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
    from synth_devices.simulated.power import power_of
    from synth_devices.views.simulation import power_lines
    from synth_litmus.inputs.programs import given_programs

    programs = [program.program for word in tests for program in given_programs(word, corpus)]
    with progress_bar("power", "fault") as progress:
        power = power_of(programs, progress)
    if as_json:
        print_json(power)
    else:
        print_lines(power_lines(power))
