"""The interface of a device, on which campaigns launch tests.

    device = load_device("cpu")
    device.missing()                              # what the user must install, or an empty text
    build = device.build(tests, choices, folder)  # the tests as a program for the device
    with Session(build) as session:
        session.attempt(Request(test.id, launches=20, timeout_s=2.0), mark)

A device makes a program of tests, and names the command that starts the program. All programs print the same result
lines (docs/look-up/targets.md). So one runner, `synth_devices.attempt`, is enough for all devices. There are two kinds
of programs:

- Most take the arguments `--iterations N --timeout S ID`. They run one test and end.
- A program that is slow to start may *serve*. It reads requests from standard input, one a line, and prints a result
  line for each. The runner kills it after a launch that did not end.

Only a result line says which device the driver offers.
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
    """What a program shall do: launch a test so many times, and give up a launch after so many whole seconds.

    `first` is how many launches of the test came before. The number of a launch decides the random choices of
    a simulated device, and the places of workgroups under the mapping `random:SEED+`.
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
    """Tests as programs that are ready to start.

    - `programs` has for each test the command that starts its program. The arguments of a request follow the command.
    - `environment` has variables that the programs get beside those of this process.
    - `folder` is the working directory of the programs.
    - `digest` is the SHA-256 of all source files of the programs.
    - `compiler` is the first line that the compiler prints about its version. It is empty if there is no compiler.
    - `serves` says that all tests have the same program, which serves.
    - `canary` is the command that starts the canary after a launch that hung or lost the device. The arguments of a
      request follow it, too. The command may answer that it has no canary. It is empty if programs start it themselves.
    - `numbers_launches` says that the programs take how many launches came before, as `--first`.
    - `outlives_hangs` says that this program can serve on after it gave up a launch.
    - `renews` says that, after a launch that hung or lost the device, this program kills what launched it, starts that
      anew, and launches the canary there. If the canary ends, the program serves on.
    """

    target: str
    programs: Mapping[str, Sequence[str]]
    digest: str
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    compiler: str = ""
    serves: bool = False
    outlives_hangs: bool = False
    renews: bool = False
    numbers_launches: bool = False
    canary: Sequence[str] = ()

    def words(self, request: Request) -> list[str]:
        """Return the command that starts a program, for one request or, if the program serves, for all requests."""
        program = self.programs[request.test]
        first = ["--first", str(request.first)] if self.numbers_launches else []
        return [*program] if self.serves else [*program, *first, *request.words()]


class Device(Protocol):
    """A device. `name` is how users name it, such as `cpu` or `sim:linear`.

    - `kind` is the part of the name before the colon.
    - `target` is the target of `synth emit` that writes its programs, or a word of its own.
    - `usual_workgroups` is how many workgroups a launch starts, unless the user asks for a number of instances.
    - `shows_flags` says whether the host sees flags of threads while the device works.
    - `decides` says whether the device gives up only launches that certainly hang.
    - `has_lanes` says whether a workgroup can have several threads.
    """

    kind: str
    name: str
    target: str
    usual_workgroups: int
    shows_flags: bool
    decides: bool
    has_lanes: bool

    def missing(self) -> str:
        """Return in one line what the user must install and how, or an empty text if nothing is missing."""
        ...

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Make programs of tests in a folder. The folder is empty, or has programs of the same tests and choices.

        `choices` has a mapping and a number of instances.

        Raises:
            InputError: the device cannot run these tests under these choices.
            ResourceError: the device or a compiler is missing, or fails.
        """
        ...
