"""Any other device: a command that runs tests and prints their results, such as a script that uses a phone.

    command:./my-device --quiet

The command gets the arguments of an emitted program, and prints the same lines (docs/look-up/targets.md). It must know
the tests. After a launch that hung or lost the device, it is asked for the canary. It need not have one.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
from typing import TYPE_CHECKING

from synth_backends.target import PAPER
from synth_checker.errors import InputError
from synth_devices.device import Build

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices


class Command:
    """A device behind a command.

    Raises:
        InputError: the command is empty, or has a quote without end.
    """

    kind = "command"
    target = "command"
    usual_workgroups = PAPER
    shows_flags = True
    decides = False
    has_lanes = True

    def __init__(self, words: str = "") -> None:
        self.name = f"command:{words}"
        try:
            self._command = tuple(shlex.split(words))
        except ValueError as error:
            raise InputError(f"device {self.name}: {error}") from error
        if not self._command:
            raise InputError(
                "device command: found no command, expected one after the colon, such as command:./run-on-phone"
            )

    def missing(self) -> str:
        """Return a message if there is no such program, or an empty text."""
        program = self._command[0]
        return "" if shutil.which(program) else f"found no program {program} that this user may start"

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:  # noqa: ARG002
        """Return the command itself, with the mapping and the number of instances as arguments."""
        command = self._words(choices.mapping or "plain", choices.instances or 1)
        digest = hashlib.sha256(shlex.join(command).encode()).hexdigest()
        programs = dict.fromkeys((test.id for test in tests), command)
        return Build("command", programs, digest, canary=self._words("plain", 1))

    def _words(self, mapping: str, instances: int) -> tuple[str, ...]:
        return (*self._command, "--mapping", mapping, "--instances", str(instances))
