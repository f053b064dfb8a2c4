"""Read the attempts of a campaign in one pass, however many they are.

SQLite counts the launches of each attempt that ended. Only the other launches come one by one.

The store also tells whether attempts or launches were deleted. Without this, results could look better than they were:
a hang that is gone is no witness, and a crash that is gone makes no claim inconclusive.
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_campaigns.store import Store
    from synth_devices.ends import RawEnd

_COLUMNS = "cell.id, attempt.id, process, build, target, timeout, canary, {written}, count(end), min(number)"
_OTHERS = "max(number), count(end) - coalesce(sum(end = 'ended'), 0)"
_ATTEMPTS = """
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id JOIN build ON build.id = attempt.build
    LEFT JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done'
GROUP BY cell.id, attempt.id ORDER BY cell.id, attempt.id
"""
_NOT_ENDED = """
SELECT launch.attempt, number, end, seconds, quiet
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id CROSS JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done' AND end != 'ended'
ORDER BY cell.id, attempt.id, number
"""
_ALL = "SELECT number, 1, end, seconds, quiet FROM launch WHERE attempt = ? ORDER BY number"


class Stretch(NamedTuple):
    """Launches of an attempt one after the other: several that ended, or one that did not.

    `number` is the place of the first of them in the attempt. `seconds` and `quiet` are None for those that ended.
    """

    number: int
    launches: int
    end: RawEnd
    seconds: float | None = None
    quiet: float | None = None


class AttemptSummary(NamedTuple):
    """An attempt that is done.

    - `cell` and `number` are the numbers of its cell and of the attempt.
    - `process` is the first attempt of its process.
    - `launches` is how many launches the store has, and `deleted` how many it does not have any more.
    """

    cell: int
    number: int
    process: int | None
    build: int
    target: str
    timeout: float
    canary: str
    launches: int
    deleted: int


def attempts_of(store: Store, device: str) -> Iterator[tuple[AttemptSummary, list[Stretch]]]:
    """Yield the attempts of a device that are done, by cell and in their order, each with its launches."""
    written = "launches" if store.knows_launches else "NULL"
    rows = store.each(f"SELECT {_COLUMNS.format(written=written)}, {_OTHERS} {_ATTEMPTS}", device)
    others = itertools.groupby(store.each(_NOT_ENDED, device), operator.itemgetter(0))
    for cell, number, process, build, target, timeout, canary, known, launches, first, last, not_ended in rows:
        # A store of an older release does not tell how many launches an attempt had. Then a gap in their numbers does.
        had = known if known is not None else max(last or 1, 1)
        summary = AttemptSummary(
            cell, number, process, build, target, timeout, canary, launches, max(0, had - launches)
        )  # fmt: skip
        found = next(others)[1] if not_ended else ()
        if not launches:
            yield summary, []
        elif last - first + 1 == launches:
            yield summary, list(_stretches(first, last, found))
        else:
            yield summary, [Stretch(*row) for row in store.read(_ALL, number)]


def _stretches(first: int, last: int, not_ended: Iterable[tuple]) -> Iterator[Stretch]:  # type: ignore[type-arg]
    """Yield the launches of an attempt without gaps, of which only those are given that did not end."""
    for _, number, end, seconds, quiet in not_ended:
        if number > first:
            yield Stretch(first, number - first, "ended")
        yield Stretch(number, 1, end, seconds, quiet)
        first = number + 1
    if first <= last:
        yield Stretch(first, last + 1 - first, "ended")


def deleted_attempts(store: Store) -> int:
    """Return how many attempts the store does not have any more."""
    ((last, there),) = store.read("SELECT coalesce(max(id), 0), count(*) FROM attempt")
    if store.knows_launches:
        ((last,),) = store.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'attempt'")
    return int(last) - int(there)
