"""Sets of so many ids that Python strings would take too much memory.

The C++ core sorts the ids, removes duplicates, and stores them in packed form. An id becomes a Python string only when
the caller asks for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from synth_checker._native import IdCollector
from synth_checker.chunks import CHUNK, in_chunks
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker._native import IdSet


class Ids(Sequence[str]):
    """A sequence of ids, sorted as strings, without duplicates. It never changes, and equals a list of the same ids.

    It takes about as many bytes as the ids have characters. `packed` is the same set in the form that the core reads.

    Raises:
        InputError: one of the texts is not an id.
        LimitError: a thread has more than 35 instructions.
    """

    __slots__ = ("packed",)
    __hash__ = None  # type: ignore[assignment]  # it is equal to lists

    def __init__(self, ids: Iterable[str] | IdCollector = ()) -> None:
        self.packed: IdSet = (ids if isinstance(ids, IdCollector) else collect_ids(ids)).sorted()

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, place: int, /) -> str: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[str]: ...
    def __getitem__(self, place: int | slice, /) -> str | list[str]:
        if isinstance(place, slice):
            return [self.packed.id(k) for k in range(*place.indices(len(self)))]
        return self.packed.id(range(len(self))[place])

    def __iter__(self) -> Iterator[str]:
        for lines in in_chunks(self.packed.lines, len(self)):
            yield from lines.decode("ascii").splitlines()

    def __contains__(self, id_: object) -> bool:
        if not isinstance(id_, str) or not id_.isascii():
            return False
        place = self.packed.place(id_)
        return place < len(self) and self.packed.id(place) == id_

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Ids, list)):
            return NotImplemented
        return len(self) == len(other) and all(itertools.starmap(str.__eq__, zip(self, other, strict=True)))

    def __repr__(self) -> str:
        ends = f": {self[0]} to {self[-1]}" if self else ""
        return f"<Ids of {len(self)} programs{ends}>"


def collect_ids(*groups: Iterable[str]) -> IdCollector:
    """Return a collector that holds the ids of all groups. The caller can add further ids to it, or sort it.

    Raises:
        InputError: one of the texts is not an id.
        LimitError: a thread has more than 35 instructions.
    """
    collector = IdCollector()
    for ids in groups:
        if isinstance(ids, Ids):
            collector.add_set(ids.packed)
            continue
        remaining = iter(ids)
        while chunk := list(itertools.islice(remaining, CHUNK)):
            before = len(collector)
            collector.add(lines_of(chunk))
            if len(collector) != before + len(chunk):
                wrong = next(id_ for id_ in chunk if "\n" in id_)
                raise InputError(f"id {wrong!r}: found a line end in it, expected base-36 digits (0-9, a-z)")
    return collector


def lines_of(ids: Iterable[str]) -> bytes:
    """Return ids as one text of bytes, in which a line end follows each id."""
    return "".join([f"{id_}\n" for id_ in ids]).encode("utf-8", "surrogatepass")


def least_of_orbits(ids: Ids, *, keep_store_checks: bool, jobs: int = 1) -> Ids:
    """Return, of each set of programs that differ only in the order of their threads, the program with the least id.

    The result is part of `ids` if `ids` holds all tests of a bound. A store has a check value, which has no effect.
    With `keep_store_checks`, programs that differ only in such values are different programs. `jobs` is the number of
    operating-system threads that do the work.
    """
    packed, least = ids.packed, IdCollector()
    for lines in in_chunks(lambda first, last: packed.least_of_orbits(first, last, keep_store_checks), len(ids), jobs):
        least.add(lines)
    return Ids(least)
