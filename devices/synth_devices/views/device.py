"""The texts of `synth device`: which devices are there, what one is, and whether it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.lines import printable
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_devices.device_list import DeviceDetails, DeviceEntry
    from synth_devices.health import Health


@printable
def list_lines(devices: Sequence[DeviceEntry]) -> Iterator[str]:
    """Yield a line for each device, and one for each kind of which there is none."""
    width = max(len(device.device) for device in devices)
    for listed in devices:
        said = (
            f"{listed.driver}; it does not work: {listed.problem}"
            if listed.driver and listed.problem
            else listed.driver
        )
        yield f"{listed.device:{width}}  {said or f'not here: {listed.problem}'}"


@printable
def shown_lines(shown: DeviceDetails) -> Iterator[str]:
    """Yield what is known of a device, a line for each fact."""
    flags = "yes" if shown.shows_flags else "no"
    facts = {
        "driver": shown.driver,
        **{key.replace("_", " ") if key != "driver" else "driver name": text for key, text in shown.told.items()},
        "target": shown.target,
        "memory order": shown.order,
        "flags visible": "yes; it decides whether a launch hangs" if shown.decides else flags,
        "workgroups": f"{shown.usual_workgroups:,} a launch",
        **shown.environment,
    }
    width = max(map(len, facts))
    yield shown.device
    for key, text in facts.items():
        yield f"  {key:{width}}  {text}"


@printable
def health_lines(health: Health) -> Iterator[str]:
    """Yield the tests of a check, what is wrong, and whether the device works."""
    yield f"{health.device}: {health.driver or 'it does not work'}"
    for test in health.tests:
        yield f"  {test.end:10}  {test.test:17}  {test.seconds:6.2f} s  {test.about}"
    for problem in health.problems:
        yield f"  problem: {problem}"
    yield "healthy" if health.healthy else f"not healthy: {count(len(health.problems), 'problem')}"
