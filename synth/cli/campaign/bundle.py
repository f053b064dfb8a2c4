"""`synth campaign bundle`: pack tests for a device of somebody else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.campaign.options import takes_campaign
from synth.cli.shared.answer_print import print_json, print_lines

if TYPE_CHECKING:
    from synth_campaigns.answers.request import CampaignRequest

EXAMPLE = "Example: synth campaign bundle --device bundle:cuda @minimal/2x3 --out gpu --zip"


@takes_campaign(without=("busy", "timeout", "out"))
def bundle_command(
    campaign: CampaignRequest,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write.")],
    zipped: Annotated[bool, typer.Option("--zip", help="Write the folder as a zip file, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier bundle.")] = False,
) -> None:
    """Pack a campaign for a phone, a browser, or a PC of somebody else.

    The folder has programs for each mapping, a README.md that says what to type, and a script that writes the results.
    The device bundle:TARGET stands for one that runs the programs of a target of synth emit, such as bundle:cuda. Each
    launch may take as long as --confirm says. Read the results with synth campaign collect.
    """
    from synth_campaigns.answers.bundled import make_bundle
    from synth_campaigns.views.bundle import bundle_lines

    answer = make_bundle(campaign, out, zipped=zipped, force=force)
    if as_json:
        print_json(answer)
    else:
        print_lines(bundle_lines(answer))
