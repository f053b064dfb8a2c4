"""The commands below `synth device` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_campaigns.answers.status import CampaignStatus
from synth_devices.device_list import DeviceDetails
from synth_devices.device_list import DeviceEntry
from synth_devices.health import Health

def list(
    kinds: str | Iterable[str] | None = None,
) -> builtins.list[DeviceEntry]:
    """List the devices of this machine, each with the line in which it says what it is."""

def show(
    device: str,
) -> DeviceDetails:
    """Show what the driver of a device says of it, and what its kind of device can do."""

def health(
    device: str,
    *,
    expected: str = '',
) -> Health:
    """Launch tests that must end on every device."""

def probe(
    *,
    device: str | None = None,
    launches: int = 20,
    out: str | PathLike[str] | None = None,
    time_limit: str | float | None = None,
    yes: bool = False,
) -> CampaignStatus:
    """Say what a device is seen to do: check it, run the most telling tests, and answer on one screen."""
