"""What the results of a campaign tell: its cells, its devices, its launches, and counts of these.

Each method is one query. `store` has the methods that write.
"""

from __future__ import annotations

import functools
import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.cells import Cell, Setting
from synth_campaigns.database import Database
from synth_devices.raw_ends import LaunchEnd, RawEnd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_backends.result_line import DeviceFields

#: The raw ends of launches that count: they say something about the scheduler.
COUNTED: tuple[RawEnd, ...] = ("ended", "given up")
#: How the words for the order of memory begin if accesses to different locations have an order.
_ORDERED = ("seq_cst", "acq_rel")
#: Parts of the names of scopes in which this order holds only within a workgroup.
_NARROW = ("workgroup", "work_group", "group", "block", "subgroup", "warp", "wavefront", "invocation", "thread")


@dataclass(frozen=True, slots=True)
class CellCounts:
    """How many launches and attempts a cell has.

    - `ends` has for each raw end how many launches ended in this way.
    - `attempts` is how many attempts are done.
    - `after_hang` is how many launches that count came after the first one that a program gave up.
    - `fruitless` is how many of the last attempts, one after the other, had no launch that counts.
    """

    ends: Mapping[str, int]
    attempts: int
    after_hang: int
    fruitless: int

    @property
    def counted(self) -> int:
        """How many launches count: those that ended, and those that a program gave up."""
        return sum(self.ends.get(end, 0) for end in COUNTED)


class StoredLaunch(NamedTuple):
    """A launch in the store. `attempt` is the number of its attempt, and `number` its place in that attempt."""

    attempt: int
    number: int
    timeout: float
    canary: str
    launch: LaunchEnd


class Queries(Database):
    """An open database of results, which can be read."""

    def meta(self, key: str) -> str:
        """Return a value about the whole campaign."""
        rows = self.read("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else ""

    def cells(self) -> list[Cell]:
        """Return all cells, in their order. The number of a cell is its place, counted from 1."""
        columns = "run, device.name, test, threads, mapping, instances, stress, width, stress_shape, busy, declared"
        more = f"across, row, heading{', purpose' if self.knows_purposes else ''}"
        rows = self.read(
            f"SELECT {columns}, {more} FROM cell JOIN device ON device.id = cell.device ORDER BY cell.id"  # noqa: S608
        )
        return [
            Cell(run, name, test, threads, Setting(mapping, instances, stress, width, shape), *more)
            for run, name, test, threads, mapping, instances, stress, width, shape, *more in rows
        ]

    def tests(self) -> dict[str, str]:
        """Return the name of each test, by id."""
        return dict(self.read("SELECT id, name FROM test ORDER BY id"))

    def kind(self, device: str) -> str:
        """Return the kind of a device, such as `vulkan`."""
        return str(self.read("SELECT kind FROM device WHERE name = ?", device)[0][0])

    def driver(self, device: str) -> str:
        """Return the line in which a device has said what it is, or an empty text."""
        return str(self.read("SELECT driver FROM device WHERE name = ?", device)[0][0])

    def told(self, device: str) -> DeviceFields:
        """Return all else that a device has said of itself."""
        description: DeviceFields = json.loads(self.read("SELECT told FROM device WHERE name = ?", device)[0][0])
        return description

    def order(self, device: str) -> str:
        """Return the memory order and the scope of the accesses that a device makes, or an empty text."""
        return str(self.read("SELECT memory_order FROM device WHERE name = ?", device)[0][0])

    def is_relaxed(self, device: str) -> bool:
        """Return whether the memory of a device may have no order between locations, as far as is known."""
        order = self.order(device)
        return not order.startswith(_ORDERED) or any(scope in order for scope in _NARROW)

    def decides(self, device: str) -> bool:
        """Return whether a device gives up only launches that certainly hang."""
        return bool(self.read("SELECT decides FROM device WHERE name = ?", device)[0][0])

    @functools.cached_property
    def knows_purposes(self) -> bool:
        """Whether the store tells for which purpose it has each cell. Stores of older releases do not."""
        return any(name == "purpose" for _, name, *_ in self.read("PRAGMA table_info(cell)"))

    def events(self) -> list[tuple[str, str, str]]:
        """Return all events: time, kind and text."""
        return self.read("SELECT time, kind, text FROM event ORDER BY id")

    def has_ended_badly(self) -> bool:
        """Return whether the last launch of the campaign did not end. Simulated launches do not matter."""
        rows = self.read(
            "SELECT end FROM launch JOIN attempt ON attempt.id = launch.attempt JOIN cell ON cell.id = attempt.cell "
            "JOIN device ON device.id = cell.device WHERE state = 'done' AND end != 'failed' AND NOT decides "
            "ORDER BY attempt.id DESC, number DESC LIMIT 1"
        )
        return bool(rows) and rows[0][0] != "ended"

    def launches(self, cell: int) -> list[StoredLaunch]:
        """Return the launches of all attempts of a cell that are done, whatever their ends, in their order."""
        rows = self.read(
            "SELECT attempt, number, timeout, canary, end, seconds, quiet, launch.started, finished, code, reason "
            "FROM launch JOIN attempt ON attempt.id = launch.attempt "
            "WHERE cell = ? AND state = 'done' ORDER BY attempt, number",
            cell,
        )
        return [
            StoredLaunch(
                attempt, number, timeout, canary,
                LaunchEnd(end, seconds, quiet, json.loads(started), json.loads(finished), code, reason),
            )
            for attempt, number, timeout, canary, end, seconds, quiet, started, finished, code, reason in rows
        ]  # fmt: skip

    def counts(self, cell: int | None = None) -> dict[int, CellCounts]:
        """Return the counts of all cells with attempts, or of one cell, by the number of the cell."""
        ends: dict[int, dict[str, int]] = {}
        attempts: dict[int, dict[int, bool]] = {}
        after: dict[int, int] = {}
        rows = self.read(  # a range of cells, which the index on cells finds
            "SELECT cell, attempt.id, end FROM attempt LEFT JOIN launch ON attempt.id = launch.attempt "
            "WHERE state = 'done' AND cell BETWEEN ? AND ? ORDER BY attempt.id, number",
            *((0, 1 << 62) if cell is None else (cell, cell)),
        )
        for of, attempt, end in rows:
            of_cell = ends.setdefault(of, {})
            if of_cell.get("given up") and end in COUNTED:
                after[of] = after.get(of, 0) + 1
            of_cell[end] = of_cell.get(end, 0) + 1
            attempts.setdefault(of, {}).setdefault(attempt, False)
            attempts[of][attempt] |= end in COUNTED
        counts = {}
        for of, of_cell in ends.items():
            fruitless = itertools.takewhile(lambda is_fruitful: not is_fruitful, reversed(attempts[of].values()))
            counts[of] = CellCounts(of_cell, len(attempts[of]), after.get(of, 0), len(list(fruitless)))
        return counts

    def longest(self) -> dict[tuple[str, str], float]:
        """Return the seconds of the longest launch that ended, by device and mapping."""
        rows = self.read(
            "SELECT device.name, mapping, max(seconds) FROM launch JOIN attempt ON attempt.id = launch.attempt "
            "JOIN cell ON cell.id = attempt.cell JOIN device ON device.id = cell.device "
            "WHERE end = 'ended' AND state = 'done' AND seconds IS NOT NULL GROUP BY device.name, mapping"
        )
        return {(name, mapping): seconds for name, mapping, seconds in rows}

    def seconds_of_ended(self) -> dict[tuple[str, str], list[float]]:
        """Return the seconds of the launches that ended, in ascending order, by device and mapping."""
        rows = self.read(
            "SELECT device.name, mapping, seconds FROM launch JOIN attempt ON attempt.id = launch.attempt "
            "JOIN cell ON cell.id = attempt.cell JOIN device ON device.id = cell.device "
            "WHERE end = 'ended' AND state = 'done' AND seconds IS NOT NULL ORDER BY seconds"
        )
        by_name: dict[tuple[str, str], list[float]] = {}
        for name, mapping, seconds in rows:
            by_name.setdefault((name, mapping), []).append(seconds)
        return by_name

    def seconds(self, device: str, cell: int | None = None) -> dict[tuple[str, str], tuple[int, float]]:
        """Return how many launches of a device were timed, and their seconds in all, by mapping and raw end.

        `cell` is the number of the only cell to look at.
        """
        rows = self.read(
            "SELECT mapping, end, count(seconds), sum(seconds) FROM launch "
            "JOIN attempt ON attempt.id = launch.attempt JOIN cell ON cell.id = attempt.cell "
            "JOIN device ON device.id = cell.device "
            "WHERE device.name = ? AND cell.id = coalesce(?, cell.id) AND state = 'done' AND seconds IS NOT NULL "
            "GROUP BY mapping, end",
            device,
            cell,
        )
        return {(mapping, end): (launches, seconds) for mapping, end, launches, seconds in rows}

    def cell_seconds(self, device: str) -> dict[str, tuple[int, float]]:
        """Return how many cells of a device were tried, and the seconds of all their attempts, by mapping.

        An attempt counts from its start to its end, with the start of its process.
        """
        declared = " AND purpose = ''" if self.knows_purposes else ""
        rows = self.read(
            "SELECT mapping, count(DISTINCT cell.id), sum(strftime('%s', ended) - strftime('%s', attempt.started)) "  # noqa: S608
            "FROM attempt JOIN cell ON cell.id = attempt.cell JOIN device ON device.id = cell.device "
            f"WHERE device.name = ? AND state = 'done' AND source IS NULL{declared} GROUP BY mapping",
            device,
        )
        return {mapping: (cells, float(seconds)) for mapping, cells, seconds in rows}
