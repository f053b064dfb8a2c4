"""Why nothing is known of a device: nothing was launched there, or no launch ended or hung.

A campaign sets a device aside that is missing, broken or another one than expected, and writes down why. The last such
reason counts. It names the folder of the campaign by its last part only.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_analysis.reading import labels_of
from synth_campaigns.folder import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_analysis.reading import DeviceResults, Place


def why_without_result(device: DeviceResults) -> str:
    """Return in one sentence why nothing is known of a device, or nothing if some launch ended or hung.

    Raises:
        ResourceError: reading the results failed.
    """
    if any(one.counted for one in device.cells):
        return ""
    ends: Counter[str] = Counter()
    for one in device.cells:
        ends.update(one.outcomes)
    aside = list(dict.fromkeys(filter(None, map(_set_aside, device.places))))
    if ends:
        said = ", ".join(f"{number:,} {end}" for end, number in ends.items())
        words = [f"No launch ended or hung, {said}", *aside]
    else:
        words = ["Nothing was launched", *aside] if aside else ["Nothing was launched yet"]
    return f"{': '.join(words).rstrip('.')}."


def devices_without_result(devices: Sequence[DeviceResults]) -> tuple[str, ...]:
    """Return a sentence for each device of which nothing is known: its label, and the reason.

    Raises:
        ResourceError: reading the results failed.
    """
    whys = zip(labels_of(devices), map(why_without_result, devices), strict=True)
    return tuple(f"{label}: {why[0].lower()}{why[1:]}" for label, why in whys if why)


def _set_aside(place: Place) -> str:
    """Return why a campaign set a device aside when it last did so, or nothing."""
    start = f"device {place.name}: "
    with open_store(place.folder) as store:
        events = store.events()
    found = [text for _, kind, text in events if kind == "set aside" and text.startswith(start)]
    return found[-1].removeprefix(start).replace(str(place.folder.absolute()), place.folder.name) if found else ""
