"""C++20: a workgroup is a `std::jthread`, and the memory consists of `std::atomic<unsigned>`.

The C++ standard recommends that threads make "concurrent forward progress", which is weak fairness. So this target is
the baseline with which GPUs are compared. Every access is a sequentially consistent atomic read-modify-write. A check
branch adds 0, as in section 6.1 of the paper. Loops over atomics may run without end in C++, so no compiler may remove
them.

The paper runs only the mapping `plain`. Other mappings start a system thread for each workgroup, in the order of the
workgroups' numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.expression import C_LIKE
from synth_backends.target import LaunchedTest, Limits
from synth_backends.template_files import environment
from synth_backends.units import folder_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cpp:
    """The target `cpp`. It starts at most 16,384 workgroups, because Linux allows a process about 32,000 threads."""

    name = "cpp"
    limits = Limits(usual_workgroups=200, most_workgroups=16_384, most_width=1)
    mapping = "plain"
    per_file = 1
    template = "test.cpp"
    spelling = C_LIKE

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return C++ files, each a complete program, with a Makefile, a README.md and `litmus.h`, by their paths."""
        fields = template_fields(self.name, tests, self.spelling)
        return folder_files(environment(self.name), fields, per_file, self.template, "cpp")
