"""Devices of OpenCL: the host program is C, and the driver compiles the tests when the program starts.

PoCL makes a device of the processors. `POCL_DEVICES` and `POCL_MAX_PTHREAD_COUNT` choose how it works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_devices.by_driver import CC, MAKE, ByDriver

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class OpenClDevice(ByDriver):
    """A device of OpenCL."""

    kind = "opencl"
    target = "opencl"
    tools = (MAKE, CC)
    header = "CL/cl.h"
    install_header = "sudo apt install ocl-icd-opencl-dev"
    driver = "install the driver of the device, or for the processor: sudo apt install pocl-opencl-icd"
    compiles_tests = False

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Let PoCL keep what it compiles in the folder of the programs: two versions of it must not share a cache."""
        return {"POCL_CACHE_DIR": str(folder / "pocl")}
