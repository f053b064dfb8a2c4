"""`synth campaign import`: make a campaign of published tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth campaign import phone.csv --describe phone.toml --out phone.campaign"


def import_command(
    tables: Annotated[list[Path], typer.Argument(metavar="TABLE...", help="Tables of results, all of one device.")],
    describe: Annotated[
        Path, typer.Option(metavar="FILE", help="What the tables mean, in TOML; docs/do/campaigns.md has the keys.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the campaign.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Make a campaign of published tables of results, and say what they show.

    A table does not say how its columns were made. So a file describes the device and each column, and which columns
    were run at all.
    """
    from synth_campaigns.answers.published_tables import import_tables
    from synth_campaigns.answers.status import campaign_answer, campaign_status
    from synth_campaigns.views.campaign import campaign_lines

    import_tables(tables, describe, out)
    answer = campaign_answer(out)
    if as_json:
        print_json(campaign_status(answer))
    else:
        print_lines(campaign_lines(answer))
