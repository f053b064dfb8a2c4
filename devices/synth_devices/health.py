"""Check that a device works, by tests of which it is known how they come out.

Three tests have no loops, so they end on every device, however unfair its scheduler is. The fourth is a lock that two
threads take and free. It has a loop, but it ends wherever a thread that has started goes on. All devices that we know
do that. It shows that loops are run until their condition comes true: some drivers leave them early.

No test of the check hangs on a device that works. So a check freezes no screen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_backends.litmus_test import LitmusTest
from synth_backends.target import Choices
from synth_checker.programs.normal import program_of_id
from synth_devices.attempt import Session
from synth_devices.device import Request
from synth_devices.identification import LAUNCH_S, READY_S, BrokenError, answer_of, driver_mismatch
from synth_devices.raw_ends import RawEnd  # noqa: TC001  (for its JSON Schema)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth_devices.attempt import AttemptResult
    from synth_devices.device import Device

#: The tests of a check, and what each does.
KNOWN: Mapping[str, str] = {
    "0011": "each thread stores",
    "0011-01_20012": "a thread stores, and another one skips its own store if it sees that",
    "01120002-01120002": "two threads exchange, and one that sees the other skips its store",
    "01100002-01100002": "two threads take a lock and free it",
}
_LAUNCHES = 3


@dataclass(frozen=True, slots=True)
class KnownTest:
    """A test of a check: how its last launch ended and why, and the seconds of its longest launch."""

    test: str
    about: str
    end: RawEnd
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a device works: the line in which it says what it is, known tests, and what is wrong.

    `driver` is empty if the device does not get so far that it says what it is.
    """

    device: str
    driver: str
    healthy: bool = field(init=False)
    tests: tuple[KnownTest, ...]
    problems: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "healthy", not self.problems)


def health_of(device: Device, folder: Path, expected: str = "") -> Health:
    """Launch known tests on a device, with as many workgroups as usual. Their programs are made in a folder.

    `expected` is a part of the line in which the device should say what it is. If it says something else, no test is
    launched.

    Raises:
        InputError: the device runs no tests but its own.
        ResourceError: the device is not there.
    """
    try:
        line = answer_of(device, folder / "canary")
    except BrokenError as error:
        return Health(device.name, "", (), (str(error),))
    assert line is not None  # noqa: S101  (nothing interrupts it)
    driver = line["driver"]
    if why := driver_mismatch(driver, expected):
        return Health(device.name, driver, (), (f"the device says that it is {driver!r}, {why}",))
    tests = [LitmusTest(id_, id_, program_of_id(id_)) for id_ in KNOWN]
    most = max(len(test.program) for test in tests)
    place = folder / "known"
    place.mkdir(parents=True, exist_ok=True)
    build = device.build(tests, Choices("chunked", max(1, device.usual_workgroups // most)), place)
    known_tests, problems = [], []
    with Session(build, READY_S) as session:
        for id_, about in KNOWN.items():
            attempted = session.attempt(Request(id_, _LAUNCHES, LAUNCH_S), f"check {folder.name};")
            assert attempted is not None  # noqa: S101  (nothing interrupts it)
            known_tests.append(_known(id_, about, attempted))
            problems += _problems(known_tests[-1], attempted, driver)
    return Health(device.name, driver, tuple(known_tests), tuple(problems))


def _known(id_: str, about: str, attempted: AttemptResult) -> KnownTest:
    last = attempted.launches[-1]
    seconds = max(launch.seconds or 0.0 for launch in attempted.launches)
    return KnownTest(id_, about, last.end, last.reason, seconds)


def _problems(known: KnownTest, attempted: AttemptResult, driver: str) -> list[str]:
    problems = []
    if known.end != "ended":
        why = f": {known.reason}" if known.reason else ""
        problems.append(f"test {known.test} ({known.about}): {known.end}, expected ended{why}")
    if attempted.driver and attempted.driver != driver:
        problems.append(f"the device said that it is {attempted.driver!r}, after {driver!r}")
    if not attempted.is_gone:
        problems.append(f"test {known.test}: its process cannot be killed")
    return problems
