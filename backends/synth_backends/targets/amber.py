"""AmberScript, for Google's Amber: the GLSL of the target `glsl`, with what is launched and what is expected of it.

Amber is what the paper ran on its Vulkan devices. A script expects that each thread has set its flag; what hangs, Amber
reports as a time-out. A program in Python starts it for each test and prints the lines of the other targets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.rendering import environment
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.targets.glsl import SPELLING
from synth_backends.units import python_host_files, source_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence


class Amber:
    """The target `amber`, with the limits of Vulkan. Names of shaders, buffers and pipelines end in those of tests."""

    name = "amber"
    limits = Limits(usual_workgroups=PAPER, most_workgroups=PAPER)
    mapping = "chunked"
    per_file = 1

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Scripts, `litmus.py` with `tests.json`, a Makefile and a README.md."""
        templates = environment(self.name)
        given = template_fields(self.name, tests, SPELLING)
        scripts = source_files(templates, given, per_file, "test", "amber")
        return scripts | python_host_files(templates, given | {"unit_file": min(scripts, key=len)}, per_file, "amber")
