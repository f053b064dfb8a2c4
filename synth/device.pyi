"""The commands below `synth device` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_devices.device_list import DeviceDetails
from synth_devices.device_list import DeviceEntry
from synth_devices.health import Health
from synth.commands import probe as probe

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
