"""`synth campaign run`: run tests on devices, or continue."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.campaign.options import (
    AfterHang,
    BusyProcesses,
    Confirm,
    DeviceNames,
    Expected,
    Instances,
    LaunchCount,
    Mappings,
    Out,
    Seed,
    Shape,
    Stress,
    Timeout,
    Until,
    Width,
    Words,
    campaign_asked,
)
from synth.cli.ending import told
from synth.cli.options import TimeLimit, limits
from synth.cli.printing import print_json, print_lines
from synth.cli.progress import progress_bar

EXAMPLE = "Example: synth campaign run --device sim:strided @minimal/2x3"


def run_command(
    given: Words,
    device: DeviceNames = None,
    mapping: Mappings = None,
    instances: Instances = None,
    stress: Stress = None,
    stress_shape: Shape = None,
    width: Width = None,
    busy: BusyProcesses = None,
    launches: LaunchCount = None,
    until: Until = None,
    timeout: Timeout = None,
    confirm: Confirm = None,
    after_hang: AfterHang = None,
    expected: Expected = None,
    seed: Seed = None,
    out: Out = None,
    time_limit: TimeLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Run the tests of a campaign on its devices, and keep what came of every launch in a folder.

    Run the same command again to continue a campaign that was stopped or killed. A launch that hangs may freeze the
    screen of the machine for some seconds.
    """
    from synth.campaigning.answer import campaign_answer, campaign_fields
    from synth.campaigning.working import work_on
    from synth.views.campaign import campaign_lines

    asked = campaign_asked(
        given, device, out, mapping=mapping, instances=instances, stress=stress,
        stress_shape=stress_shape, width=width, busy=busy, launches=launches,
        until=until, timeout=timeout, confirm=confirm, after_hang=after_hang, expected=expected, seed=seed,
    )  # fmt: skip
    with limits(time_limit, None) as stop:
        with progress_bar("campaign", "cell", hung=True) as progress:
            aside = work_on(asked, stop, progress)
        answer = campaign_answer(asked.folder)
        if as_json:
            print_json(campaign_fields(answer))
        else:
            print_lines(campaign_lines(answer))
    return told(stop, aside, "the campaign")
