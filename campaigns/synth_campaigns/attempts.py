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
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from synth_campaigns.store import Store
    from synth_devices.raw_ends import LaunchEnd, RawEnd

_COLUMNS = """cell.id, attempt.id, process, digest || ' ' || compiler, target, timeout, canary, load_before, launches,
    count(end), min(number)"""
_OTHERS = """max(number), count(end) - coalesce(sum(end = 'ended'), 0), max(CASE WHEN end = 'ended' THEN seconds END),
    max(CAST(round(seconds * 1000000) AS INTEGER) % 1000), {print}"""
#: What tells the launches of an attempt from others.
_PRINT = (
    "group_concat(number || end || iif(seconds IS NULL, '', printf('%.6f', seconds)) || "
    "iif(quiet IS NULL, '', printf('%.6f', quiet)) || finished, ' ')"
)
#: The file of each attempt that was read from one, and its place there.
_PLACES = """
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
#: The attempts of a campaign that launched something, in their order: the file that each was read from, and whether
#: the last launch of each did not end. A simulated device has nothing that a launch could leave behind.
_LAUNCHED = """
SELECT attempt.id, coalesce(source, 0), max(end != 'ended'), test, mapping, device.name = ?
FROM cell CROSS JOIN attempt ON attempt.cell = cell.id CROSS JOIN launch ON launch.attempt = attempt.id
    JOIN device ON device.id = cell.device
WHERE state = 'done' AND end != 'failed' AND NOT decides
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
    - `before` says what ran before it in the campaign, and how that ended; it is empty if that is unknown.
      `follows_bad` says that this did not end. Both only speak of attempts that launched something.
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
    follows_bad: bool
    longest: float | None
    print: Hashable


def attempts_of(
    store: Store, device: str, *, has_prints: bool = False
) -> Iterator[tuple[AttemptSummary, list[Stretch]]]:
    """Yield the attempts of a device that are done, by cell and in their order, each with its launches.

    `has_prints` asks for what tells launches from others.
    """
    others_of = _OTHERS.format(print=_PRINT if has_prints else "NULL")
    rows = store.each(f"SELECT {_COLUMNS}, {others_of} {_ATTEMPTS}", device)
    others = itertools.groupby(store.each(_NOT_ENDED, device), operator.itemgetter(0))
    before = _attempts_before(store, device)
    places = {number: place for number, *place in store.read(_PLACES)} if has_prints else {}
    for cell, number, process, build, target, timeout, canary, load, known, launches, *more in rows:
        first, last, not_ended, longest, is_fine, said = more
        said = said if is_fine else places.get(number)
        print_ = None if said is None else _print(target, str(said))
        summary = AttemptSummary(
            cell, number, process, build, target, timeout, canary, load, launches, max(0, known - launches),
            *before.get(number, ("", False)), longest, print_,
        )  # fmt: skip
        stretches = next(others)[1] if not_ended else ()
        if not launches:
            yield summary, []
        elif last - first + 1 == launches:
            yield summary, list(_stretches(first, last, stretches))
        else:
            yield (
                summary,
                [
                    Stretch(place, in_process, end, seconds, quiet, json.loads(finished), reason)
                    for place, in_process, end, seconds, quiet, finished, reason in store.read(_ALL, number)
                ],
            )


def print_of(target: str, launches: Sequence[LaunchEnd]) -> Hashable:
    """Return what tells the launches of an attempt from others. It is the same as that of a stored attempt.

    It is None if the seconds are those of a clock that counts milliseconds: these do not tell much.
    """
    if not any(round((launch.seconds or 0.0) * 1_000_000) % 1000 for launch in launches):
        return None
    said = []
    for number, launch in enumerate(launches, 1):
        seconds = "" if launch.seconds is None else f"{launch.seconds:.6f}"
        quiet = "" if launch.quiet_s is None else f"{launch.quiet_s:.6f}"
        said.append(f"{number}{launch.end}{seconds}{quiet}{json.dumps(dict(launch.finished), sort_keys=True)}")
    return _print(target, " ".join(said))


def _print(target: str, said: str) -> Hashable:
    return hashlib.sha256(f"{target} {said}".encode()).digest()


def _attempts_before(store: Store, device: str) -> dict[int, tuple[str, bool]]:
    """Return for attempts on a device what ran before in the campaign, and whether that did not end.

    Several names may be of one device, so what ran under another name counts, too. Files of results may be parts of one
    file. So what the file before ended with counts, but nobody knows whether it ran directly before.
    """
    before: dict[int, tuple[str, bool]] = {}
    source, words, did_not_end = 0, "", False
    for number, from_file, is_bad, test, mapping, is_here in store.each(_LAUNCHED, device):
        if is_here:
            before[number] = words if from_file == source else "", bool(did_not_end)
        words = f"{test} under {mapping}, which {'did not end' if is_bad else 'ended'}"
        source, did_not_end = from_file, is_bad
    return before


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
    ((there,),) = store.read("SELECT count(*) FROM attempt")
    ((last,),) = store.read("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'attempt'")
    return int(last) - int(there)
