"""Ask a device what it is, before a campaign launches tests on it.

A driver describes its device only to a program that uses the device. So we launch the *canary*, a test with one thread
that stores and ends. It runs in a process of its own. If the device does not end it in some seconds, we kill the
process, so that a broken driver does not hold up the campaign.
"""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

from synth_backends.target import Choices
from synth_backends.units import CANARY
from synth_checker.child import MARK
from synth_checker.errors import InputError, ResourceError, excerpt
from synth_devices.attempt import Session
from synth_devices.device import Request
from synth_devices.remote_devices import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_checker.child import Interrupt
    from synth_devices.attempt import AttemptResult
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
    "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER",
)  # fmt: skip
_SELECTING_PREFIXES = ("POCL_", "WGPU_")


class BrokenError(ResourceError):
    """A device is there, and says what it is, but does not run the canary."""


def answer_of(device: Device, folder: Path, interrupt: Interrupt | None = None) -> ResultFields | None:
    """Launch the canary on a device, and return the line in which the device says what it is.

    The program of the canary stays in `folder`. Returns None if `interrupt` says to stop meanwhile.

    Raises:
        InputError: the device is a command, which need not know the canary.
        BrokenError: the device answers, but does not work.
        ResourceError: the device is not there, or does not answer.
    """
    build = canary_on(device, folder)
    attempted = launch_canary(build, interrupt)
    return None if attempted is None else line_of(attempted)


def canary_on(device: Device, folder: Path) -> Build:
    """Make the canary for a device.

    Raises:
        InputError: the device is a command, which need not know the canary.
        ResourceError: a program or the device is missing.
    """
    if device.kind == "command":
        raise InputError(
            "device command: found a command, which runs only tests that it knows, expected another device"
        )
    if why := device.missing():
        raise ResourceError(why)
    folder.mkdir(parents=True, exist_ok=True)
    return device.build([CANARY.litmus], Choices("plain", 1), folder)


def runs_any_test(device: Device) -> bool:
    """Whether a device can run every test on this machine. A command may know only some tests."""
    return device.kind not in {"command", *ELSEWHERE}


def launch_canary(build: Build, interrupt: Interrupt | None = None) -> AttemptResult | None:
    """Launch the canary once. Return None if `interrupt` says to stop meanwhile."""
    with Session(build, READY_S) as session:
        mark = f"{os.environ.get(MARK, '')}{uuid.uuid4().hex};"  # a campaign finds its canaries, too
        return session.attempt(Request(CANARY.litmus.id, 1, LAUNCH_S), mark, interrupt)


def line_of(attempted: AttemptResult) -> ResultFields:
    """Return the result line of a canary that has ended.

    Raises:
        BrokenError: the canary has not ended.
        ResourceError: there is no line in which a device says what it is.
    """
    (launch,) = attempted.launches
    if attempted.line is not None and launch.end == "ended":
        return attempted.line
    if not attempted.driver:
        raise ResourceError(launch.reason)
    whys = {
        "given up": f"did not end a test of one store in {LAUNCH_S} seconds, so it does not work; restart it",
        "left early": "says that it has run a test of one store, but has not",
    }
    raise BrokenError(f"{attempted.driver}: {whys.get(launch.end, launch.reason)}")


def driver_mismatch(driver: str, expected: str, known: str = "") -> str:
    """Return what was expected of the line in which a device says what it is; nothing if the line is as expected.

    `expected` is a part that the line must have. `known` is the line in which the device said before what it is, if it
    did.
    """
    if expected.lower() not in driver.lower():
        return f"expected {expected!r} in it"
    return f"expected {known!r} as before" if known and driver != known else ""


def order_mismatch(order: str, known: str) -> str:
    """Return how a memory order differs from the one that the device told before; nothing if it does not differ."""
    return f"found the memory order {excerpt(order)!r}, expected {excerpt(known)!r} as before" if order != known else ""


def selecting_environment() -> dict[str, str]:
    """Return the environment variables that decide which devices drivers offer. `~` replaces the user's home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  (a text within others)
    hidden: Callable[[str], str] = lambda text: text.replace(home, "~") if len(home) > 1 else text  # noqa: E731
    return {
        name: hidden(value)
        for name, value in sorted(os.environ.items())
        if name in _SELECTING or name.startswith(_SELECTING_PREFIXES)
    }
