"""`synth campaign run`: run tests on devices, or continue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.campaign.options import takes_campaign
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.exit_status import report_run_end
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import TimeLimit, limits

if TYPE_CHECKING:
    from synth_campaigns.answers.request import CampaignRequest

EXAMPLE = "Example: synth campaign run --device sim:strided @minimal/2x3"


@takes_campaign()
def run_command(
    campaign: CampaignRequest,
    time_limit: TimeLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Run the tests of a campaign on its devices, and keep what came of every launch in a folder.

    Run the same command again to continue a campaign that was stopped or killed. A launch that hangs may freeze the
    screen of the machine for some seconds.
    """
    from synth_analysis.informative_order import InformativeOrder
    from synth_campaigns.answers.status import campaign_answer, campaign_status
    from synth_campaigns.answers.work import work_on
    from synth_campaigns.views.campaign import campaign_lines

    with limits(time_limit, None) as stop:
        with progress_bar("campaign", "cell", hung=True) as progress:
            aside = work_on(campaign, stop, progress, InformativeOrder)
        answer = campaign_answer(campaign.folder)
        if as_json:
            print_json(campaign_status(answer))
        else:
            print_lines(campaign_lines(answer))
    return report_run_end(stop, aside, "the campaign", answer.nothing)
