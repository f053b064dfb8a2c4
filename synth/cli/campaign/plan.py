"""`synth campaign plan`: say what a campaign would run, and run nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.campaign.options import (
    AfterHang,
    BusyProcesses,
    Confirm,
    DeviceNames,
    Instances,
    LaunchCount,
    Mappings,
    Out,
    Shape,
    Stress,
    Timeout,
    Until,
    Width,
    Words,
    campaign_asked,
)
from synth.cli.printing import print_json, print_lines

EXAMPLE = "Example: synth campaign plan --device cpu @minimal/3x4"


def plan_command(
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
    out: Out = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Say what a campaign would run, how long it may take, and how much disk its results take. Nothing is run."""
    from synth.campaigning.planning import plan_fields, plan_of
    from synth.views.campaign import plan_lines

    asked = campaign_asked(
        given, device, out, mapping=mapping, instances=instances, stress=stress,
        stress_shape=stress_shape, width=width, busy=busy, launches=launches,
        until=until, timeout=timeout, confirm=confirm, after_hang=after_hang,
    )  # fmt: skip
    plan = plan_of(asked)
    if as_json:
        print_json(plan_fields(plan))
    else:
        print_lines(plan_lines(plan))
