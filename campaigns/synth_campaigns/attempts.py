"""Read the attempts of a campaign in one pass, however many they are.

If all launches of an attempt ended, their number is enough. The launches of the other attempts come one by one.

The store also tells whether attempts or launches were deleted. Without this, results could look better than they were:
a hang that is gone is no witness, and a crash that is gone makes no claim inconclusive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_campaigns.store import Store
    from synth_devices.ends import RawEnd

#: A launch: its place in its attempt, its raw end, its seconds, and for how many seconds it was quiet.
Single: TypeAlias = "tuple[int, RawEnd, float | None, float | None]"

_COLUMNS = "cell.id, attempt.id, process, build, target, timeout, canary, {written}, count(end), max(number)"
_OTHERS = "count(end) - coalesce(sum(end = 'ended'), 0)"
_ATTEMPTS = """
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id JOIN build ON build.id = attempt.build
    LEFT JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done'
GROUP BY cell.id, attempt.id ORDER BY cell.id, attempt.id
"""
_SINGLE = "SELECT number, end, seconds, quiet FROM launch WHERE attempt = ? ORDER BY number"


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


def attempts_of(store: Store, device: str) -> Iterator[tuple[AttemptSummary, list[Single]]]:
    """Yield the attempts of a device that are done, by cell and in their order.

    With each come its launches, or an empty list if all of them ended.
    """
    written = "launches" if store.knows_launches else "NULL"
    rows = store.each(f"SELECT {_COLUMNS.format(written=written)}, {_OTHERS} {_ATTEMPTS}", device)
    for cell, number, process, build, target, timeout, canary, known, launches, last, others in rows:
        # A store of an older release does not tell how many launches an attempt had. Then a gap in their numbers does.
        had = known if known is not None else max(last or 1, 1)
        deleted = max(0, had - launches)
        summary = AttemptSummary(cell, number, process, build, target, timeout, canary, launches, deleted)
        yield summary, store.read(_SINGLE, number) if others else []


def deleted_attempts(store: Store) -> int:
    """Return how many attempts the store does not have any more."""
    ((last, there),) = store.read("SELECT coalesce(max(id), 0), count(*) FROM attempt")
    if store.knows_launches:
        ((last,),) = store.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'attempt'")
    return int(last) - int(there)
