"""The JSON of the answers about devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_devices.ends import RawEnd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_devices.health import Health
    from synth_devices.inspection.device_list import DeviceDetails, DeviceEntry


class ListedFields(TypedDict):
    """A device by its name, and the line in which it says what it is. `problem` says what keeps it from working."""

    device: str
    driver: str
    problem: str


class ShownFields(TypedDict):
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


class KnownFields(TypedDict):
    """A test of the check: how its last launch ended and why, and the seconds of its longest launch."""

    test: str
    about: str
    end: RawEnd
    reason: str
    seconds: float


class HealthFields(TypedDict):
    """Whether a device works: the line in which it says what it is, known tests, and what is wrong."""

    device: str
    driver: str
    healthy: bool
    tests: list[KnownFields]
    problems: list[str]


def list_fields(devices: Sequence[DeviceEntry]) -> list[ListedFields]:
    """Return the JSON of all devices."""
    return [{"device": device.name, "driver": device.driver, "problem": device.problem} for device in devices]


def shown_fields(shown: DeviceDetails) -> ShownFields:
    """Return the JSON of a device."""
    device, line = shown.device, shown.line
    return {
        "device": device.name,
        "target": device.target,
        "driver": line["driver"],
        "told": {key: str(text) for key, text in line["device"].items()},
        "order": line["order"],
        "shows_flags": device.shows_flags,
        "decides": device.decides,
        "usual_workgroups": device.usual_workgroups,
        "environment": shown.environment,
    }


def health_fields(name: str, health: Health) -> HealthFields:
    """Return the JSON of a check."""
    return {
        "device": name,
        "driver": health.line["driver"] if health.line else "",
        "healthy": health.is_healthy,
        "tests": [
            {"test": test.id, "about": test.about, "end": test.end, "reason": test.reason, "seconds": test.seconds}
            for test in health.tests
        ],
        "problems": list(health.problems),
    }
