"""Metal: kernels that the driver compiles, and one host program in C++ (by Apple's metal-cpp) for all of them.

Every access is an atomic read-modify-write. Metal's atomics are relaxed (the paper, section 6.2); from Metal 3.2 on
each stands between two sequentially consistent fences in the scope of the device, which is all that there is. No
compiler of Metal exists off a Mac: a C++ compiler checks what is written against stand-ins for Apple's headers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_backends.expression import C_LIKE
from synth_backends.rendering import environment
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.units import folder_files, host_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

#: `thread` is an address space in Metal.
SPELLING = replace(C_LIKE, definition="const uint {name} = {value};", renamed=(("thread", "tid"),))


class Metal:
    """The target `metal`."""

    name = "metal"
    limits = Limits(PAPER)
    mapping = "chunked"
    per_file = 1

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Kernels, `litmus.cpp` with `tests.h` and `litmus.h`, a Makefile and a README.md."""
        templates = environment(self.name)
        given = template_fields(self.name, tests, SPELLING) | {"kernel_file": "{}.metal", "entry_point": "run"}
        sources = folder_files(templates, given, per_file, "test", "metal")
        return sources | host_files(templates, given, per_file, "litmus.cpp")
