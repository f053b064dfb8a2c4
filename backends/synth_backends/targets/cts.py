"""Spec files for the WebGPU CTS, with the WGSL of the target `wgsl`.

A test of the CTS passes or fails. These expect that each thread has set its flag; what hangs loses the device, sooner
or later, and fails. They belong into the CTS's folder `src/webgpu/shader/execution`, beside those of other properties.
"""

from __future__ import annotations

from synth_backends.targets.web import Web


class Cts(Web):
    """The target `cts`; each of its tests has a shader of its own, too, so that a file may have many."""

    name = "cts"
    per_file = 100
    suffix = "spec.ts"
