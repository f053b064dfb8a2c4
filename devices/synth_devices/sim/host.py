"""The program of the simulated device. It reads requests from standard input, and prints a line of results for each.

    python -m synth_devices.sim.host tests.json

The file has the scheduler, the mapping, and the tests with their numbers of instances (`synth_devices.sim.device`).
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth_backends.mapping import read_mapping
from synth_checker.programs.normal import program_of_id
from synth_devices.sim.device import driver_of
from synth_devices.sim.scheduler import scheduler_of
from synth_devices.sim.simulation import Simulator, patterns

if TYPE_CHECKING:
    from synth_backends.result_line import ResultFields
    from synth_devices.sim.simulation import LaunchResult


class Host:
    """What the program knows: the launches that its file describes, and the simulators of the tests asked for."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._given = settings
        self._scheduler = scheduler_of(settings["scheduler"])
        self._mapping = read_mapping(settings["mapping"])
        self._simulators: dict[str, Simulator] = {}

    def answer(self, request: dict[str, Any]) -> ResultFields:
        """Launch the test of a request, until a launch hangs, and return the line of results."""
        id_, threads = request["id"], len(program_of_id(request["id"]))
        launch, seconds = self._launched_until_a_hang(
            id_, range(request["first"], request["first"] + request["iterations"])
        )
        line: ResultFields = {
            "format": 2,
            "id": id_,
            "name": self._given["tests"][id_],
            "target": "sim",
            "mapping": self._mapping.name,
            "threads": threads,
            "instances": self._given["instances"],
            "stress": 0,
            "workgroups": threads * self._given["instances"],
            "iterations": request["iterations"],
            "timeout_s": request["timeout_s"],
            "synth": version("progress-synth"),
            "order": "seq_cst",
            "expected": {},
            "driver": driver_of(self._given["scheduler"]),
            "device": {},
            "process": 1,
            "result": "hung" if launch.is_hung else "terminated",
            "iteration": len(seconds),
            "seconds": seconds,
            "quiet_s": None,
            "started": patterns(launch.packed_started, threads),
            "finished": patterns(launch.packed_finished, threads),
        }
        if not launch.is_hung:
            del line["quiet_s"]
        return line

    def _launched_until_a_hang(self, id_: str, numbers: range) -> tuple[LaunchResult, list[float | None]]:
        """Return the last launch, which is the first that hung if any did, and how many seconds each launch took."""
        if id_ not in self._simulators:
            program, instances = program_of_id(id_), self._given["instances"]
            self._simulators[id_] = Simulator(self._scheduler, program, self._mapping, instances)
        seconds: list[float | None] = []
        for number in numbers:
            begun = time.monotonic()
            launch = self._simulators[id_].launch(number)
            seconds.append(round(time.monotonic() - begun, 6))
            if launch.is_hung:
                break
        return launch, seconds


def main() -> None:
    """Answer each line of standard input."""
    host = Host(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    for line in sys.stdin:
        print(json.dumps(host.answer(json.loads(line)), separators=(",", ":")), flush=True)  # noqa: T201  (it is how it answers)


if __name__ == "__main__":
    main()
