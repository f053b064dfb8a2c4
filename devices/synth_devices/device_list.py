"""Find the devices of this machine: ask each kind of device, and say of a missing one how to install it.

Each device answers from a process of its own, with a time limit (`synth_devices.identification`). So a broken driver
does not hide the others.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import ResourceError
from synth_checker.nearest import check_known
from synth_devices.catalogue import KINDS, load_device
from synth_devices.health import health_of
from synth_devices.identification import answer_of, selecting_environment
from synth_devices.members import DeviceFamily
from synth_devices.remote_devices import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_devices.device import Device
    from synth_devices.health import Health
    from synth_devices.members import Member
    from synth_workers.execution import StepProgress


class DeviceEntry(NamedTuple):
    """A device by its name, and the line in which it says what it is. `problem` says what keeps it from working."""

    device: str
    driver: str
    problem: str = ""


class DeviceDetails(NamedTuple):
    """A device: what its driver says of it, and what its kind of device can do.

    `told` is what the driver says by key, such as `name` and `uuid`. `environment` has the variables that decide which
    device a driver offers.
    """

    device: str
    target: str
    driver: str
    told: dict[str, str]
    order: str
    shows_flags: bool
    decides: bool
    usual_workgroups: int
    environment: dict[str, str]


def list_devices(kinds: Sequence[str], progress: StepProgress) -> list[DeviceEntry]:
    """Return the devices of some kinds, or of all kinds if the caller names none.

    For a kind without a device there is an entry that says what is missing. Commands, and devices elsewhere, cannot be
    listed. `progress` gets how many kinds have answered, and how many there are to ask.

    Raises:
        InputError: a kind is unknown.
    """
    known = [kind for kind in KINDS if kind not in {"command", *ELSEWHERE}]
    for kind in kinds:
        check_known("kind of device", kind, known)
    devices = [load_device(kind) for kind in kinds or known]
    here: list[DeviceEntry] = []
    for number, device in enumerate(devices):
        progress(number, len(devices))
        here += _of_kind(device)
    progress(len(devices), len(devices))
    return here


def show_device(name: str) -> DeviceDetails:
    """Ask a device what it is.

    Raises:
        InputError: there is no such device, or several fit the name.
        ResourceError: the device is not there, or does not work.
    """
    device = load_device(name)
    with tempfile.TemporaryDirectory(prefix="synth-device-") as folder:
        line = answer_of(device, Path(folder))
    assert line is not None  # noqa: S101  (nothing interrupts it)
    return DeviceDetails(
        device.name,
        device.target,
        line["driver"],
        {key: str(text) for key, text in line["device"].items()},
        line["order"],
        device.shows_flags,
        device.decides,
        device.usual_workgroups,
        selecting_environment(),
    )


def check_health(name: str, expected: str) -> Health:
    """Launch known tests on a device.

    Raises:
        InputError: there is no such device, several fit the name, or the device runs no tests but its own.
        ResourceError: the device is not there.
    """
    device = load_device(name)
    with tempfile.TemporaryDirectory(prefix="synth-device-") as folder:
        return health_of(device, Path(folder), expected)


def _of_kind(device: Device) -> list[DeviceEntry]:
    with tempfile.TemporaryDirectory(prefix="synth-device-") as folder:
        try:
            if why := device.missing():
                return [DeviceEntry(device.kind, "", why)]
            if isinstance(device, DeviceFamily):
                return list(_named(device.kind, device.members(Path(folder))))
            line = answer_of(device, Path(folder))
        except ResourceError as error:
            return [DeviceEntry(device.kind, "", str(error))]
    assert line is not None  # noqa: S101  (nothing interrupts it)
    return [DeviceEntry(device.kind, line["driver"])]


def _named(kind: str, members: Sequence[Member]) -> Iterator[DeviceEntry]:
    """Yield the devices of an interface under names by which they are told apart."""
    for member in members:
        problem = str(member.problem or "")
        if member.line is None:
            yield DeviceEntry(kind, "", problem)
        elif len(members) == 1:
            yield DeviceEntry(kind, member.line["driver"], problem)
        else:
            yield DeviceEntry(f"{kind}:{_distinguishing_text(member, members)}", member.line["driver"], problem)


def _distinguishing_text(member: Member, members: Sequence[Member]) -> str:
    """Return a text that only one device has: its name, or its whole line, or its UUID."""
    assert member.line is not None  # noqa: S101  (the caller has looked)
    fields = member.line["device"]
    texts = [fields.get("name", ""), member.line["driver"], fields.get("uuid", "")]
    fitting = Counter({text: sum(other.fits(text) for other in members) for text in texts if text})
    return next((text for text, number in fitting.items() if number == 1), texts[1])
