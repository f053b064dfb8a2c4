"""The devices of which nothing is known, each with the reason (`synth_campaigns.missing_results`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_analysis.device_results import labels_of
from synth_campaigns.missing_results import why_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_analysis.device_results import DeviceResults


def why_without_result(device: DeviceResults) -> str:
    """Return in one sentence why nothing is known of a device, or nothing if some launch ended or hung."""
    why = why_nothing(device.cells, device.events)
    return f"{why[0].upper()}{why[1:]}." if why else ""


def devices_without_result(devices: Sequence[DeviceResults]) -> tuple[str, ...]:
    """Return a sentence for each device of which nothing is known: its label, and the reason."""
    whys = (why_nothing(device.cells, device.events) for device in devices)
    return tuple(f"{label}: {why}." for label, why in zip(labels_of(devices), whys, strict=True) if why)
