"""Divide a job into shards of limited size, each of which has some units of work or parts of units.

If the estimate says that a unit takes longer than a shard may, the engine cuts it into parts. A shard may also hold
several small units. A job makes the list of its shards once, when it begins, and writes it into a file. Another machine
would make another list, because estimates depend on measured times. Each test of the question is in exactly one shard.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth_jobs.estimate import Estimate
    from synth_search.engines.engine import AUnit, Engine, Field

#: The limits in processor seconds for the length of a shard, if the user does not say it. Between these limits it is
#: one part in `_SHARDS` of the whole job, so that small jobs keep several processes busy, too.
SHORTEST_S, LONGEST_S = 1.0, 30.0
_SHARDS = 64
#: How many tests a shard may keep. Each takes some 20 bytes in the memory of its process.
_MOST_KEPT = 1 << 22


class Shard(NamedTuple):
    """A shard, which is a part of a job: its name, its units as JSON has them, and its estimated times.

    `work` has the estimated processor seconds by split. A split stands for all splits with the same sizes in any order.
    Its name has the sizes in falling order, such as `3+2+1`.
    """

    name: str
    units: Sequence[Sequence[Field]]
    work: Mapping[str, float]

    @property
    def seconds(self) -> float:
        """The estimated processor seconds of the shard."""
        return sum(self.work.values())


def usual_seconds(estimates: Iterable[Estimate[AUnit]]) -> float:
    """Return how many processor seconds a shard may take in a job with these estimates."""
    return min(LONGEST_S, max(SHORTEST_S, sum(estimate.seconds for estimate in estimates) / _SHARDS))


def shards_of(engine: Engine[AUnit], estimates: Iterable[Estimate[AUnit]], seconds: float) -> list[Shard]:
    """Return the shards for the estimated units, each of about `seconds` processor seconds or less."""
    shards: list[Shard] = []
    units: list[Sequence[Field]] = []
    work: dict[str, float] = {}
    full = 0.0
    for estimate in estimates:
        split = split_name(sorted(next(iter(estimate.unit.shares())), reverse=True))
        fills = max(estimate.seconds / seconds, estimate.kept / _MOST_KEPT)
        parts = engine.cut(estimate.unit, math.ceil(fills)) if fills > 1 else [estimate.unit]
        for part in parts:
            if units and full + fills / len(parts) > 1:
                shards.append(Shard(f"{len(shards):06d}", units, work))
                units, work, full = [], {}, 0.0
            full += fills / len(parts)
            units.append(part.fields())
            work[split] = work.get(split, 0.0) + estimate.seconds / len(parts)
    return [*shards, Shard(f"{len(shards):06d}", units, work)] if units else shards


def units_in(shard: Shard, engine: Engine[AUnit]) -> list[AUnit]:
    """Return the units of a shard as objects of its engine."""
    return [engine.unit(*map(_tuples, fields)) for fields in shard.units]


def shards_text(shards: Iterable[Shard]) -> bytes:
    """Return a list of shards as text in JSON, one shard on each line."""
    return b"".join(_line(shard) for shard in shards)


def read_shards(data: bytes, source: object) -> Iterator[Shard]:
    """Yield the shards in the text of a list, as `shards_text` writes it; `source` names the file in error messages.

    Raises:
        InputError: a line does not describe a shard.
    """
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            fields = json.loads(line)
            yield Shard(fields["name"], fields["units"], fields["work"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{source}:{number}: found {line[:40]!r}, expected the description of a shard") from error


def _line(shard: Shard) -> bytes:
    fields = {"name": shard.name, "units": shard.units, "work": {k: round(v, 4) for k, v in shard.work.items()}}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _tuples(value: Field) -> Field:
    """Return a value from JSON with tuples in place of lists."""
    return value if isinstance(value, int) else tuple(map(_tuples, value))
