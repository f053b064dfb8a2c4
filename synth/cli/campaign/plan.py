"""`synth campaign plan`: say what a campaign would run, and run nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.campaign.options import takes_campaign
from synth.cli.shared.answer_print import print_json, print_lines

if TYPE_CHECKING:
    from synth_campaigns.answers.request import CampaignRequest

EXAMPLE = "Example: synth campaign plan --device cpu @minimal/3x4"


@takes_campaign(without=("expected", "seed"))
def plan_command(
    campaign: CampaignRequest,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Say what a campaign would run, how long it may take, and how much disk its results take. Nothing is run."""
    from synth_campaigns.answers.plan import plan_of
    from synth_campaigns.views.campaign import plan_lines

    plan = plan_of(campaign)
    if as_json:
        print_json(plan)
    else:
        print_lines(plan_lines(plan))
