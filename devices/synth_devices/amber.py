"""A GPU through Vulkan, as the paper ran its tests: Google's Amber runs the scripts of the target `amber`.

    amber                  the only device that Amber finds
    amber:SwiftShader      the only one that has "SwiftShader" in the line in which it says what it is

The variable `AMBER` says where the program is, and may have options for it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from synth_backends.target import PAPER, Choices
from synth_backends.units import CANARY
from synth_devices.device import Build
from synth_devices.emitted_device import emit_programs, version_line
from synth_devices.members import choose_member, members_in_turn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_devices.members import Member


class AmberDevice:
    """A device that Amber finds. `pattern` is a part of the line in which it says what it is."""

    kind = "amber"
    target = "amber"
    usual_workgroups = PAPER
    shows_flags = False
    decides = False
    has_lanes = True

    def __init__(self, pattern: str = "") -> None:
        self.name = f"{self.kind}:{pattern}" if pattern else self.kind
        self._pattern = pattern
        self._number: int | None = None

    def missing(self) -> str:
        """Return that Amber is not there, if that is so."""
        problem = f"{_amber()[0]} not found: build https://github.com/google/amber, or set AMBER to where it is"
        return "" if shutil.which(_amber()[0]) else problem

    def members(self, folder: Path) -> list[Member]:
        """Return all devices that Amber finds. Amber does not tell how many there are, so they are asked in turn."""
        return list(members_in_turn(_built([CANARY.litmus], Choices("plain", 1), folder, 0)))

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests as scripts. Amber compiles them when they are run.

        Raises:
            InputError: several devices fit.
            ResourceError: there is no device.
        """
        if self._number is None:
            self._number = choose_member(self.members(folder / "asking"), self.name, self._pattern).number
        return _built(tests, choices, folder, self._number)


def _built(tests: Sequence[LitmusTest], choices: Choices, folder: Path, number: int) -> Build:
    folder.mkdir(parents=True, exist_ok=True)
    place, digest = emit_programs("amber", tests, choices, folder)
    program = (sys.executable, str(place / "litmus.py"), "--device", str(number))
    compiler = version_line([*_amber(), "--version"])
    return Build("amber", dict.fromkeys((test.id for test in tests), program), digest, compiler=compiler)


def _amber() -> list[str]:
    return shlex.split(os.environ.get("AMBER") or "amber")
