"""A GPU through Vulkan, as the paper ran its tests: Google's Amber runs the scripts of the target `amber`.

The variable `AMBER` says where the program is, and may have options for it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from synth_backends.target import PAPER
from synth_checker.errors import InputError
from synth_devices.device import Build
from synth_devices.emitted import emitted, version_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices


class Amber:
    """The first device that Amber finds.

    Raises:
        InputError: a word follows the colon of the device's name.
    """

    kind = "amber"
    name = "amber"
    target = "amber"
    usual_workgroups = PAPER
    shows_flags = False
    decides = False
    has_lanes = True

    def __init__(self, words: str = "") -> None:
        if words:
            msg = (
                f"device amber: found {words!r} after the colon, expected amber alone; VK_DRIVER_FILES chooses a driver"
            )
            raise InputError(msg)

    def missing(self) -> str:
        """Return that Amber is not there, if that is so."""
        found = f"{_amber()[0]} not found: build https://github.com/google/amber, or set AMBER to where it is"
        return "" if shutil.which(_amber()[0]) else found

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests as scripts. Amber compiles them when they are run."""
        place, digest = emitted("amber", tests, choices, folder)
        program = (sys.executable, str(place / "litmus.py"))
        compiler = version_line([*_amber(), "--version"])
        return Build("amber", dict.fromkeys((test.id for test in tests), program), digest, compiler=compiler)


def _amber() -> list[str]:
    return shlex.split(os.environ.get("AMBER") or "amber")
