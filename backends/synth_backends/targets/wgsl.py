"""WGSL, run by a program in Python with the package `wgpu`, which brings the WebGPU implementation of Firefox.

Every access is an atomic read-modify-write. WGSL's atomics are relaxed and it has no fence between workgroups, so that
accesses to one location are ordered, and those to several may be seen in different orders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.expression import Spelling
from synth_backends.rendering import environment
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.units import python_host_files, source_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

SPELLING = Spelling("let {name} = {value};", choice="select({no}, {yes}, {condition})", choice_is_call=True)
#: What every device of WebGPU starts.
LIMITS = Limits(usual_workgroups=PAPER, most_workgroups=PAPER)


class Wgsl:
    """The target `wgsl`."""

    name = "wgsl"
    limits = LIMITS
    mapping = "chunked"
    per_file = 1

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Shaders, `litmus.py` with `tests.json`, a Makefile and a README.md."""
        templates = environment(self.name)
        given = template_fields(self.name, tests, SPELLING)
        return source_files(templates, given, per_file, "test", "wgsl") | python_host_files(
            templates, given, per_file, "wgsl"
        )
