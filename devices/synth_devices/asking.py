"""Ask a device what it is, before any test is launched on it whose result counts.

What a device says of itself, its driver says only to a program that runs on it. So the *canary*, the smallest test that
there is, is launched once: one thread stores and ends. It runs in a process of its own, which is killed after some
seconds. So a broken driver holds nothing up.
"""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

from synth_backends.target import Choices
from synth_backends.units import CANARY
from synth_checker.errors import InputError, ResourceError
from synth_devices.attempt import Session
from synth_devices.device import Request
from synth_devices.elsewhere import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_devices.attempt import Attempted
    from synth_devices.child import HasFileno
    from synth_devices.device import Build, Device

#: How many seconds a device has until it is ready to launch the canary, and how many for the launch.
READY_S, LAUNCH_S = 30.0, 10
#: Variables of the environment that decide which device a driver offers, or how the device works.
_SELECTING = (
    "VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE", "VK_INSTANCE_LAYERS", "MESA_VK_DEVICE_SELECT", "DRI_PRIME",
    "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH",
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION",
    "WGPU_BACKEND_TYPE",
)  # fmt: skip
_SELECTING_PREFIXES = ("POCL_",)


class BrokenError(ResourceError):
    """A device is there, and says what it is, but does not run the canary."""


def answer_of(device: Device, folder: Path, interrupt: HasFileno | None = None) -> ResultFields | None:
    """Launch the canary on a device, and return the line in which the device says what it is.

    The canary is built in `folder`. If `interrupt` becomes readable meanwhile, nothing is returned.

    Raises:
        InputError: the device runs no tests but its own.
        ResourceError: the device is not there, or does not answer. If it answers and does not work: BrokenError.
    """
    build = canary_on(device, folder)
    found = launched(build, interrupt)
    return None if found is None else line_of(found)


def canary_on(device: Device, folder: Path) -> Build:
    """Make the canary for a device.

    Raises:
        InputError: the device runs no tests but its own.
        ResourceError: a program or the device is missing.
    """
    if device.kind == "command":
        msg = "device command: found a command, which runs only tests that it knows, expected another device"
        raise InputError(msg)
    if why := device.missing():
        raise ResourceError(why)
    folder.mkdir(parents=True, exist_ok=True)
    return device.build([CANARY.litmus], Choices("plain", 1), folder)


def runs_any_test(device: Device) -> bool:
    """Whether a device runs each test here. A command need not know the canary."""
    return device.kind not in {"command", *ELSEWHERE}


def launched(build: Build, interrupt: HasFileno | None = None) -> Attempted | None:
    """Launch the canary once. If `interrupt` becomes readable meanwhile, nothing is returned."""
    with Session(build, READY_S) as session:
        return session.attempt(Request(CANARY.litmus.id, 1, LAUNCH_S), f"{uuid.uuid4().hex};", interrupt)


def line_of(found: Attempted) -> ResultFields:
    """Return the line of a canary that has ended.

    Raises:
        BrokenError: it has not ended.
        ResourceError: there is no device that says what it is.
    """
    (launch,) = found.launches
    if found.line is not None and launch.end == "ended":
        return found.line
    if not found.driver:
        raise ResourceError(launch.reason)
    whys = {
        "given up": f"did not end a test of one store in {LAUNCH_S} seconds, so it does not work; restart it",
        "left early": "says that it has run a test of one store, but has not",
    }
    msg = f"{found.driver}: {whys.get(launch.end, launch.reason)}"
    raise BrokenError(msg)


def selecting_environment() -> dict[str, str]:
    """Return the variables of this process that decide which device drivers offer, without the name of the user."""
    home = os.path.expanduser("~")  # noqa: PTH111  (a text within others)
    hidden: Callable[[str], str] = lambda text: text.replace(home, "~") if len(home) > 1 else text  # noqa: E731
    return {
        name: hidden(value)
        for name, value in sorted(os.environ.items())
        if name in _SELECTING or name.startswith(_SELECTING_PREFIXES)
    }
