"""C++20: a workgroup is a `std::jthread`, memory is `std::atomic<unsigned>`.

C++ recommends that threads make "concurrent forward progress", which is weak fairness: the baseline beside which GPUs
are put. Every access is a sequentially consistent atomic read-modify-write, the check of a check branch too, which
adds 0, as in section 6.1 of the paper. Loops over atomics may run for ever in C++: no compiler may take them away.

The paper runs only `plain`. Other mappings start a system thread for each workgroup, in the order of their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.expression import C_LIKE
from synth_backends.rendering import environment
from synth_backends.target import LaunchedTest, Limits
from synth_backends.units import folder_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cpp:
    """The target `cpp`. Linux gives a process about 32,000 threads."""

    name = "cpp"
    limits = Limits(usual_workgroups=200, most_workgroups=16_384)
    mapping = "plain"
    per_file = 1

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """C++ files, each a program of its own, with a Makefile, a README.md and `litmus.h`."""
        return folder_files(
            environment(self.name), template_fields(self.name, tests, C_LIKE), per_file, "test.cpp", "cpp"
        )
