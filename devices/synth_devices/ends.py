"""How a launch ended, as it is stored: six raw ends. What they mean for a model is decided later, when they are read.

Emitted programs print a line for each of their processes (docs/targets.md). A process launches a test until the first
launch that does not end. This module says which raw end each word of such a line stands for:

| word            | the last launch   | why                                                           |
|-----------------|-------------------|---------------------------------------------------------------|
| `terminated`    | `ended`           | all threads have finished                                     |
| `left early`    | `left early`      | the device says that it is done, but some thread has not ended |
| `hung`          | `given up`        | the time-out was over                                         |
| `lost`          | `lost`            | the driver or the operating system took the device away       |
| `failed`        | `crashed`         | something broke after the test could be launched              |
| `not run`       | `failed`          | the test could not be launched                                |

All launches of the process before its last one have ended.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from synth_checker.errors import InputError, excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

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
class Launched:
    """A launch and how it ended.

    - `seconds` is how long it took until it ended or was given up. It is None if that is unknown.
    - `quiet_s` is for how many seconds before it was given up no flag of a thread had changed. It is None if the launch
      was not given up, or if nobody sees flags while the device works.
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


def launches_of(line: Mapping[str, object]) -> list[Launched]:
    """Return the launches of the process that a line of results is about.

    Raises:
        InputError: the line has no result, or a value that is not allowed.
    """
    word = line.get("result")
    if not isinstance(word, str) or word not in END_OF_WORD:
        msg = f"result: found {excerpt(str(word))!r}, expected one of {', '.join(END_OF_WORD)}"
        raise InputError(msg)
    if word == "not run":
        return [Launched("failed", reason=str(line.get("reason", "")))]
    *before, last = _seconds(line) or [None]
    ended = [Launched("ended", one) for one in before]
    if word == "terminated":
        return [*ended, Launched("ended", last)]
    quiet = line.get("quiet_s")
    return [
        *ended,
        Launched(
            END_OF_WORD[word],
            last,
            float(quiet) if isinstance(quiet, int | float) else None,
            _sets(line, "started"),
            _sets(line, "finished"),
            str(line.get("code", "")),
            str(line.get("reason", "")),
        ),
    ]


def _seconds(line: Mapping[str, object]) -> list[float | None]:
    """The seconds of each launch. Lines of earlier releases say only how many launches there were."""
    found = line.get("seconds")
    if found is None and isinstance(iteration := line.get("iteration"), int):
        return [None] * iteration
    if not isinstance(found, list) or not all(isinstance(one, int | float) for one in found):
        msg = f"seconds: found {excerpt(str(found))}, expected a list of numbers"
        raise InputError(msg)
    return [float(one) for one in found]


def _sets(line: Mapping[str, object], key: str) -> dict[str, int]:
    found = line.get(key, {})
    if not isinstance(found, dict) or not all(isinstance(count, int) for count in found.values()):
        msg = f"{key}: found {excerpt(str(found))}, expected an object from sets of threads to numbers of instances"
        raise InputError(msg)
    return found
