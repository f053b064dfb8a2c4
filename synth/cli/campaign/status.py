"""`synth campaign status`: say how far a campaign has come, and what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth campaign status sim.campaign"


def status_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the campaign.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Say how far a campaign has come, and what each device was seen to do.

    The campaign may be running.
    """
    from synth_campaigns.answers.status import campaign_answer, campaign_status
    from synth_campaigns.views.campaign import campaign_lines

    answer = campaign_answer(folder)
    if as_json:
        print_json(campaign_status(answer))
    else:
        print_lines(campaign_lines(answer))
