"""The results of a campaign, in a SQLite database with one writer.

    attempt: started -> done          its launches count
                     -> orphaned      the run was killed during the attempt; it has no launches
                     -> refused       it came from another device; it has no launches

The store commits the start of an attempt before its process exists. It commits the end of an attempt and all its
launches in one transaction. So a run that dies at any moment leaves no half of an attempt.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import platform
import sqlite3
import time
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, Self

from synth_campaigns.cells import Cell, Setting
from synth_checker.errors import InputError, ResourceError
from synth_devices.elsewhere import ELSEWHERE
from synth_devices.ends import Launched, RawEnd

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.result_line import DeviceFields, ResultFields
    from synth_devices.attempt import Attempted
    from synth_devices.device import Build, Device

FORMAT = "1"
#: The raw ends of launches that count: they say something about the scheduler.
COUNTED: tuple[RawEnd, ...] = ("ended", "given up")


@dataclass(frozen=True, slots=True)
class Counts:
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
    launch: Launched


class Store:
    """An open database of results. As a context manager it closes the database at the end.

    Raises:
        InputError: the file is no database of a campaign.
        ResourceError: the disk or the file system failed.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        self._path = path
        with self._told():
            if not is_new and not path.exists():
                msg = f"{path}: there is no such file, expected the results of a campaign"
                raise InputError(msg)
            address = _address(path)
            self._db = sqlite3.connect(address, uri=address != str(path), isolation_level=None)
            self._db.execute("PRAGMA foreign_keys = ON")
            if is_new:
                self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
        if not is_new and self.meta("format") != FORMAT:
            msg = f"{path}: found format {self.meta('format')!r}, expected {FORMAT!r}"
            raise InputError(msg)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def fill(
        self, devices: Sequence[Device], tests: Sequence[LitmusTest], cells: Sequence[Cell], meta: Mapping[str, str]
    ) -> None:
        """Make the tables, and store the devices, tests and cells of a new campaign."""
        host = f"{platform.system()} {platform.release()} {platform.machine()}"
        with self.transaction() as db:
            for statement in files(__package__).joinpath("schema.sql").read_text("utf-8").split(";\n"):
                db.execute(statement)
            db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", FORMAT), *meta.items()])
            db.executemany(
                "INSERT INTO device (name, kind, shows_flags, decides, host) VALUES (?, ?, ?, ?, ?)",
                [
                    (one.name, one.kind, one.shows_flags, one.decides, "" if one.kind in ELSEWHERE else host)
                    for one in devices
                ],
            )
            db.executemany("INSERT INTO test VALUES (?, ?)", [(test.id, test.name) for test in tests])
            db.executemany(
                "INSERT INTO cell VALUES (?, (SELECT id FROM device WHERE name = ?), "
                "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, *_row(cell)) for number, cell in enumerate(cells, 1)],
            )

    def meta(self, key: str) -> str:
        """Return a value about the whole campaign."""
        rows = self.read("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else ""

    def cells(self) -> list[Cell]:
        """Return all cells, in their order. The number of a cell is its place, counted from 1."""
        rows = self.read(
            "SELECT run, device.name, test, threads, mapping, instances, stress, width, stress_shape, busy, declared, "
            "across, row, heading "
            "FROM cell JOIN device ON device.id = cell.device ORDER BY cell.id"
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
        found: DeviceFields = json.loads(self.read("SELECT told FROM device WHERE name = ?", device)[0][0])
        return found

    def order(self, device: str) -> str:
        """Return the memory order and the scope of the accesses that a device makes, or an empty text."""
        return str(self.read("SELECT memory_order FROM device WHERE name = ?", device)[0][0])

    def is_relaxed(self, device: str) -> bool:
        """Return whether the memory of a device has no order between locations."""
        return self.order(device).startswith("relaxed")

    def decides(self, device: str) -> bool:
        """Return whether a device gives up only launches that certainly hang."""
        return bool(self.read("SELECT decides FROM device WHERE name = ?", device)[0][0])

    def note_device(self, device: str, line: ResultFields, environment: Mapping[str, str]) -> None:
        """Write down what a device says of itself in a line of results, and the variables that select it."""
        self.note_driver(device, line["driver"], line["device"], line["order"], environment)

    def note_driver(
        self,
        device: str,
        driver: str,
        told: Mapping[str, object],
        order: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Write down the line in which a device says what it is, all else that it says, and its memory order.

        `environment` has the variables that select the device.
        """
        with self.transaction() as db:
            db.execute(
                "UPDATE device SET driver = ?, told = ?, memory_order = ?, environment = ? WHERE name = ?",
                (
                    driver,
                    json.dumps(told, sort_keys=True),
                    order,
                    json.dumps(environment or {}, sort_keys=True),
                    device,
                ),
            )

    def note_build(self, device: str, build: Build) -> int:
        """Write down a build, if it is new, and return its number."""
        values = (device, build.target, build.digest, build.compiler)
        with self.transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO build (device, target, digest, compiler) "
                "VALUES ((SELECT id FROM device WHERE name = ?), ?, ?, ?)",
                values,
            )
            found = db.execute(
                "SELECT build.id FROM build JOIN device ON device.id = build.device "
                "WHERE device.name = ? AND target = ? AND digest = ? AND compiler = ?",
                values,
            )
            return int(found.fetchone()[0])

    def begin(self, cell: int, build: int, timeout: int, load: float) -> int:
        """Write down that an attempt begins, before its process exists. Return the number of the attempt."""
        with self.transaction() as db:
            found = db.execute(
                "INSERT INTO attempt (cell, build, state, started, timeout, load_before) "
                "VALUES (?, ?, 'started', ?, ?, ?)",
                (cell, build, now(), timeout, load),
            )
            return int(found.lastrowid or 0)

    def finish(self, attempt: int, process: int, found: Attempted, load: float) -> None:
        """Write down the end of an attempt, with all its launches.

        Several attempts may share a process. `process` is the first attempt of this process.
        """
        with self.transaction() as db:
            self._close(db, attempt, "done", found, load)
            db.execute("UPDATE attempt SET process = ? WHERE id = ?", (process, attempt))
            put_launches(db, attempt, found.launches, is_counted=self.knows_launches)

    def refuse(self, attempt: int, found: Attempted, load: float, why: str) -> None:
        """Write down that the launches of an attempt do not count, and why."""
        with self.transaction() as db:
            self._close(db, attempt, "refused", found, load)
            db.execute(
                "INSERT INTO event (time, attempt, kind, text) VALUES (?, ?, 'refused', ?)", (now(), attempt, why)
            )

    def orphan(self) -> int:
        """Mark all attempts that have begun and not ended as orphaned. Return how many these are."""
        with self.transaction() as db:
            found = db.execute("UPDATE attempt SET state = 'orphaned', ended = ? WHERE state = 'started'", (now(),))
            return found.rowcount

    def note_event(self, kind: str, text: str, attempt: int | None = None) -> None:
        """Write down something that happened."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO event (time, attempt, kind, text) VALUES (?, ?, ?, ?)", (now(), attempt, kind, text)
            )

    @functools.cached_property
    def knows_launches(self) -> bool:
        """Whether the store tells how many launches each attempt had. Stores of older releases do not."""
        return any(name == "launches" for _, name, *_ in self.read("PRAGMA table_info(attempt)"))

    def events(self) -> list[tuple[str, str, str]]:
        """Return all events: time, kind and text."""
        return self.read("SELECT time, kind, text FROM event ORDER BY id")

    def launches(self, cell: int) -> list[StoredLaunch]:
        """Return the launches of a cell that count, in their order."""
        rows = self.read(
            "SELECT attempt, number, timeout, canary, end, seconds, quiet, launch.started, finished, code, reason "
            "FROM launch JOIN attempt ON attempt.id = launch.attempt "
            "WHERE cell = ? AND state = 'done' ORDER BY attempt, number",
            cell,
        )
        return [
            StoredLaunch(
                attempt, number, timeout, canary,
                Launched(end, seconds, quiet, json.loads(started), json.loads(finished), code, reason),
            )
            for attempt, number, timeout, canary, end, seconds, quiet, started, finished, code, reason in rows
        ]  # fmt: skip

    def counts(self, cell: int | None = None) -> dict[int, Counts]:
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
        made = {}
        for of, of_cell in ends.items():
            fruitless = itertools.takewhile(lambda is_fruitful: not is_fruitful, reversed(attempts[of].values()))
            made[of] = Counts(of_cell, len(attempts[of]), after.get(of, 0), len(list(fruitless)))
        return made

    def longest(self) -> dict[tuple[str, str], float]:
        """Return the seconds of the longest launch that ended, by device and mapping."""
        rows = self.read(
            "SELECT device.name, mapping, max(seconds) FROM launch JOIN attempt ON attempt.id = launch.attempt "
            "JOIN cell ON cell.id = attempt.cell JOIN device ON device.id = cell.device "
            "WHERE end = 'ended' AND state = 'done' AND seconds IS NOT NULL GROUP BY device.name, mapping"
        )
        return {(name, mapping): seconds for name, mapping, seconds in rows}

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
        rows = self.read(
            "SELECT mapping, count(DISTINCT cell.id), sum(strftime('%s', ended) - strftime('%s', attempt.started)) "
            "FROM attempt JOIN cell ON cell.id = attempt.cell JOIN device ON device.id = cell.device "
            "WHERE device.name = ? AND state = 'done' AND source IS NULL GROUP BY mapping",
            device,
        )
        return {mapping: (cells, float(seconds)) for mapping, cells, seconds in rows}

    def _close(self, db: sqlite3.Connection, attempt: int, state: str, found: Attempted, load: float) -> None:
        canary = found.canary["result"] if found.canary else ""
        said = "" if found.is_clean else found.said
        db.execute(
            "UPDATE attempt SET state = ?, ended = ?, pid = ?, exit_code = ?, signal = ?, load_after = ?, problem = ?, "
            "canary = ?, said = ? WHERE id = ?",
            (
                state,
                now(),
                found.pid,
                found.status.code,
                found.status.signal,
                load,
                found.problem,
                canary,
                said,
                attempt,
            ),
        )

    def read(self, query: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        """Return the rows that a query gives."""
        with self._told():
            return self._db.execute(query, values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[tuple]:  # type: ignore[type-arg]
        """Yield the rows that a query gives, without keeping them."""
        with self._told():
            yield from self._db.execute(query, values)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make changes that are kept together or not at all, as a context manager."""
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of SQLite into messages."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            msg = f"{self._path}: {error}"
            kind = InputError if error.sqlite_errorname in ("SQLITE_NOTADB", "SQLITE_READONLY") else ResourceError
            raise kind(msg) from error


def _address(path: Path) -> str:
    """Return how SQLite opens a database. In a folder that nobody can write, it must not look for its other files."""
    is_fixed = path.exists() and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    return f"{path.resolve().as_uri()}?immutable=1" if is_fixed else str(path)


def put_launches(
    db: sqlite3.Connection, attempt: int, launches: Sequence[Launched], *, is_counted: bool = True
) -> None:
    """Write down the launches of an attempt, within a transaction.

    `is_counted` says that the store tells how many launches each attempt had.
    """
    if is_counted:
        db.execute("UPDATE attempt SET launches = ? WHERE id = ?", (len(launches), attempt))
    db.executemany(
        "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                attempt, number, one.end, one.seconds, one.quiet_s, _json(one.started), _json(one.finished),
                one.code, one.reason,
            )
            for number, one in enumerate(launches, 1)
        ],
    )  # fmt: skip


def now() -> str:
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _row(cell: Cell) -> tuple[object, ...]:
    setting = cell.setting
    return (
        cell.device, cell.run, cell.test, cell.threads, setting.mapping, setting.instances, cell.workgroups,
        setting.stress, cell.busy, cell.declared, setting.width, setting.stress_shape, cell.across,
        cell.row, cell.heading,
    )  # fmt: skip


def _json(value: Mapping[str, int]) -> str:
    return json.dumps(value, sort_keys=True)
