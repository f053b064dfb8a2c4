"""The devices by name. A name is a kind, such as `cpu`, or a kind with more after a colon, such as `sim:lockstep`."""

from __future__ import annotations

import pkgutil
from typing import TYPE_CHECKING

from synth_checker.errors import check_type
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_devices.device import Device

#: The class of each kind of device.
KINDS: Mapping[str, str] = {
    "sim": "synth_devices.sim.device:Sim",
    "cpu": "synth_devices.cpu:Cpu",
    "opencl": "synth_devices.opencl:OpenClDevice",
    "vulkan": "synth_devices.vulkan:VulkanDevice",
    "vulkan-glsl": "synth_devices.vulkan:VulkanGlslDevice",
    "cuda": "synth_devices.cuda:CudaDevice",
    "hip": "synth_devices.hip:HipDevice",
    "webgpu": "synth_devices.webgpu:WebGpuDevice",
    "browser": "synth_devices.browser:Browser",
    "amber": "synth_devices.amber:AmberDevice",
    "command": "synth_devices.command:Command",
    "bundle": "synth_devices.remote_devices:BundleDevice",
    "published": "synth_devices.remote_devices:PublishedDevice",
}


def load_device(name: str) -> Device:
    """Return the device of this name.

    Raises:
        InputError: there is no such kind of device, or what follows the colon is not valid.
    """
    check_type("device", name, str, "the name of a device")
    kind, _, rest = name.partition(":")
    check_known("device", kind, KINDS)
    device: Device = pkgutil.resolve_name(KINDS[kind])(rest)
    return device
