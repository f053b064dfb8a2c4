"""The simulated scheduler as a device: `sim`, or `sim:SCHEDULER` with a preset or the path of a scheduler file.

It decides whether a launch hangs (docs/understand/sim.md), so whatever it gives up hangs without end.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING

from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError
from synth_devices.device import Build
from synth_devices.sim.defaults import SCHEDULER, WORKGROUPS
from synth_devices.sim.presets import read_scheduler

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices


class Sim:
    """A device with a simulated scheduler.

    Raises:
        InputError: there is no such preset or scheduler file.
    """

    kind = "sim"
    target = "sim"
    usual_workgroups = WORKGROUPS
    shows_flags = True
    decides = True
    has_lanes = False

    def __init__(self, scheduler: str = "") -> None:
        self.name = f"sim:{scheduler}" if scheduler else "sim"
        self._scheduler = read_scheduler(scheduler or SCHEDULER)

    def missing(self) -> str:
        """Return nothing: the scheduler is part of `synth`."""
        return ""

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Write a description of the launches for the program `synth_devices.sim.host`."""
        if choices.stress:
            raise InputError(f"stress: found {choices.stress}, expected 0: a simulated device has no memory to stress")
        launch_mapping = read_mapping(choices.mapping or "plain")
        if launch_mapping.kind.is_anew:
            raise InputError(
                f"mapping {launch_mapping.name}: all simulated launches have the same places; write it without the +"
            )
        mapping = launch_mapping.name
        names = {test.id: test.name for test in sorted(tests, key=lambda test: test.id)}
        settings = {
            "scheduler": self._scheduler.toml(),
            "mapping": mapping,
            "instances": choices.instances or 1,
            "tests": names,
        }
        text = json.dumps(settings, indent=1) + "\n"
        place = folder / "tests.json"
        place.write_text(text, "utf-8")
        command = (sys.executable, "-P", "-m", "synth_devices.sim.host", str(place))
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Build("sim", dict.fromkeys(names, command), digest, serves=True, outlives_hangs=True)


def driver_of(toml: str) -> str:
    """Return the line that stands for a driver: all keys of the scheduler's file."""
    return "simulated scheduler: " + ", ".join(toml.replace('"', "").splitlines())
