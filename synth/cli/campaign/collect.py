"""`synth campaign collect`: take result lines that others printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth campaign collect results.jsonl --out gpu.campaign"


def collect_command(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="[DIR] RESULTS...", help="The folder of a campaign or bundle, and files with result lines."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder for a new campaign.  [default for a bundle: its name with .campaign]"
        ),
    ] = None,
    confirm: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="How long a hang must be waited for to be confirmed, in a campaign that results make.  [default: 30]",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Take result lines that others printed, and say what they show.

    The lines may come from `make run` in a folder of synth emit, from a page, or from the script of a bundle. A line
    counts if it fits the campaign and comes from the same device as the lines before it. No line counts twice. Exits
    with status 1 if some line does not count.
    """
    from synth_campaigns.answers.collected import collect_files
    from synth_campaigns.views.collected import collected_lines

    answer = collect_files(results, out, confirm)
    if as_json:
        print_json(answer)
    else:
        print_lines(collected_lines(answer))
    return int(answer.refused > 0)
