"""The programs with which a campaign launches its tests: one build for each setting of a device.

A build is made when the first cell needs it. A program that serves stays for further tests. Only a few of these run at
once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_backends.litmus_test import LitmusTest
from synth_campaigns.folder import PROGRAMS
from synth_checker.programs.normal import program_of_id
from synth_devices.attempt import Session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_campaigns.cells import Cell, Setting
    from synth_campaigns.store import Store
    from synth_devices.device import Build, Device

#: A device, a setting, and the test if it has programs of its own. A cell that the campaign does not declare has these:
#: with them, the programs of the others would be another build.
_Key: TypeAlias = "tuple[str, Setting, str]"
#: How many programs that serve may run at once.
_MOST_SESSIONS = 4


@dataclass
class SettingPrograms:
    """The programs for one setting of a device. `process` is the attempt for which the last process was started.

    `number` is that of the build in the store.
    """

    device: Device
    build: Build
    number: int
    session: Session
    process: int = 0


class Programs:
    """All programs of a campaign. `cells` are all its cells, and a program may take `preparation_s` to get ready."""

    def __init__(self, folder: Path, store: Store, cells: Sequence[Cell], preparation_s: float) -> None:
        self._folder, self._store, self._cells = folder / PROGRAMS, store, cells
        self._preparation_s = preparation_s
        self._places: dict[_Key, SettingPrograms] = {}

    def of(self, cell: Cell, device: Device) -> SettingPrograms:
        """Return the programs for the setting of a cell.

        Raises:
            InputError: the device cannot run these tests in this setting.
            ResourceError: making the programs failed.
        """
        key = (cell.device, cell.setting, cell.test if cell.purpose else "")
        if key not in self._places:
            folder = self._folder / folder_name(cell)
            tests = [cell.test] if cell.purpose else self._tests(cell)
            names = self._store.tests()
            folder.mkdir(parents=True, exist_ok=True)
            litmus_tests = [LitmusTest(names.get(id_, id_), id_, program_of_id(id_)) for id_ in tests]
            build = device.build(litmus_tests, cell.setting.choices(), folder)
            number = self._store.note_build(cell.device, build)
            self._places[key] = SettingPrograms(
                device, build, number, Session(build, self._preparation_s, cell.setting.choices())
            )
            self._close_some(key)
        return self._places[key]

    def close(self) -> None:
        """End all programs that still run."""
        for place in self._places.values():
            place.session.close()

    def _tests(self, cell: Cell) -> list[str]:
        """Return the ids of the tests that the campaign declares for the setting of a cell."""
        alike = (cell.device, cell.setting)
        return sorted(
            {
                of_place.test
                for of_place in self._cells
                if (of_place.device, of_place.setting) == alike and not of_place.purpose
            }
        )

    def _close_some(self, but: _Key) -> None:
        """If many programs serve, end the oldest of them."""
        serving = [key for key, place in self._places.items() if place.build.serves and key != but]
        for key in serving[: max(0, len(serving) + 1 - _MOST_SESSIONS)]:
            self._places[key].session.close()


def folder_name(cell: Cell) -> str:
    """Return the name of the folder with the programs for the setting of a cell."""
    setting = cell.setting
    words = [str(cell.run), cell.device.partition(":")[0], setting.mapping, str(setting.instances)]
    if setting.stress:
        words += [f"stress{setting.stress}", setting.stress_shape]
    if setting.width > 1:
        words.append(f"width{setting.width}")
    if cell.purpose:
        words += [cell.purpose, hashlib.sha256(cell.test.encode()).hexdigest()[:12]]
    return "-".join(words).replace(":", ".")
