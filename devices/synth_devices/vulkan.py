"""Devices of Vulkan, through the loader of the system: with shaders in SPIR-V that we write, or in GLSL.

Which drivers the loader offers, `VK_DRIVER_FILES` or the older `VK_ICD_FILENAMES` decide.

A GPU may have several families of queues, such as one for graphics and compute and one for compute alone. It may
schedule their work in different ways, so each family is a device with a name of its own:

    vulkan:queue-family=1               the only device of Vulkan, with its queue family 1
    vulkan:GeForce,queue-family=1       the same of the device that has "GeForce" in its line
"""

from __future__ import annotations

import re

from synth_checker.errors import InputError
from synth_devices.by_driver import CC, MAKE, ByDriver, Tool


class VulkanDevice(ByDriver):
    """A device of Vulkan. No compiler comes between our SPIR-V and the driver.

    Raises:
        InputError: what follows `queue-family=` is no number from 0 to 63.
    """

    kind = "vulkan"
    target = "spirv"
    tools = (MAKE, CC, Tool("SPIRV_AS", "spirv-as", "sudo apt install spirv-tools"))
    header = "vulkan/vulkan.h"
    install_header = "sudo apt install libvulkan-dev"
    driver = "install the driver of the device, or name its file in VK_DRIVER_FILES"

    def __init__(self, words: str = "") -> None:
        pattern, separator, family = words.rpartition("queue-family=")
        if separator and not re.fullmatch(r"[0-9]|[1-5][0-9]|6[0-3]", family):
            raise InputError(f"device {self.kind}: found queue-family={family}, expected a number from 0 to 63")
        super().__init__(pattern.removesuffix(",") if separator else words)
        if separator:
            self.name = f"{self.kind}:{words}"
            self.options = ("--queue-family", family)


class VulkanGlslDevice(VulkanDevice):
    """A device of Vulkan. `glslangValidator` compiles shaders from GLSL."""

    kind = "vulkan-glsl"
    target = "glsl"
    tools = (MAKE, CC, Tool("GLSLANG", "glslangValidator", "sudo apt install glslang-tools"))
