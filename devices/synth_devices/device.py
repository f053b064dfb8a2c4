"""The interface of a device, on which tests are launched.

    device = load_device("cpu")
    device.missing()                              # what is not installed, or nothing
    build = device.build(tests, choices, folder)  # the tests as a program for the device
    with Session(build) as session:
        session.attempt(Request(test.id, launches=20, timeout_s=2.0), mark)

A device makes a program of tests, and says with which command the program is started. All programs print the same
lines (docs/targets.md). So one runner, `synth_devices.attempt`, is enough for all devices. There are two kinds of
programs:

- Most are started with `--iterations N --timeout S ID`. They run one test, and end.
- A program that is slow to start may *serve*: it stays, reads one request a line from standard input, and prints one
  line for each. It is killed after a launch that did not end.

What a device is called by its driver, only the lines of results say.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices


#: An emitted program prints one line for so many launches at most.
MOST_LAUNCHES = 1000


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a program: a test, how often to launch it, and after how many whole seconds one is given up.

    `first` is how often the test has been launched before. Only a simulated device looks at it: the number of a launch
    decides its random choices.
    """

    test: str
    launches: int
    timeout_s: int
    first: int = 0

    def line(self) -> str:
        """Return the request as a line for a program that serves."""
        fields = {"id": self.test, "iterations": self.launches, "timeout_s": self.timeout_s, "first": self.first}
        return json.dumps(fields)

    def words(self) -> list[str]:
        """Return the request as arguments of a program."""
        return ["--iterations", str(self.launches), "--timeout", str(self.timeout_s), self.test]


@dataclass(frozen=True, slots=True)
class Build:
    """Tests as programs that can be started.

    - `programs` has for each test the command that starts its program. Arguments follow.
    - `environment` is added to the environment of this process, and `folder` is where the program is started.
    - `digest` is the SHA-256 of all files of which the programs were made.
    - `compiler` says what made them, with its version. It is empty if nothing was compiled.
    - `serves` says that all tests have the same program, which serves. `outlives_hangs` says that this program need not
      be killed after a launch that was given up.
    """

    target: str
    programs: Mapping[str, Sequence[str]]
    digest: str
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    compiler: str = ""
    serves: bool = False
    outlives_hangs: bool = False

    def words(self, request: Request) -> list[str]:
        """Return the command with which a program is started, for one request or, if it serves, for all."""
        program = self.programs[request.test]
        return [*program] if self.serves else [*program, *request.words()]


class Device(Protocol):
    """A device. `name` is how users name it, such as `cpu` or `sim:linear`.

    - `kind` is the part of the name before the colon.
    - `target` is the target for which tests are emitted, or a word of its own.
    - `usual_workgroups` is how many workgroups a launch starts, unless instances are asked for.
    - `shows_flags` says whether the host sees flags of threads while the device works.
    - `decides` says whether a launch is given up only if it certainly hangs.
    """

    kind: str
    name: str
    target: str
    usual_workgroups: int
    shows_flags: bool
    decides: bool

    def missing(self) -> str:
        """Return what is not installed and how to get it, as one line, or an empty text if nothing is missing."""
        ...

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Make programs of tests in a folder, which is empty or was used for the same tests and choices before.

        `choices` has a mapping and a number of instances.

        Raises:
            InputError: the device cannot run these tests under these choices.
            ResourceError: the device or a compiler is not there, or fails.
        """
        ...
