"""`synth probe`: what is this device seen to do?"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.exit_status import report_run_end
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import TimeLimit, limits
from synth.cli.shared.streams import warn
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth probe --device sim:strided"


def probe_command(
    device: Annotated[
        str | None,
        typer.Option(
            help="The device: {devices}. Without it, the command lists the devices that are here.",
            metavar="DEVICE",
            autocompletion=completer("devices"),
        ),
    ] = None,
    launches: Annotated[
        int, typer.Option(help="How often each test is launched under each mapping.", metavar="N")
    ] = 20,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder that keeps every launch.  [default: probe-DEVICE.campaign]", metavar="DIR"),
    ] = None,
    time_limit: TimeLimit = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Start without asking whether a hang may freeze the screen.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Say what a device is seen to do: check it, run the most telling tests, and answer on one screen.

    The answer says which verdicts the device was seen to violate, which it is consistent with, and what was not tested.
    Run the same command again to continue a probe that was stopped.
    """
    from synth_analysis.informative_order import InformativeOrder
    from synth_campaigns.answers.probe import probe_of, telling_tests
    from synth_campaigns.answers.status import campaign_answer, campaign_status
    from synth_campaigns.answers.work import work_on
    from synth_campaigns.summary import summary_of
    from synth_campaigns.views.probe import probe_lines
    from synth_devices.catalogue import load_device
    from synth_devices.device_list import check_health
    from synth_devices.identification import runs_any_test

    if device is None:
        return _list_devices()
    chosen = load_device(device)
    if lacking := chosen.missing():
        warn([f"device {device}: {lacking}"])
        return 3
    _ask(device, yes=yes)
    if runs_any_test(chosen):
        warn(f"device {device} is not healthy: {problem}" for problem in check_health(device, "").problems)
    begun = time.monotonic()
    with limits(time_limit, None) as stop:
        with progress_bar("tests", "step") as progress:
            ids = telling_tests(progress)
        campaign = probe_of(device, ids, launches, out or Path(f"probe-{chosen.kind}.campaign"))
        with progress_bar("probe", "cell", hung=True) as progress:
            aside = work_on(campaign, stop, progress, InformativeOrder)
        answer = campaign_answer(campaign.folder)
        if as_json:
            print_json(campaign_status(answer))
        else:
            (device_answer,) = answer.devices
            print_lines(
                probe_lines(device_answer, summary_of(device_answer.claims), time.monotonic() - begun, campaign.folder)
            )
    return report_run_end(stop, aside, "the probe", answer.nothing)


def _ask(device: str, *, yes: bool) -> None:
    """Ask whether a hang may freeze the screen, unless it cannot or the user has agreed.

    Raises:
        InputError: the user did not agree, or cannot be asked.
    """
    from synth_campaigns.answers.probe import HARMLESS

    if yes or device.partition(":")[0] in HARMLESS:
        return
    warning = "Some tests may hang. A hang may freeze the screen for some seconds, or end the session of the desktop."
    if not sys.stdin or not sys.stdin.isatty():
        raise InputError(f"{warning} Give --yes to run them.")
    if not typer.confirm(f"{warning} Run them?", err=True):
        raise InputError("nothing was run")


def _list_devices() -> int:
    """Print which devices are here, what the others lack, and how to go on."""
    from synth_devices.device_list import list_devices
    from synth_devices.views.device import list_lines

    with progress_bar("device list", "kind") as progress:
        devices = list_devices((), progress)
    print_lines([*list_lines(devices), "", "Probe one of them by its name, such as: synth probe --device cpu"])
    return 0
