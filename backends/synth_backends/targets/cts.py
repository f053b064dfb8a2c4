"""Spec files for the WebGPU CTS, with the WGSL of the target `wgsl`.

A test of the CTS passes or fails. These expect that each thread has set its flag; what hangs loses the device, sooner
or later, and fails. They belong into the CTS's folder `src/webgpu/shader/execution`, beside those of other properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.rendering import environment
from synth_backends.targets.wgsl import LIMITS, SPELLING
from synth_backends.units import alone, fields, sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.target import Job


class Cts:
    """The target `cts`. Each test has its own shader, so that a file may have many."""

    name = "cts"
    limits = LIMITS
    mapping = "chunked"
    per_file = 100

    def emit(self, jobs: Sequence[Job], per_file: int) -> dict[str, str]:
        """Spec files and a README.md."""
        templates = environment(self.name)
        given = fields(self.name, jobs, SPELLING) | {"alone": alone}
        readme = templates.get_template("README.md").render(given)
        return sources(templates, given, per_file, "test", "spec.ts") | {"README.md": readme}
