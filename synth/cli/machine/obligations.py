"""`synth machine obligations`: print what must be proved of components."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.machine.options import AsJson, ComponentName, Source, print_problems
from synth.cli.shared.answer_print import print_json, print_lines
from synth_checker.nearest import check_known

EXAMPLE = "Example: synth machine obligations @gpu --component kernel"


def obligations_command(
    source: Source,
    component: ComponentName = None,
    as_: Annotated[
        str,
        typer.Option(
            "--as",
            help="rodin: print the SIM obligations as Rodin states them.",
            metavar="definition|rodin",
        ),
    ] = "definition",
    as_json: AsJson = False,
) -> int:
    """Print all proof obligations, with the names that Rodin gives.

    With --json, each line is an object with the hypotheses and the goal of an obligation.
    """
    from synth_machines.answers.answer import stated
    from synth_machines.answers.files import checked_components
    from synth_machines.obligations import obligations_of
    from synth_machines.views.machine import obligation_lines

    check_known("--as", as_, ("definition", "rodin"))
    checked = checked_components(source, component)
    print_problems(checked.problems)
    obligations = (obligation for part in checked.valid for obligation in obligations_of(part, as_rodin=as_ == "rodin"))
    if as_json:
        for obligation_ in obligations:
            print_json(stated(obligation_))
    else:
        print_lines(obligation_lines(obligations))
    return 2 if checked.problems else 0
