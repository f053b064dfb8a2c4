"""GPUs of AMD, through HIP: `hipcc` compiles the tests for the GPU of this machine."""

from __future__ import annotations

from synth_devices.by_driver import MAKE, ByDriver, Tool


class HipDevice(ByDriver):
    """A GPU of AMD."""

    kind = "hip"
    target = "hip"
    tools = (MAKE, Tool("HIPCC", "hipcc", "sudo apt install hipcc"))
    driver = "install the driver of the GPU: ROCm, https://rocm.docs.amd.com"
    per_file = 100
