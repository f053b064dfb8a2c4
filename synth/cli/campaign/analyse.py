"""`synth campaign analyse`: say what the launches of campaigns show of each device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.options import Models
from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer
from synth_checker.errors import InputError

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
    model: Models = None,
    patterns: Annotated[
        bool, typer.Option("--patterns", help="Also count who had finished when a launch hung, as sharper evidence.")
    ] = False,
    junit: Annotated[
        Path | None,
        typer.Option(help="With --expect: also write its cells as JUnit XML, which CI systems read.", metavar="FILE"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say which verdicts each device violates, with witnesses, and which it is consistent with, with bounds.

    Campaigns on the same device count together. No claim says that a device keeps a promise for sure.
    """
    from synth.campaigning.analysing import analysis_of, check_verdict, exit_code
    from synth.campaigning.analysis_answer import analysis_fields
    from synth.views.analysis import analysis_lines
    from synth.views.analysis_junit import junit_text
    from synth_storage.files import put_bytes

    models = model or ()
    if expect is not None:
        check_verdict(expect, models)
    elif junit is not None:
        msg = "--junit needs --expect, which says what is a failure"
        raise InputError(msg)
    answer = analysis_of(folders, models, by_patterns=patterns)
    if junit is not None and expect is not None:
        put_bytes(junit, junit_text(answer, expect).encode("utf-8"), force=True)
    if as_json:
        print_json(analysis_fields(answer))
    else:
        print_lines(analysis_lines(answer))
    return 0 if expect is None else exit_code(answer, expect)
