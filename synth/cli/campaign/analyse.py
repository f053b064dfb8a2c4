"""`synth campaign analyse`: say what the launches of campaigns show of each device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import Models
from synth.cli.shared.streams import warn
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth campaign analyse sim.campaign --model OBE"


def analyse_command(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of one or more campaigns.")],
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with status 0 if all devices are consistent with VERDICT, 1 if one violates it or has too few "
            "launches to say, otherwise 3.",
            metavar="VERDICT",
            autocompletion=completer("verdicts"),
        ),
    ] = None,
    at_most_rate: Annotated[
        float | None,
        typer.Option(
            help="With --expect: the launches of each cell must bound its rate of hangs by RATE, at 95 % confidence.  "
            "[default: 0.05]",
            metavar="RATE",
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
    from synth_analysis.answers.analysis import AT_MOST_RATE, analysis_of, check_rate, check_verdict, expectation_of
    from synth_analysis.answers.analysis_json import analysis_answer
    from synth_analysis.views.analysis import analysis_lines
    from synth_analysis.views.junit import junit_text
    from synth_storage.files import put_bytes

    models = model or ()
    for option, value in (("--junit", junit), ("--at-most-rate", at_most_rate)):
        if value is not None and expect is None:
            raise InputError(f"{option} needs --expect, which says what is a failure")
    if expect is not None:
        check_verdict(expect, models)
    most = AT_MOST_RATE if at_most_rate is None else check_rate(at_most_rate)
    answer = analysis_of(folders, models, by_patterns=patterns)
    if junit is not None and expect is not None:
        put_bytes(junit, junit_text(answer, expect, most).encode("utf-8"), force=True)
    if as_json:
        print_json(analysis_answer(answer))
    else:
        print_lines(analysis_lines(answer))
    if answer.nothing:
        warn([answer.nothing])
        return 3
    if expect is None:
        return 0
    expectation = expectation_of(answer, expect, most)
    if expectation.why:
        warn([expectation.why])
    return expectation.code
