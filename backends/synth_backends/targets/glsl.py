"""GLSL for Vulkan: a compute shader for each test, and one host program in C for all of them.

Every access is an atomic read-modify-write that acquires and releases in the scope of the device. This uses the
extension GL_KHR_memory_scope_semantics of the language, which requires nothing of the device. Vulkan has no stronger
order. Without Vulkan's memory model, which few devices had when the paper was written, the scope covers everything that
one queue runs. The paper uses plain atomics in GLSL, whose order is relaxed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from synth_backends.expression import C_LIKE
from synth_backends.target import PAPER, LaunchedTest, Limits
from synth_backends.template_files import environment
from synth_backends.units import canary_file, folder_files, host_files, template_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.expression import Spelling

SPELLING = replace(C_LIKE, definition="const uint {name} = {value};")


class Glsl:
    """The target `glsl`. Any Vulkan device can start 65,535 workgroups, and a shader has one entry point."""

    name = "glsl"
    limits = Limits(usual_workgroups=PAPER, most_workgroups=PAPER, most_per_file=1)
    mapping = "chunked"
    per_file = 1
    template = "test"
    spelling: Spelling | None = SPELLING
    suffix = "comp"
    #: The values that its templates use in addition to those of every target.
    helpers: ClassVar[dict[str, Any]] = {"kernel_file": "build/{}.spv", "entry_point": "main"}

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return shaders, `litmus.c` with `tests.h` and `litmus.h`, a Makefile and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | self.helpers
        sources = folder_files(templates, fields, per_file, self.template, self.suffix)
        sources |= canary_file(templates, fields, self.template, self.suffix)
        return sources | host_files(templates, fields, per_file, "vulkan/litmus.c")
