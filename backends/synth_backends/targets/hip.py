"""HIP: the program of the target `cuda` with HIP's names and atomics, for `hipcc`.

Every access is an atomic read-modify-write, sequentially consistent in the scope of the device (HIP: agent). That a
thread has finished is stored in memory of the host, in the scope of the system.
"""

from __future__ import annotations

from synth_backends.targets.cuda import Cuda


class Hip(Cuda):
    """The target `hip`; its templates fill the blocks of those of `cuda`."""

    name = "hip"
    suffix = "hip"
