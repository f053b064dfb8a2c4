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
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.normal import program_of_id
from synth_checker.program import Kind, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.program import Instruction

#: Of locations and of values, which name of the large program becomes which of the small one.
_Renaming: TypeAlias = frozenset[tuple[str, int, int]]
_START: _Renaming = frozenset({("value", 0, 0)})


def is_within(small: str, large: str) -> bool:
    """Whether a program is another one or a sub-program of it; both are in normal form and given by their ids.

    Stores compare with 0.

    Raises:
        InputError: an id can't be read.
    """
    return _threads_fit(tuple(small.split("-")), tuple(large.split("-")), _START)


def _threads_fit(small: tuple[str, ...], large: tuple[str, ...], renaming: _Renaming) -> bool:
    """Whether the first thread fits into some thread, and the others behind that."""
    if not small:
        return True
    return any(
        _threads_fit(small[1:], large[place + 1 :], both)
        for place in range(len(large) - len(small) + 1)
        for way in _ways(small[0], large[place])
        if _is_map(both := renaming | way)
    )


@functools.lru_cache(maxsize=1 << 16)
def _ways(small: str, large: str) -> tuple[_Renaming, ...]:
    """The renamings under which one thread, given by its part of an id, fits into another."""
    (less,), (more,) = program_of_id(small), program_of_id(large)
    found = {
        way: None
        for places in itertools.combinations(range(len(more)), len(less))
        for way in _explained(less, more, places)
    }
    return tuple(found)


def _explained(small: Thread, large: Thread, places: tuple[int, ...]) -> Iterator[_Renaming]:
    """The renaming, if there is one, that makes the instructions at some places a thread."""
    renaming = _START
    for pc, place in enumerate(places):
        instruction = large[place]
        target = sum(kept < instruction.target for kept in places)  # to what followed, where its own target is gone
        found = _renamed(small, pc, instruction, is_branch=target != pc + 1)
        if found is None or (small.kind(pc).is_branch and small[pc].target != target):
            return
        renaming |= found
    if _is_map(renaming):
        yield renaming


def _renamed(small: Thread, pc: int, old: Instruction, *, is_branch: bool) -> _Renaming | None:
    """What becomes what where an instruction has come from an old one, which is a branch still or no more."""
    new, kind = small[pc], small.kind(pc)
    if kind.is_branch and not is_branch:
        return None
    pairs = {("location", old.loc, new.loc)}
    if kind.is_branch:
        pairs.add(("value", old.check, new.check))
    if kind is not Kind.CHECK_BRANCH:
        if old.exch is None or new.exch is None:
            return None
        pairs.add(("value", old.exch, new.exch))
    return frozenset(pairs)


def _is_map(renaming: _Renaming) -> bool:
    """Whether nothing becomes two things."""
    return len({(what, old) for what, old, _ in renaming}) == len(renaming)
