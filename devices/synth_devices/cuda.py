"""GPUs of NVIDIA, through CUDA: `nvcc` compiles the tests for the GPU of this machine."""

from __future__ import annotations

from synth_devices.by_driver import MAKE, ByDriver, Tool


class CudaDevice(ByDriver):
    """A GPU of NVIDIA."""

    kind = "cuda"
    target = "cuda"
    tools = (MAKE, Tool("NVCC", "nvcc", "install the CUDA Toolkit, https://developer.nvidia.com/cuda-downloads"))
    driver = "install the driver of the GPU: sudo apt install nvidia-driver"
    per_file = 100
