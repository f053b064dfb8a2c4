"""AmberScript for Google's Amber: the shaders of the target `glsl`, with commands that launch and check them.

The paper ran its tests on Vulkan devices with Amber. A script expects that each thread has set its flag. If a test
hangs, Amber reports a time-out. A Python program starts Amber for each test, and prints the same lines as the other
targets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.target import PAPER, VULKAN_WIDTH, LaunchedTest, Limits
from synth_backends.targets.glsl import SPELLING
from synth_backends.template_files import environment
from synth_backends.units import canary_file, python_host_files, source_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence


class Amber:
    """The target `amber`, with the limits of Vulkan. Shaders, buffers and pipelines are named after their tests."""

    name = "amber"
    limits = Limits(usual_workgroups=PAPER, most_workgroups=PAPER, most_width=VULKAN_WIDTH, numbers_launches=False)
    mapping = "chunked"
    per_file = 1
    template = "test"
    spelling = SPELLING

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return Amber scripts, `litmus.py` with `tests.json`, a Makefile and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | {"order": "acq_rel device"}
        scripts = source_files(templates, fields, per_file, self.template, "amber")
        fields |= {"unit_file": min(scripts, key=len)}
        scripts |= canary_file(templates, fields, self.template, "amber")
        return scripts | python_host_files(templates, fields, per_file, "amber")
