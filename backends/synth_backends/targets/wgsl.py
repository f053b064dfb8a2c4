"""WGSL shaders, which a Python program runs with the package `wgpu`.

The package contains Firefox's WebGPU implementation.

Every access is an atomic read-modify-write. WGSL's atomics are relaxed, and WGSL has no fence between workgroups. So
accesses to one location are ordered, but accesses to several locations may be observed in different orders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.expression import Spelling
from synth_backends.target import PAPER, WEBGPU_WIDTH, LaunchedTest, Limits
from synth_backends.template_files import environment
from synth_backends.units import canary_file, python_host_files, source_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

SPELLING = Spelling("let {name} = {value};", choice="select({no}, {yes}, {condition})", choice_is_call=True)
#: The number of workgroups that every WebGPU device can start.
LIMITS = Limits(usual_workgroups=PAPER, most_workgroups=PAPER, most_width=WEBGPU_WIDTH)


class Wgsl:
    """The target `wgsl`."""

    name = "wgsl"
    limits = LIMITS
    mapping = "chunked"
    per_file = 1
    template = "test"
    spelling = SPELLING

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return shaders, `litmus.py` with `tests.json`, a Makefile and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | {"order": "relaxed device"}
        sources = source_files(templates, fields, per_file, self.template, "wgsl")
        sources |= canary_file(templates, fields, self.template, "wgsl")
        return sources | python_host_files(templates, fields, per_file, "wgsl")
