"""Results that others made: files of result lines, and published tables. A campaign keeps where each came from.

    source  <-  attempt   result lines tell each launch; an attempt names the file that it was read from
            <-  tally     a published table only tells numbers of launches

No launch is made up for a number: a tally says how many launches ended in the same way, and whether this is only the
least number that is known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_campaigns.store import now, put_launches

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from synth_backends.result_line import ResultFields
    from synth_campaigns.store import Store
    from synth_devices.raw_ends import LaunchEnd, RawEnd


@dataclass(frozen=True, slots=True)
class Source:
    """A file with results of others. `kind` is `lines` or `table`, and `told` is what is known of the file besides."""

    kind: str
    name: str
    digest: str
    told: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LaunchTally:
    """How many launches ended in the same way, of which nothing else is known.

    - `timeout` is after how many seconds a launch was given up; None if that is unknown.
    - `is_least` says that there may have been more.
    - `digest` is the SHA-256 of the table that says so.
    """

    end: RawEnd
    launches: int
    timeout: float | None
    is_least: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True)
class CollectedAttempt:
    """An attempt that somebody else has made: its cell, its line, its launches, and the result of its canary."""

    cell: int
    line: ResultFields
    launches: Sequence[LaunchEnd]
    canary: str


def sources_of(store: Store) -> list[Source]:
    """Return all files that a campaign was given, in the order in which it got them."""
    rows = store.read("SELECT kind, name, digest, told FROM source ORDER BY id")
    return [Source(kind, name, digest, json.loads(description)) for kind, name, digest, description in rows]


def tallies_of(store: Store) -> dict[int, list[LaunchTally]]:
    """Return the tallies of each cell that has some, by the number of the cell.

    A tally says how many launches of a cell had a certain raw end, as somebody else has published it.
    """
    tallies: dict[int, list[LaunchTally]] = {}
    rows = store.read(
        "SELECT cell, end, launches, timeout, is_least, digest FROM tally JOIN source ON source.id = source "
        "ORDER BY cell, source, end"
    )
    for cell, end, launches, timeout, is_least, digest in rows:
        tallies.setdefault(cell, []).append(LaunchTally(end, launches, timeout, bool(is_least), digest))
    return tallies


def put_tallies(store: Store, source: Source, tallies: Iterable[tuple[int, LaunchTally]]) -> None:
    """Write down a table: its tallies, each with the number of its cell."""
    with store.transaction() as db:
        number = _put_source(db, source)
        db.executemany(
            "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?)",
            [(cell, number, tally.end, tally.launches, tally.is_least, tally.timeout) for cell, tally in tallies],
        )


def put_collected(store: Store, source: Source, attempts: Iterable[CollectedAttempt]) -> None:
    """Write down a file of result lines, with all its attempts that count."""
    with store.transaction() as db:
        number = _put_source(db, source)
        for collected in attempts:
            attempt = _put_attempt(db, number, collected)
            put_launches(db, attempt, collected.launches)


def _put_source(db: sqlite3.Connection, source: Source) -> int:
    description = json.dumps(source.told, sort_keys=True)
    cursor = db.execute(
        "INSERT INTO source (time, kind, name, digest, told) VALUES (?, ?, ?, ?, ?)",
        (now(), source.kind, source.name, source.digest, description),
    )
    return int(cursor.lastrowid or 0)


def _put_attempt(db: sqlite3.Connection, source: int, collected: CollectedAttempt) -> int:
    line, time = collected.line, now()
    cursor = db.execute(
        "INSERT INTO attempt (cell, build, state, started, ended, timeout, canary, source) "
        "VALUES (?, ?, 'done', ?, ?, ?, ?, ?)",
        (collected.cell, _build_of(db, collected), time, time, line["timeout_s"], collected.canary, source),
    )
    attempt = int(cursor.lastrowid or 0)
    db.execute("UPDATE attempt SET process = ? WHERE id = ?", (attempt, attempt))
    return attempt


def _build_of(db: sqlite3.Connection, collected: CollectedAttempt) -> int:
    """Return the number of the build of which only the target and the release that wrote it are known."""
    values = (collected.cell, collected.line["target"], f"synth {collected.line['synth']}")
    db.execute(
        "INSERT OR IGNORE INTO build (device, target, digest, compiler) "
        "VALUES ((SELECT device FROM cell WHERE id = ?), ?, '', ?)",
        values,
    )
    cursor = db.execute(
        "SELECT id FROM build WHERE device = (SELECT device FROM cell WHERE id = ?) AND target = ? AND digest = '' "
        "AND compiler = ?",
        values,
    )
    return int(cursor.fetchone()[0])
