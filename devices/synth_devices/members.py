"""The devices of an interface, such as OpenCL or WebGPU: ask each what it is, and choose one by what it says.

Programs take the number of a device. A new driver may change the numbers, so users never name a device by its number.
They write a part of the line in which the device says what it is, or of its UUID.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from synth_checker.errors import InputError, ResourceError
from synth_devices.identification import launch_canary, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_devices.attempt import AttemptResult
    from synth_devices.device import Build

#: How programs say that they have found no device with a number.
_NO_SUCH = re.compile(r"--device: found \d+, expected a number below (\d+)")
#: A number that no device has, and that programs take.
_TOO_MANY = 1000
#: The most devices that are asked if a program does not tell how many there are.
_MOST = 8


class Member(NamedTuple):
    """A device of an interface: its number, and what it says of itself. `problem` is why it does not work."""

    number: int
    line: ResultFields | None
    problem: ResourceError | None = None

    def fits(self, pattern: str) -> bool:
        """Whether the device has a text in the line in which it says what it is, or in its UUID."""
        return self.line is not None and any(
            pattern.lower() in text.lower() for text in (self.line["driver"], self.line["device"].get("uuid", ""))
        )


@runtime_checkable
class DeviceFamily(Protocol):
    """A kind of device of which this machine may have several."""

    def members(self, folder: Path) -> list[Member]:
        """Return all of them. `folder` gets the program that asks them.

        Raises:
            ResourceError: there is none, or making the program failed.
        """
        ...


def members_of(build: Build, driver: str) -> list[Member]:
    """Launch the canary on each device. The last word of its program is the number of a device.

    `driver` says what to install if there is no device.

    Raises:
        ResourceError: there is no device.
    """
    return [_member(number, _on(build, number)) for number in range(_how_many(build, driver))]


def members_in_turn(build: Build) -> Iterator[Member]:
    """Yield the devices of a program that does not tell how many there are: up to the first that does not answer.

    A program that answers for a number that no device has ignores numbers, and so has one device.
    """
    yield _member(0, _on(build, 0))
    if not _on(build, _TOO_MANY).driver:
        for number in range(1, _MOST):
            attempted = _on(build, number)
            if not attempted.driver:
                return
            yield _member(number, attempted)


def choose_member(members: Sequence[Member], name: str, pattern: str) -> Member:
    """Return the device that has a text in what it says of itself. `name` is what the user calls it.

    A whole line fits only the devices that have it, even if it is a part of another line.

    Raises:
        InputError: several fit.
        ResourceError: none fits, or the one that fits does not work.
    """
    fitting = [member for member in members if member.line and member.line["driver"] == pattern]
    fitting = fitting or [member for member in members if member.fits(pattern)]
    if len(fitting) == 1 and not fitting[0].problem:
        return fitting[0]
    if len(fitting) > 1:
        raise InputError(
            f"device {name}: found {len(fitting)} that fit: {_listed(fitting)}; expected one: write "
            f"{name.partition(':')[0]}:TEXT with a text that only one of these lines has, or with its UUID"
        )
    if problems := [member.problem for member in fitting or members if member.problem]:
        raise problems[0]
    raise ResourceError(f"device {name}: found {_listed(members)}, expected {pattern!r} in one of these lines")


def _member(number: int, attempted: AttemptResult) -> Member:
    try:
        return Member(number, line_of(attempted))
    except ResourceError as error:
        return Member(number, attempted.line if attempted.driver else None, error)


def _how_many(build: Build, driver: str) -> int:
    """Ask a program for a device with a number that no device has. The program says how many devices there are.

    Raises:
        ResourceError: there is no device.
    """
    reason = _on(build, _TOO_MANY).launches[0].reason
    if match := _NO_SUCH.search(reason):
        return int(match[1])
    raise ResourceError(f"{reason}: {driver}" if reason.startswith("found no ") else reason)


def _on(build: Build, number: int) -> AttemptResult:
    """Launch the canary on the device with a number."""
    programs = {id_: (*program[:-1], str(number)) for id_, program in build.programs.items()}
    attempted = launch_canary(replace(build, programs=programs))
    assert attempted is not None  # noqa: S101  (nothing interrupts it)
    return attempted


def _listed(members: Sequence[Member]) -> str:
    """Return the lines in which devices say what they are. Those that say the same get their UUIDs."""
    lines = [member.line for member in members if member.line is not None]
    drivers = [line["driver"] for line in lines]
    return "; ".join(
        f"{line['driver']} (UUID {line['device'].get('uuid', 'unknown')})"
        if drivers.count(line["driver"]) > 1
        else line["driver"]
        for line in lines
    )
