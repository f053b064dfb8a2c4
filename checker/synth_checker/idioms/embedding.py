"""Whether one program is a sub-program of another, without the programs between (definitions, section 6).

Relaxations add up to three things: some instructions are gone, locations and values have become one, and of the
exchange branches left some have lost their exchange or their comparison. So it is enough to say which instruction of
the large program each of the small one comes from, thread by thread in their order, and to see that one map of
locations and one of values, in which 0 stays 0, explain all of them. What lies between may be thousands of programs;
the ways to embed one thread into another are few, and are remembered.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.normal import program_of_id
from synth_checker.program import MAX_VALUES, Kind, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Of a renaming's bits, how many names something may get.
_ROW = (1 << MAX_VALUES) - 1
_LOCATION, _VALUE = range(2)


class _Renaming(NamedTuple):
    """Which locations and values of the large program become which of the small one.

    Two bit masks over the same choices (what is renamed, its old name, its new name): those that are made, and those
    that are thereby impossible, since nothing becomes two things.
    """

    made: int
    impossible: int

    def with_(self, other: _Renaming) -> _Renaming | None:
        """Both at once, None if they contradict each other."""
        if self.made & other.impossible:
            return None
        return _Renaming(self.made | other.made, self.impossible | other.impossible)


def is_within(small: str, large: str) -> bool:
    """Whether a program is another one or a sub-program of it; both are in normal form and given by their ids.

    Stores compare with 0.

    Raises:
        InputError: an id can't be read.
    """
    return _threads_fit(tuple(small.split("-")), tuple(large.split("-")), _start())


def _threads_fit(small: tuple[str, ...], large: tuple[str, ...], renaming: _Renaming) -> bool:
    """Whether the first thread fits into some thread, and the others behind that."""
    if not small:
        return True
    return any(
        _threads_fit(small[1:], large[place + 1 :], both)
        for place in range(len(large) - len(small) + 1)
        for way in _ways(small[0], large[place])
        if (both := renaming.with_(way))
    )


@functools.lru_cache(maxsize=1 << 18)
def _ways(small: str, large: str) -> tuple[_Renaming, ...]:
    """The renamings under which one thread, given by its part of an id, fits into another."""
    less, more = _thread(small), _thread(large)
    choices = itertools.combinations(range(len(more)), len(less))
    return tuple(dict.fromkeys(way for places in choices if (way := _way(less, more, places))))


@functools.lru_cache(maxsize=1 << 16)
def _thread(text: str) -> Thread:
    (thread,) = program_of_id(text)
    return thread


def _way(small: Thread, large: Thread, places: tuple[int, ...]) -> _Renaming | None:
    """The renaming, if there is one, that makes the instructions at some places a thread."""
    way: _Renaming | None = _start()
    for pc, place in enumerate(places):
        target = sum(kept < large[place].target for kept in places)  # to what followed, where its own target is gone
        if small.kind(pc).is_branch and (target == pc + 1 or target != small[pc].target):
            return None
        for old, new, what in _names(small, pc, large, place):
            if old is None or new is None:
                return None
            way = way and way.with_(_renamed(what, old, new))
    return way


def _names(small: Thread, pc: int, large: Thread, place: int) -> Iterator[tuple[int | None, int | None, int]]:
    """What an instruction names in the large thread and in the small one: of the names that are left, each pair."""
    old, new, kind = large[place], small[pc], small.kind(pc)
    yield old.loc, new.loc, _LOCATION
    if kind.is_branch:
        yield old.check, new.check, _VALUE
    if kind is not Kind.CHECK_BRANCH:
        yield old.exch, new.exch, _VALUE


def _start() -> _Renaming:
    """Memory starts with 0, in both programs."""
    return _renamed(_VALUE, 0, 0)


@functools.cache
def _renamed(what: int, old: int, new: int) -> _Renaming:
    row = (what * MAX_VALUES + old) * MAX_VALUES
    return _Renaming(1 << row + new, (_ROW & ~(1 << new)) << row)
