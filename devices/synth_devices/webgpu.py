"""Devices of WebGPU, through the Python package `wgpu`: the target `wgsl`.

    webgpu                  the only device that wgpu finds
    webgpu:SwiftShader      the only one that has "SwiftShader" in the line in which it says what it is

A GPU may be there several times: once through Vulkan, and once through OpenGL. The line names the interface, so these
are several devices.

Importing wgpu takes seconds, so the program of the target stays, and answers requests. It gets the whole line of the
device, and never a number: if the usual driver is not found later, wgpu offers another one, and does not say so.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_backends.target import PAPER, Choices
from synth_backends.units import CANARY
from synth_devices.device import Build
from synth_devices.emitted_device import emit_programs
from synth_devices.members import choose_member, members_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_devices.members import Member

_DRIVER = "install a driver of Vulkan, Metal or OpenGL"


class WebGpuDevice:
    """A device of WebGPU. `pattern` is a part of the line in which it says what it is."""

    kind = "webgpu"
    target = "wgsl"
    usual_workgroups = PAPER
    shows_flags = False
    decides = False
    has_lanes = True

    def __init__(self, pattern: str = "") -> None:
        self.name = f"webgpu:{pattern}" if pattern else "webgpu"
        self._pattern = pattern
        self._line = ""

    def missing(self) -> str:
        """Return that the package is not installed, if that is so."""
        return "" if importlib.util.find_spec("wgpu") else "the Python package wgpu is not found: pip install wgpu"

    def members(self, folder: Path) -> list[Member]:
        """Return all devices that `wgpu` finds.

        Raises:
            ResourceError: there is no device.
        """
        place, digest = emit_programs("wgsl", [CANARY.litmus], Choices("plain", 1, per_file=1), folder)
        program = (sys.executable, str(place / "litmus.py"), "--device", "0")
        return members_of(Build("wgsl", {CANARY.litmus.id: program}, digest), _DRIVER)

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests as WGSL. The driver compiles them when they are run.

        Raises:
            InputError: several devices fit.
            ResourceError: there is no device, or none that fits.
        """
        if not self._line:
            line = choose_member(self.members(folder / "asking"), self.name, self._pattern).line
            assert line is not None  # noqa: S101  (a device that fits has a line)
            self._line = line["driver"]
        place, digest = emit_programs("wgsl", tests, replace(choices, per_file=1), folder)
        command = (sys.executable, str(place / "litmus.py"), "--serve", "--driver", self._line)
        return Build("wgsl", dict.fromkeys((test.id for test in tests), command), digest, serves=True)
