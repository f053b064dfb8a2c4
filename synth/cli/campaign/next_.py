"""`synth campaign next`: say which launches tell most about what a device guarantees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import words
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth campaign next sim.campaign"


def next_command(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of campaigns.")],
    device: Annotated[
        str | None, typer.Option(help="The only device to advise on.  [default: each device]", metavar="DEVICE")
    ] = None,
    corpora: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            help="The corpus to choose from.  [default: the minimal tests of up to four instructions, and those of the "
            "campaigns]",
            metavar="CORPUS",
            autocompletion=completer("corpora"),
        ),
    ] = None,
    mapping: Annotated[
        list[str] | None,
        typer.Option(
            help="Which workgroup runs which thread: {mappings}.  [default: as in the campaigns]",
            metavar="MAPPING",
            autocompletion=completer("mappings"),
        ),
    ] = None,
    launches: Annotated[
        int | None, typer.Option(min=1, help="How many launches come next.  [default: as in the campaign]", metavar="N")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array with an object for each device.")] = False,
) -> None:
    """Say which test under which mapping tells most about what a device guarantees, and why.

    The command weighs what the device may guarantee by the launches so far. Other devices of the same kind in the
    folders tell how often tests hang that may hang. The answer only orders work: no claim rests on it.
    """
    from synth_analysis.answers.advice import AdviceRequest, advice_of
    from synth_analysis.views.advice import advice_lines

    advices = advice_of(folders, AdviceRequest(device, words(corpora), words(mapping), launches))
    if as_json:
        print_json(advices)
    else:
        for number, advice in enumerate(advices):
            print_lines([""] * bool(number))
            print_lines(advice_lines(advice))
