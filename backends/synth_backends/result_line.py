"""Result lines: what an emitted program prints of each of its processes, as one typed value.

    read_line('{"format":2,"id":"0011",...}', "results.jsonl, line 1")["result"]      "hung"

A process launches a test until the first launch that does not end, and then the program prints a line.
docs/look-up/targets.md describes the keys. `ResultFields` is their type; `make schemas` makes the JSON Schema of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, NotRequired, TypeAlias, TypedDict

from synth_checker.errors import InputError, excerpt
from synth_storage.strict_json import loads
from synth_storage.typed_json import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The format of the lines that programs of this release print.
FORMAT: Final = 2

#: The largest whole number that every reader of JSON reads exactly.
_MOST: Final = 2**53 - 1
Count: TypeAlias = Annotated[int, {"minimum": 0, "maximum": _MOST}]
Number: TypeAlias = Annotated[int, {"minimum": 1, "maximum": _MOST}]
Timeout: TypeAlias = Annotated[float, {"minimum": 0, "maximum": _MOST}]
#: None if the line does not tell it.
Seconds: TypeAlias = Annotated[float | None, {"minimum": 0, "maximum": _MOST}]
#: Which threads of an instance: `01` is thread 1 alone, of two.
Threads: TypeAlias = Annotated[str, {"pattern": "^[01]{1,64}$"}]
#: How the last launch of a process came out.
Result: TypeAlias = Literal["terminated", "hung", "left early", "lost", "failed", "not run"]
#: Why a campaign launched a test that it does not declare: to see whether slowness explains a hang.
Purpose: TypeAlias = Literal["control", "size"]


class DeviceFields(TypedDict):
    """What a device says of itself, as text. A device has only the keys that it tells."""

    name: NotRequired[str]
    vendor: NotRequired[str]
    vendor_id: NotRequired[str]
    device_id: NotRequired[str]
    uuid: NotRequired[str]
    driver: NotRequired[str]
    driver_version: NotRequired[str]
    api: NotRequired[str]
    queue_family: NotRequired[str]
    subgroup_size: NotRequired[str]
    os: NotRequired[str]


class ResultFields(TypedDict):
    """What an emitted program prints of one process, in which it launched a test up to the first that did not end."""

    format: Literal[2]
    id: str
    name: str
    target: str
    mapping: str
    threads: Number
    instances: Number
    stress: Count
    workgroups: Number
    width: NotRequired[Number]
    stress_shape: NotRequired[str]
    first: NotRequired[Count]
    iterations: Number
    timeout_s: Timeout
    synth: str
    order: str
    expected: dict[str, Literal["pass", "fail"]]
    driver: str
    device: DeviceFields
    process: Number
    canary: NotRequired[Literal[True]]
    purpose: NotRequired[Purpose]
    result: Result
    iteration: Count
    seconds: list[Seconds]
    quiet_s: NotRequired[Seconds]
    started: dict[Threads, Number]
    finished: dict[Threads, Number]
    code: NotRequired[str]
    reason: NotRequired[str]


def read_line(text: str | bytes, source: str) -> ResultFields:
    """Return the result line in a text. `source` says in messages where the line comes from.

    Raises:
        InputError: the text is not a result line, or a later release wrote it.
    """
    try:
        fields = loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source}: found {excerpt(str(text))!r}, expected a result line, which is a JSON object: {error}"
        ) from None
    if isinstance(fields, dict) and isinstance(fields.get("format"), int) and fields["format"] > FORMAT:
        raise InputError(
            f"{source}: found format {fields['format']}, expected at most {FORMAT}: a later release of synth wrote it"
        )
    line = checked(fields, ResultFields, source)
    for fault in _contradictions(line):
        raise InputError(f"{source}: {fault}")
    return line


def _contradictions(line: ResultFields) -> Iterator[str]:
    """Yield what keys of a line say against each other."""
    result = line["result"]
    expected_keys = {
        "quiet_s": result == "hung",
        "code": result == "lost",
        "reason": result in {"lost", "failed", "not run"},
    }
    for key, is_expected in expected_keys.items():
        if key in line and not is_expected:
            yield f"found the key {key!r}, which no line with the result {result!r} has"
        if key not in line and is_expected:
            yield f"the key {key!r} is missing, which each line with the result {result!r} has"
    yield from _unfinished(line)
    launches = len(line["seconds"])
    if (launches == 0) != (result == "not run"):
        yield f"the result is {result!r}, but the line has the seconds of {launches} launches"
    if launches > line["iteration"]:
        yield f"the last launch is number {line['iteration']}, but the line has the seconds of {launches} launches"
    for name, sets in (("started", line["started"]), ("finished", line["finished"])):
        if sets and sum(sets.values()) != line["instances"]:
            yield f"{name}: found {sum(sets.values())} instances, expected {line['instances']}"
        if any(len(threads) != line["threads"] for threads in sets):
            yield f"{name}: found threads {next(iter(sets))}, expected a digit for each of {line['threads']} threads"


def _unfinished(line: ResultFields) -> Iterator[str]:
    """Yield that a launch is said to have terminated although a thread of it had not finished."""
    for threads in line["finished"]:
        if line["result"] == "terminated" and "0" in threads:
            yield f"the result is 'terminated', but thread {threads.index('0')} had not finished in some instance"
            return
