"""The devices of a campaign: which of them are there and are those that the campaign expects, and which are set aside.

A device is *set aside* if it is missing or broken, if it is another one than expected, or if nothing can kill its
processes. The run launches nothing more on it, and goes on with other devices. The next run tries it again.

A driver describes its device only to a program that uses the device. So a run launches the canary on each device before
the first launch that counts (`synth_devices.identification`). A command need not know the canary. What it is shows in
the line of its first result.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

from synth_campaigns.folder import PROGRAMS
from synth_campaigns.watcher import StoppedError
from synth_checker.errors import ResourceError
from synth_devices.identification import (
    answer_of,
    driver_mismatch,
    order_mismatch,
    runs_any_test,
    selecting_environment,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_campaigns.cells import Cell
    from synth_campaigns.settings import Settings
    from synth_campaigns.store import Store
    from synth_campaigns.watcher import Watcher
    from synth_devices.device import Device

#: How many seconds a run waits before it asks again whether a device is there.
_PAUSES_S = (1.0, 2.0, 4.0)


class DevicePresence:
    """The devices of a campaign. `aside` has those that are set aside, each with the reason."""

    def __init__(self, folder: Path, settings: Settings, store: Store, watcher: Watcher) -> None:
        self.aside: dict[str, str] = {}
        self._programs = folder / PROGRAMS
        self._settings, self._store, self._watcher = settings, store, watcher
        self._devices: dict[str, Device] = {}

    def device(self, cell: Cell) -> Device:
        """Return the device of a cell. It is loaded once, because it remembers which device of its kind it is."""
        if cell.device not in self._devices:
            self._devices[cell.device] = self._settings.runs[cell.run].load()
        return self._devices[cell.device]

    def check(self, cells: Iterable[Cell]) -> None:
        """Set aside each device of some cells that is missing or not the expected one.

        Raises:
            InputError: several devices fit one name.
            StoppedError: the watcher has ended the run.
        """
        for cell in {(cell.device, cell.run): cell for cell in cells}.values():
            if cell.device not in self.aside and (why := self._absent(cell)):
                self.set_aside(cell.device, why)

    def look_again(self, cell: Cell) -> None:
        """Set the device of a cell aside if it does not come back in some seconds. A driver may need these to restart.

        Raises:
            StoppedError: the watcher has ended the run.
        """
        why = self._absent(cell)
        for pause in _PAUSES_S:
            if not why:
                return
            if self._watcher.must_stop():
                raise StoppedError
            select.select([self._watcher], [], [], pause)
            why = self._absent(cell)
        if why:
            self.set_aside(cell.device, why)

    def stranger(self, cell: Cell, line: ResultFields) -> str | None:
        """Return why a line cannot come from the device of a cell, or None if it can. This stores the first line."""
        driver = line["driver"]
        if not driver:
            return None
        known = self._store.driver(cell.device)
        if why := driver_mismatch(driver, self._settings.runs[cell.run].expected, known):
            return f"the device says that it is {driver!r}, {why}"
        if known and (why := order_mismatch(line["order"], self._store.order(cell.device))):
            return f"the device says something else: {why}"
        if not known:
            self._store.note_device(cell.device, line, selecting_environment())
        return None

    def set_aside(self, device: str, why: str) -> None:
        """Launch nothing more on a device, and write down why."""
        why = why.removeprefix(f"device {device}: ")
        self.aside[device] = why
        self._store.note_event("set aside", f"device {device}: {why}")

    def _absent(self, cell: Cell) -> str:
        """Return why a device cannot be used now: it is missing, broken, or another one. Nothing if it can be used."""
        device = self.device(cell)
        if not runs_any_test(device):
            return device.missing()
        try:
            line = answer_of(device, self._programs / f"{cell.run}-{device.kind}-canary", self._watcher)
        except ResourceError as error:
            if self._watcher.must_stop():  # it ends a compiler, too
                raise StoppedError from error
            return str(error)
        if line is None:
            raise StoppedError
        return self.stranger(cell, line) or ""
