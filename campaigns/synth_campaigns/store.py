"""The results of a campaign, in a SQLite database with one writer: what is written, and when.

    attempt: started -> done          its launches count
                     -> orphaned      the run was killed or interrupted during the attempt, or its program could not
                                      start; it has no launches
                     -> refused       it came from another device; it has no launches

The store commits the start of an attempt before its process exists. It commits the end of an attempt and all its
launches in one transaction. So a run that dies at any moment leaves no half of an attempt.
"""

from __future__ import annotations

import json
import platform
import time
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_campaigns.queries import Queries
from synth_checker.errors import InputError
from synth_devices.remote_devices import ELSEWHERE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.result_line import ResultFields
    from synth_campaigns.cells import Cell
    from synth_devices.attempt import AttemptResult
    from synth_devices.device import Build, Device
    from synth_devices.raw_ends import LaunchEnd

FORMAT = "1"
#: The format once there are cells that the campaign does not declare, which older releases would take for others.
_WITH_MORE_CELLS = "2"
_PUT_CELL = (
    "INSERT INTO cell VALUES (?, (SELECT id FROM device WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Store(Queries):
    """An open database of results, which can be read and written. As a context manager it closes it at the end.

    Raises:
        InputError: the file is no database of a campaign.
        ResourceError: the disk or the file system failed.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        super().__init__(path, is_new=is_new)
        if not is_new and self.meta("format") not in {FORMAT, _WITH_MORE_CELLS}:
            raise InputError(f"{path}: found format {self.meta('format')!r}, expected at most {_WITH_MORE_CELLS!r}")

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
                    (
                        device.name,
                        device.kind,
                        device.shows_flags,
                        device.decides,
                        "" if device.kind in ELSEWHERE else host,
                    )
                    for device in devices
                ],
            )
            db.executemany("INSERT INTO test VALUES (?, ?)", [(test.id, test.name) for test in tests])
            db.executemany(_PUT_CELL, [(number, *_row(cell)) for number, cell in enumerate(cells, 1)])

    def add_cell(self, cell: Cell) -> int:
        """Add a cell that the campaign does not declare, and return its number."""
        with self.transaction() as db:
            if not self.knows_purposes:  # a store of an older release
                db.execute("ALTER TABLE cell ADD COLUMN purpose TEXT NOT NULL DEFAULT ''")
                del self.knows_purposes
            db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (_WITH_MORE_CELLS,))
            db.execute("INSERT OR IGNORE INTO test VALUES (?, ?)", (cell.test, cell.test))
            number = int(db.execute("SELECT max(id) + 1 FROM cell").fetchone()[0])
            db.execute(_PUT_CELL, (number, *_row(cell)))
            return number

    def note_device(self, device: str, line: ResultFields, environment: Mapping[str, str]) -> None:
        """Write down what a device says of itself in a line of results, and the variables that select it."""
        self.note_driver(device, line["driver"], line["device"], line["order"], environment)

    def note_driver(
        self,
        device: str,
        driver: str,
        description: Mapping[str, object],
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
                    json.dumps(description, sort_keys=True),
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
            cursor = db.execute(
                "SELECT build.id FROM build JOIN device ON device.id = build.device "
                "WHERE device.name = ? AND target = ? AND digest = ? AND compiler = ?",
                values,
            )
            return int(cursor.fetchone()[0])

    def begin(self, cell: int, build: int, timeout: int, load: float) -> int:
        """Write down that an attempt begins, before its process exists. Return the number of the attempt."""
        with self.transaction() as db:
            cursor = db.execute(
                "INSERT INTO attempt (cell, build, state, started, timeout, load_before) "
                "VALUES (?, ?, 'started', ?, ?, ?)",
                (cell, build, now(), timeout, load),
            )
            return int(cursor.lastrowid or 0)

    def finish(self, attempt: int, process: int, attempted: AttemptResult, load: float) -> None:
        """Write down the end of an attempt, with all its launches.

        Several attempts may share a process. `process` is the first attempt of this process.
        """
        with self.transaction() as db:
            self._close(db, attempt, "done", attempted, load)
            db.execute("UPDATE attempt SET process = ? WHERE id = ?", (process, attempt))
            put_launches(db, attempt, attempted.launches)

    def refuse(self, attempt: int, attempted: AttemptResult, load: float, why: str) -> None:
        """Write down that the launches of an attempt do not count, and why."""
        with self.transaction() as db:
            self._close(db, attempt, "refused", attempted, load)
            db.execute(
                "INSERT INTO event (time, attempt, kind, text) VALUES (?, ?, 'refused', ?)", (now(), attempt, why)
            )

    def orphan(self) -> int:
        """Mark all attempts that have begun and not ended as orphaned. Return how many these are."""
        with self.transaction() as db:
            cursor = db.execute("UPDATE attempt SET state = 'orphaned', ended = ? WHERE state = 'started'", (now(),))
            return cursor.rowcount

    def note_event(self, kind: str, text: str, attempt: int | None = None) -> None:
        """Write down something that happened."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO event (time, attempt, kind, text) VALUES (?, ?, ?, ?)", (now(), attempt, kind, text)
            )

    def _close(self, db: sqlite3.Connection, attempt: int, state: str, attempted: AttemptResult, load: float) -> None:
        canary = attempted.canary["result"] if attempted.canary else ""
        said = "" if attempted.is_clean else attempted.said
        db.execute(
            "UPDATE attempt SET state = ?, ended = ?, pid = ?, exit_code = ?, signal = ?, load_after = ?, problem = ?, "
            "canary = ?, said = ? WHERE id = ?",
            (
                state,
                now(),
                attempted.pid,
                attempted.status.code,
                attempted.status.signal,
                load,
                attempted.problem,
                canary,
                said,
                attempt,
            ),
        )


def put_launches(db: sqlite3.Connection, attempt: int, launches: Sequence[LaunchEnd]) -> None:
    """Write down the launches of an attempt, within a transaction."""
    db.execute("UPDATE attempt SET launches = ? WHERE id = ?", (len(launches), attempt))
    db.executemany(
        "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                attempt, number, launch.end, launch.seconds, launch.quiet_s,
                _json(launch.started), _json(launch.finished),
                launch.code, launch.reason,
            )
            for number, launch in enumerate(launches, 1)
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
        cell.row, cell.heading, cell.purpose,
    )  # fmt: skip


def _json(value: Mapping[str, int]) -> str:
    return json.dumps(value, sort_keys=True)
