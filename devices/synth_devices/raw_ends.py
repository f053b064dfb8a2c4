"""The six *raw ends*: how a launch can end, as the store keeps it. Only who reads the store decides what that means.

Emitted programs print a line for each of their processes (docs/look-up/targets.md). A process launches a test until
the first launch that does not end. This module says which raw end each word of such a line stands for:

| word            | the last launch   | why                                                              |
|-----------------|-------------------|------------------------------------------------------------------|
| `terminated`    | `ended`           | all threads have finished                                        |
| `left early`    | `left early`      | the device reports the end of the launch, but some thread has not ended |
| `hung`          | `given up`        | the time-out was over                                            |
| `lost`          | `lost`            | the driver or the operating system took the device away          |
| `failed`        | `crashed`         | something broke after the program was ready to launch the test   |
| `not run`       | `failed`          | the program could not launch the test                            |

All launches of the process before its last one have ended.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_backends.result_line import ResultFields

RawEnd: TypeAlias = Literal["ended", "left early", "given up", "lost", "crashed", "failed"]
RAW_ENDS: tuple[RawEnd, ...] = get_args(RawEnd)
#: The raw end of the last launch of a process, by the word that its line has under `result`.
END_OF_WORD: Mapping[str, RawEnd] = {
    "terminated": "ended",
    "left early": "left early",
    "hung": "given up",
    "lost": "lost",
    "failed": "crashed",
    "not run": "failed",
}


@dataclass(frozen=True, slots=True)
class LaunchEnd:
    """A launch and how it ended.

    - `seconds` is how long it took until it ended or the program gave it up. It is None if that is unknown.
    - `quiet_s` is how many seconds passed between the last change of a flag of a thread and the moment when the program
      gave up. It is None if the program did not give up, or if the host sees no flags while the device works.
    - `started` and `finished` say for each set of threads, such as `01`, in how many instances these have started or
      finished. They are empty if the launch ended, or if that is unknown.
    """

    end: RawEnd
    seconds: float | None = None
    quiet_s: float | None = None
    started: Mapping[str, int] = field(default_factory=dict)
    finished: Mapping[str, int] = field(default_factory=dict)
    code: str = ""
    reason: str = ""


def launches_of(line: ResultFields) -> list[LaunchEnd]:
    """Return the launches of the process that a line of results is about."""
    result, reason = line["result"], line.get("reason", "")
    if result == "not run":
        return [LaunchEnd("failed", reason=reason)]
    *before, last = line["seconds"]
    ended = [LaunchEnd("ended", seconds) for seconds in before]
    if result == "terminated":
        return [*ended, LaunchEnd("ended", last)]
    end, started, finished = END_OF_WORD[result], line["started"], line["finished"]
    return [*ended, LaunchEnd(end, last, line.get("quiet_s"), started, finished, line.get("code", ""), reason)]
