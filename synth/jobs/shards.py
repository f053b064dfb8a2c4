"""What a job consists of: shards, each some units of work or parts of one, of bounded size.

A unit that is estimated to take longer than a shard may is cut into parts by its engine, and what takes less is put
together with others. The list is made once, when a job begins, and written down: estimates are measured, and so another
machine would come to another list. Where a list says what a shard is, each test of the question is in exactly one.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth.engines.engine import AUnit, Engine, Field
    from synth.jobs.estimating import Estimate

#: Unless it is said how long a shard may take, in processor seconds: a part of the whole within these bounds, so that
#: small jobs keep several processes busy, too.
SHORTEST_S, LONGEST_S = 1.0, 30.0
_SHARDS = 64
#: Tests that a shard may keep, some 20 bytes each in the process that does it.
_MOST_KEPT = 1 << 22


class Shard(NamedTuple):
    """A part of a job: its name, its units as JSON has them, and how many processor seconds are estimated by split.

    Splits stand for all with the same sizes in any order, and are called by that where they fall, such as `3+2+1`.
    """

    name: str
    units: Sequence[Sequence[Field]]
    work: Mapping[str, float]

    @property
    def seconds(self) -> float:
        """How many processor seconds it is estimated to take."""
        return sum(self.work.values())


def usual_seconds(estimates: Iterable[Estimate[AUnit]]) -> float:
    """How long a shard of a job of such units may take, in processor seconds."""
    return min(LONGEST_S, max(SHORTEST_S, sum(one.seconds for one in estimates) / _SHARDS))


def shards_of(engine: Engine[AUnit], estimates: Iterable[Estimate[AUnit]], seconds: float) -> list[Shard]:
    """The shards of the units that were estimated, each of about so many processor seconds or less."""
    made: list[Shard] = []
    units: list[Sequence[Field]] = []
    work: dict[str, float] = {}
    full = 0.0
    for estimate in estimates:
        split = split_name(sorted(next(iter(estimate.unit.shares())), reverse=True))
        fills = max(estimate.seconds / seconds, estimate.kept / _MOST_KEPT)
        parts = engine.cut(estimate.unit, math.ceil(fills)) if fills > 1 else [estimate.unit]
        for part in parts:
            if units and full + fills / len(parts) > 1:
                made.append(Shard(f"{len(made):06d}", units, work))
                units, work, full = [], {}, 0.0
            full += fills / len(parts)
            units.append(part.fields())
            work[split] = work.get(split, 0.0) + estimate.seconds / len(parts)
    return [*made, Shard(f"{len(made):06d}", units, work)] if units else made


def units_in(shard: Shard, engine: Engine[AUnit]) -> list[AUnit]:
    """The units of a shard, as its engine has them."""
    return [engine.unit(*map(_tuples, fields)) for fields in shard.units]


def shards_text(shards: Iterable[Shard]) -> bytes:
    """A list of shards as JSON lines."""
    return b"".join(_line(shard) for shard in shards)


def read_shards(data: bytes, source: object) -> Iterator[Shard]:
    """The shards in JSON lines.

    Raises:
        InputError: a line is none.
    """
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            found = json.loads(line)
            yield Shard(found["name"], found["units"], found["work"])
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{source}:{number}: found {line[:40]!r}, expected a shard"
            raise InputError(msg) from error


def _line(shard: Shard) -> bytes:
    fields = {"name": shard.name, "units": shard.units, "work": {k: round(v, 4) for k, v in shard.work.items()}}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _tuples(value: Field) -> Field:
    """What JSON has as lists, as tuples."""
    return value if isinstance(value, int) else tuple(map(_tuples, value))
