"""The processors of this machine: each workgroup is a thread of the operating system, in a program in C++."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_backends.mapping import read_mapping
from synth_backends.units import stems_of
from synth_checker.errors import InputError
from synth_devices.compilation import run_make
from synth_devices.device import Build
from synth_devices.emitted_device import emit_programs, version_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices

#: A source file with so many tests compiles as quickly as a few files with one test each.
_PER_FILE = 50
#: How many workgroups there are for each processor. With more, the operating system takes seconds for a launch.
_PER_PROCESSOR = 10


class Cpu:
    """The processors of this machine.

    Raises:
        InputError: a word follows the colon of the device's name.
    """

    kind = "cpu"
    name = "cpu"
    target = "cpp"
    usual_workgroups = _PER_PROCESSOR * (os.cpu_count() or 1)
    shows_flags = True
    decides = False
    has_lanes = False

    def __init__(self, words: str = "") -> None:
        if words:
            raise InputError(f"device cpu: found {words!r} after the colon, expected cpu alone")

    def missing(self) -> str:
        """Return which of `make` and a C++ compiler are missing."""
        lacks = [name for name in ("make", _compiler()) if shutil.which(name) is None]
        return f"{' and '.join(lacks)} not found: sudo apt install g++ make" if lacks else ""

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests as C++, and compile them."""
        ordered = sorted(tests, key=lambda test: test.id)
        place, digest = emit_programs("cpp", ordered, replace(choices, per_file=_PER_FILE), folder)
        run_make(place)
        programs = {id_: (str(place / "build" / stem),) for id_, stem in stems_of(ordered, _PER_FILE).items()}
        is_anew = read_mapping(choices.mapping or "plain").kind.is_anew
        compiler = version_line([_compiler(), "--version"])
        return Build("cpp", programs, digest, place, compiler=compiler, numbers_launches=is_anew)


def _compiler() -> str:
    return os.environ.get("CXX", "g++")
