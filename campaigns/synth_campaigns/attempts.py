"""Read the attempts of a campaign in one pass, however many they are.

SQLite counts the launches of each attempt that ended. Only the other launches come one by one.

The store also tells whether attempts or launches were deleted. Without this, results could look better than they were:
a hang that is gone is no witness, and a crash that is gone makes no claim inconclusive.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import operator
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from synth_campaigns.store import Store
    from synth_devices.ends import Launched, RawEnd

_COLUMNS = """cell.id, attempt.id, process, digest || ' ' || compiler, target, timeout, canary, load_before, {written},
    count(end), min(number)"""
_OTHERS = """max(number), count(end) - coalesce(sum(end = 'ended'), 0), max(CASE WHEN end = 'ended' THEN seconds END),
    total(seconds), {print}"""
#: What tells the launches of an attempt from others.
_PRINT = "group_concat(number || end || coalesce(printf('%.6f', seconds), '') || finished, ' ')"
#: The attempts of which nobody knows how long the launches took: the file of each, and its place there.
_UNTIMED = """
SELECT attempt.id, digest, row_number() OVER (PARTITION BY source.id ORDER BY attempt.id)
FROM attempt JOIN source ON source.id = attempt.source
"""
_ATTEMPTS = """
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id JOIN build ON build.id = attempt.build
    LEFT JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done'
GROUP BY cell.id, attempt.id ORDER BY cell.id, attempt.id
"""
_NOT_ENDED = """
SELECT launch.attempt, number, end, seconds, quiet, finished, reason
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id CROSS JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done' AND end != 'ended'
ORDER BY cell.id, attempt.id, number
"""
#: The attempts of a device that had a launch that ended or hung, in their order, with the file that each was read from.
_TOLD = """
SELECT attempt.id, coalesce(source, 0), max(end = 'given up'), test, mapping, cell.id
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id CROSS JOIN launch ON launch.attempt = attempt.id
WHERE cell.device = (SELECT id FROM device WHERE name = ?) AND state = 'done' AND end IN ('ended', 'given up')
GROUP BY attempt.id ORDER BY attempt.id
"""
_ALL = "SELECT number, 1, end, seconds, quiet, finished, reason FROM launch WHERE attempt = ? ORDER BY number"


class Stretch(NamedTuple):
    """Launches of an attempt one after the other: several that ended, or one that did not.

    `number` is the place of the first of them in the attempt. `seconds` and `quiet` are None for those that ended, and
    `finished` and `reason` are empty.
    """

    number: int
    launches: int
    end: RawEnd
    seconds: float | None = None
    quiet: float | None = None
    finished: Mapping[str, int] = MappingProxyType({})
    reason: str = ""


class AttemptSummary(NamedTuple):
    """An attempt that is done.

    - `cell` and `number` are the numbers of its cell and of the attempt.
    - `process` is the first attempt of its process.
    - `launches` is how many launches the store has, and `deleted` how many it does not have any more.
    - `load` is how busy the machine was before, as `os.getloadavg` tells it; None if that is unknown.
    - `before` says what the device ran before it, and how that ended; it is empty if that is unknown. `follows_hang`
      says that this hung. Both only speak of attempts in which a launch ended or was given up.
    - `longest` is how many seconds the longest launch took that ended; None if there is none, or if that is unknown.
    - `print` tells these launches from others, by how many they are, their seconds, and how the last one ended. It is
      None if it is not asked for.
    """

    cell: int
    number: int
    process: int | None
    build: str
    target: str
    timeout: float
    canary: str
    load: float | None
    launches: int
    deleted: int
    before: str
    follows_hang: bool
    longest: float | None
    print: Hashable


def attempts_of(
    store: Store, device: str, *, has_prints: bool = False
) -> Iterator[tuple[AttemptSummary, list[Stretch]]]:
    """Yield the attempts of a device that are done, by cell and in their order, each with its launches.

    `has_prints` asks for what tells launches from others.
    """
    written = "launches" if store.knows_launches else "NULL"
    others_of = _OTHERS.format(print=_PRINT if has_prints else "NULL")
    rows = store.each(f"SELECT {_COLUMNS.format(written=written)}, {others_of} {_ATTEMPTS}", device)
    others = itertools.groupby(store.each(_NOT_ENDED, device), operator.itemgetter(0))
    before = _attempts_before(store, device)
    places = {number: place for number, *place in store.read(_UNTIMED)} if has_prints else {}
    for cell, number, process, build, target, timeout, canary, load, known, launches, *more in rows:
        first, last, not_ended, longest, seconds, said = more
        # A store of an older release does not tell how many launches an attempt had. Then a gap in their numbers does.
        had = known if known is not None else max(last or 1, 1)
        said = said if seconds else places.get(number)
        told = None if said is None else _print(target, str(said))
        summary = AttemptSummary(
            cell, number, process, build, target, timeout, canary, load, launches, max(0, had - launches),
            *before.get(number, ("", False)), longest, told,
        )  # fmt: skip
        found = next(others)[1] if not_ended else ()
        if not launches:
            yield summary, []
        elif last - first + 1 == launches:
            yield summary, list(_stretches(first, last, found))
        else:
            yield (
                summary,
                [
                    Stretch(place, one, end, seconds, quiet, json.loads(finished), reason)
                    for place, one, end, seconds, quiet, finished, reason in store.read(_ALL, number)
                ],
            )


def print_of(target: str, launches: Iterable[Launched]) -> Hashable:
    """Return what tells the launches of an attempt from others. It is the same as that of a stored attempt."""
    said = []
    for number, one in enumerate(launches, 1):
        seconds = "" if one.seconds is None else f"{one.seconds:.6f}"
        said.append(f"{number}{one.end}{seconds}{json.dumps(dict(one.finished), sort_keys=True)}")
    return _print(target, " ".join(said))


def _print(target: str, said: str) -> Hashable:
    return hashlib.sha256(f"{target} {said}".encode()).digest()


def _attempts_before(store: Store, device: str) -> dict[int, tuple[str, bool]]:
    """Return for attempts on a device what ran before, and whether it hung. A simulated launch follows nothing."""
    found: dict[int, tuple[str, bool]] = {}
    decides = store.decides(device)
    source, last_cell, words, has_hung = 0, None, "nothing", False
    for number, from_file, hung, test, mapping, cell in store.each(_TOLD, device):
        if from_file != source and cell != last_cell:  # nobody knows what ran before the launches of a file
            words, has_hung = "", False
        found[number] = words, bool(has_hung) and not decides
        words = f"{test} under {mapping}, which {'was given up' if hung else 'ended'}"
        source, last_cell, has_hung = from_file, cell, hung
    return found


def _stretches(first: int, last: int, not_ended: Iterable[tuple]) -> Iterator[Stretch]:  # type: ignore[type-arg]
    """Yield the launches of an attempt without gaps, of which only those are given that did not end."""
    for _, number, end, seconds, quiet, finished, reason in not_ended:
        if number > first:
            yield Stretch(first, number - first, "ended")
        yield Stretch(number, 1, end, seconds, quiet, json.loads(finished), reason)
        first = number + 1
    if first <= last:
        yield Stretch(first, last + 1 - first, "ended")


def deleted_attempts(store: Store) -> int:
    """Return how many attempts the store does not have any more."""
    ((last, there),) = store.read("SELECT coalesce(max(id), 0), count(*) FROM attempt")
    if store.knows_launches:
        ((last,),) = store.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'attempt'")
    return int(last) - int(there)
