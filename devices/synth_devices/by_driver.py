"""Devices behind a driver: emitted programs find them through OpenCL, Vulkan, CUDA or HIP.

    vulkan                  the only device that Vulkan offers
    vulkan:SwiftShader      the only one that has "SwiftShader" in the line in which it says what it is, or in its UUID

An interface may offer several devices. A new driver may change their order. So users do not name them by numbers: we
ask every device what it is, and take the one that fits. The programs take its number as `--device`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from synth_backends.mapping import read_mapping
from synth_backends.target import PAPER, Choices
from synth_backends.units import CANARY, stems_of
from synth_devices.compilation import run_make
from synth_devices.device import Build
from synth_devices.emitted_device import emit_programs, version_line
from synth_devices.members import choose_member, members_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_devices.members import Member


class Tool(NamedTuple):
    """A program that making tests needs: its usual name, the variable that names another one, and how to install it."""

    variable: str
    usual: str
    install: str

    @property
    def name(self) -> str:
        """The program to use."""
        return os.environ.get(self.variable) or self.usual


MAKE = Tool("MAKE", "make", "sudo apt install make")
CC = Tool("CC", "cc", "sudo apt install gcc")


class ByDriver:
    """A device of an interface. Each interface has a class of its own, which says what is special about it.

    - `tools` are the programs that making tests needs.
    - `header` is a file that C programs must find, and `install_header` says how to install it.
    - `driver` says what to install if there is no device.
    - `compiles_tests` says that the last tool is the compiler of tests. Otherwise the driver compiles them.
    - `per_file` is how many tests share a source file. Each such file becomes a program. None if there is one program.
    """

    kind: ClassVar[str]
    target: ClassVar[str]
    usual_workgroups = PAPER
    shows_flags = True
    decides = False
    has_lanes = True
    tools: ClassVar[Sequence[Tool]]
    header: ClassVar[str] = ""
    install_header: ClassVar[str] = ""
    driver: ClassVar[str]
    compiles_tests: ClassVar[bool] = True
    per_file: ClassVar[int | None] = None

    def __init__(self, pattern: str = "") -> None:
        self.name = f"{self.kind}:{pattern}" if pattern else self.kind
        self._pattern = pattern
        #: Options of the programs that choose more than the device.
        self.options: tuple[str, ...] = ()
        self._number: int | None = None

    def missing(self) -> str:
        """Return which tools or headers are missing. Only a program can find out whether there is a device."""
        lacks = [tool for tool in self.tools if shutil.which(tool.name) is None]
        if lacks:
            installs = "; ".join(dict.fromkeys(tool.install for tool in lacks))
            return f"{' and '.join(tool.name for tool in lacks)} not found: {installs}"
        if self.header and not _finds(self.header):
            return f"{self.header} not found: {self.install_header}"
        return ""

    def members(self, folder: Path) -> list[Member]:
        """Return all devices of the interface. `folder` gets the program that asks them.

        Raises:
            ResourceError: there is no device, or making the program failed.
        """
        build = self._built([CANARY.litmus], Choices("plain", 1), folder, 0)
        return members_of(build, self.driver)

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests, compile them, and let their programs use the device.

        Raises:
            InputError: no device fits, or several do.
            ResourceError: there is no device, or making a program failed.
        """
        if self._number is None:
            self._number = choose_member(self.members(folder / "asking"), self.name, self._pattern).number
        return self._built(tests, choices, folder, self._number)

    def environment(self, folder: Path) -> Mapping[str, str]:  # noqa: ARG002
        """Return variables for the programs in a folder."""
        return {}

    def _built(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path, number: int) -> Build:
        ordered = sorted(tests, key=lambda test: test.id)
        choices = replace(choices, per_file=self.per_file)
        folder.mkdir(parents=True, exist_ok=True)
        place, digest = emit_programs(self.target, ordered, choices, folder)
        run_make(place)
        stems = dict.fromkeys((test.id for test in ordered), "litmus")
        if self.per_file is not None:
            stems = stems_of(ordered, self.per_file)
        programs = {
            id_: (str(place / "build" / stem), *self.options, "--device", str(number)) for id_, stem in stems.items()
        }
        compiler = version_line([self.tools[-1].name, "--version"]) if self.compiles_tests else ""
        is_anew = read_mapping(choices.mapping or "plain").kind.is_anew
        environment = self.environment(place)
        return Build(self.target, programs, digest, place, environment, compiler, numbers_launches=is_anew)


def _finds(header: str) -> bool:
    """Whether a C compiler finds a header."""
    command = [CC.name, "-E", "-x", "c", "-include", header, os.devnull]
    run = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=60)  # noqa: S603
    return run.returncode == 0
