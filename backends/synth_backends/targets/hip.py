"""HIP: the program of the target `cuda` with the names and atomics of HIP, for `hipcc`.

Every access is an atomic read-modify-write that is sequentially consistent in the scope of the device (in HIP: agent).
A thread that has finished sets a flag in host memory, in the scope of the system.
"""

from __future__ import annotations

from synth_backends.targets.cuda import Cuda


class Hip(Cuda):
    """The target `hip`. Its templates fill the blocks of the templates of `cuda`."""

    name = "hip"
    suffix = "hip"
