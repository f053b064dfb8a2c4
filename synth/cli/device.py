"""`synth device`: which devices are there, what they are, and whether they work."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.vocabulary import completer

LIST_EXAMPLE = "Example: synth device list"
SHOW_EXAMPLE = "Example: synth device show sim"
HEALTH_EXAMPLE = "Example: synth device health cpu"
_Name = Annotated[
    str, typer.Argument(metavar="DEVICE", help="The device: {devices}.", autocompletion=completer("devices"))
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print a JSON object.")]


def list_command(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KIND]...",
            help="Which kinds of devices, such as cpu or vulkan.  [default: all that run here]",
            autocompletion=completer("devices"),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array with an object for each device.")] = False,
) -> None:
    """List the devices of this machine, each with the line in which it says what it is.

    If there is no device of a kind, its line says what to install. Each device is asked by a small program, which takes
    some seconds.
    """
    from synth_devices.device_list import list_devices
    from synth_devices.views.device import list_lines

    with progress_bar("device list", "kind") as progress:
        devices = list_devices(kinds or (), progress)
    if as_json:
        print_json(devices)
    else:
        print_lines(list_lines(devices))


def show_command(device: _Name, as_json: _AsJson = False) -> None:
    """Show what the driver of a device says of it, and what its kind of device can do."""
    from synth_devices.device_list import show_device
    from synth_devices.views.device import shown_lines

    description = show_device(device)
    if as_json:
        print_json(description)
    else:
        print_lines(shown_lines(description))


def health_command(
    device: _Name,
    expected: Annotated[
        str, typer.Option(help="A text that the description of the device must contain.", metavar="TEXT")
    ] = "",
    as_json: _AsJson = False,
) -> int:
    """Launch tests that must end on every device.

    Exits with status 1 if one of them hangs, or if the device does not match --expected. The exit status is 3 if the
    device is not there. A device that works ends all of them.
    """
    from synth_devices.device_list import check_health
    from synth_devices.views.device import health_lines

    health = check_health(device, expected)
    if as_json:
        print_json(health)
    else:
        print_lines(health_lines(health))
    return 0 if health.healthy else 1


app = group(
    GROUPS["device"],
    LIST_EXAMPLE,
    ("list", "List the devices of this machine", list_command, LIST_EXAMPLE),
    ("show", "Show what a device says of itself", show_command, SHOW_EXAMPLE),
    ("health", "Say whether a device works", health_command, HEALTH_EXAMPLE),
)
