"""Metal: kernels that the driver compiles, and one host program in C++ (with Apple's metal-cpp) for all of them.

Every access is an atomic read-modify-write. Metal's atomics are relaxed (the paper, section 6.2). From Metal 3.2 on,
each access is between two sequentially consistent fences in the scope of the device; Metal has nothing stronger. A
compiler for Metal exists only on a Mac. So the tests of this project compile the emitted code with a C++ compiler, and
with substitutes for Apple's headers.
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

#: The spelling of Metal, where `thread` is the name of an address space.
SPELLING = replace(C_LIKE, definition="const uint {name} = {value};", renamed=(("thread", "tid"),))


class Metal:
    """The target `metal`."""

    name = "metal"
    limits = Limits(PAPER)
    mapping = "chunked"
    per_file = 1
    template = "test"
    spelling = SPELLING

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return kernels, `litmus.cpp` with `tests.h` and `litmus.h`, a Makefile and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | {"kernel_file": "{}.metal", "entry_point": "run"}
        sources = folder_files(templates, fields, per_file, self.template, "metal")
        sources |= canary_file(templates, fields, self.template, "metal")
        return sources | host_files(templates, fields, per_file, "litmus.cpp")
