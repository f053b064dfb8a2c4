"""Spec files for the WebGPU CTS (conformance test suite), with the shaders of the target `wgsl`.

A test of the CTS passes or fails. These tests expect that each thread has set its flag. If a test hangs, the browser
takes the device away after some time, and the test fails. The files belong in the CTS's folder
`src/webgpu/shader/execution`, beside those for other properties. The CTS does not load a file whose name has a hyphen,
and its linter is strict about quotes and line breaks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.targets.web import Web
from synth_backends.targets.wgsl import LIMITS
from synth_backends.template_files import environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.target import LaunchedTest


class Cts(Web):
    """The target `cts`. Each of its tests has a shader of its own, so that a file may contain many tests."""

    name = "cts"
    limits = LIMITS._replace(numbers_launches=False)
    per_file = 100
    suffix = "spec.ts"

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return spec files with names that the CTS loads, a README.txt for their folder there, and a README.md."""
        files = super().emit(tests, per_file)
        readme = environment(self.name).get_template("README.txt").render()
        return {name.replace("-", "_"): text for name, text in files.items()} | {"README.txt": readme}
