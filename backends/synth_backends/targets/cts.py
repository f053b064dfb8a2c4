"""Spec files for the WebGPU CTS, with the WGSL of the target `wgsl`.

A test of the CTS passes or fails. These expect that each thread has set its flag; what hangs loses the device, sooner
or later, and fails. They belong into the CTS's folder `src/webgpu/shader/execution`, beside those of other properties.
Its loader takes no file name with a hyphen, and its linter is strict about quotes and line breaks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.rendering import environment
from synth_backends.targets.web import Web

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.target import LaunchedTest


class Cts(Web):
    """The target `cts`; each of its tests has a shader of its own, too, so that a file may have many."""

    name = "cts"
    per_file = 100
    suffix = "spec.ts"

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Spec files with names that the CTS loads, the README.txt of their folder there, and our README.md."""
        files = super().emit(tests, per_file)
        readme = environment(self.name).get_template("README.txt").render()
        return {name.replace("-", "_"): text for name, text in files.items()} | {"README.txt": readme}
