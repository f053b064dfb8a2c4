"""`synth campaign analyse`: say what the launches of campaigns show of each device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer

EXAMPLE = "Example: synth campaign analyse sim.campaign --expect OBE.weak"


def analyse_command(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of one or more campaigns.")],
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with status 0 if all devices are consistent with VERDICT, 1 if one violates it, otherwise 3.",
            metavar="VERDICT",
            autocompletion=completer("verdicts"),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say which verdicts each device violates, with witnesses, and which it is consistent with, with bounds.

    Campaigns on the same device count together. No claim says that a device keeps a promise for sure.
    """
    from synth.campaigning.analysing import analysis_fields, analysis_of, check_verdict, exit_code
    from synth.views.analysis import analysis_lines

    if expect is not None:
        check_verdict(expect)
    answer = analysis_of(folders)
    code = 0 if expect is None else exit_code(answer, expect)
    if as_json:
        print_json(analysis_fields(answer))
    else:
        print_lines(analysis_lines(answer))
    return code
