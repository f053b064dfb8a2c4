"""Devices of Vulkan, through the loader of the system: with shaders in SPIR-V that we write, or in GLSL.

Which drivers the loader offers, `VK_DRIVER_FILES` or the older `VK_ICD_FILENAMES` decide.
"""

from __future__ import annotations

from synth_devices.by_driver import CC, MAKE, ByDriver, Tool


class Vulkan(ByDriver):
    """A device of Vulkan. No compiler comes between our SPIR-V and the driver."""

    kind = "vulkan"
    target = "spirv"
    tools = (MAKE, CC, Tool("SPIRV_AS", "spirv-as", "sudo apt install spirv-tools"))
    header = "vulkan/vulkan.h"
    install_header = "sudo apt install libvulkan-dev"
    driver = "install the driver of the device, or name its file in VK_DRIVER_FILES"


class VulkanGlsl(Vulkan):
    """A device of Vulkan. `glslangValidator` compiles shaders from GLSL."""

    kind = "vulkan-glsl"
    target = "glsl"
    tools = (MAKE, CC, Tool("GLSLANG", "glslangValidator", "sudo apt install glslang-tools"))
