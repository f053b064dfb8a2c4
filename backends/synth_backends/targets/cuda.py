"""CUDA: kernels and host code in one file for `nvcc`, with up to a hundred tests in a file by default.

Every access is an atomic read-modify-write of libcu++ that is sequentially consistent in the scope of the device. A
thread that has finished sets a flag in host memory, in the scope of the system. So the flag can be read while a kernel
hangs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.expression import C_LIKE
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.template_files import environment
from synth_backends.units import folder_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cuda:
    """The target `cuda`."""

    name = "cuda"
    limits = Limits(PAPER)
    mapping = "chunked"
    per_file = 100
    template = "test"
    spelling = C_LIKE
    suffix = "cu"

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return source files, each a complete program, with a Makefile, a README.md and `litmus.h`, by their paths."""
        fields = template_fields(self.name, tests, self.spelling)
        return folder_files(environment(self.name), fields, per_file, self.template, self.suffix)
