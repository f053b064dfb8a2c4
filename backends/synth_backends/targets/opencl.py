"""OpenCL C: kernels that the driver compiles, and one host program in C for all of them.

Every access is an atomic read-modify-write. It is sequentially consistent on the whole device if the driver supports
that (OpenCL C 2.0, or 3.0 with two optional features). Otherwise the kernels use the atomics of OpenCL C 1.x. These
order only accesses to the same location. Threads may see accesses to different locations in different orders.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_backends.expression import C_LIKE
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.template_files import environment
from synth_backends.units import canary_file, folder_files, host_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The spelling of OpenCL C, in which `uint` is more usual than `unsigned`.
SPELLING = replace(C_LIKE, definition="const uint {name} = {value};")


class OpenCl:
    """The target `opencl`."""

    name = "opencl"
    limits = Limits(PAPER)
    mapping = "chunked"
    per_file = 1
    template = "test.cl"
    spelling = SPELLING

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return kernels, `litmus.c` with `tests.h` and `litmus.h`, a Makefile and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | {"kernel_file": "{}.cl", "entry_point": "run"}
        sources = folder_files(templates, fields, per_file, self.template, "cl")
        sources |= canary_file(templates, fields, self.template, "cl")
        return sources | host_files(templates, fields, per_file, "litmus.c")
