"""A launch: how many threads a group has and how many groups there are, in up to three dimensions."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import check_number
from synth_kernels.program import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

#: Sizes and global ids stay below this.
TOO_LARGE = 1 << 31
#: A group of a device has at most so many threads.
MOST_IN_GROUP = 1024
Thread: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Launch:
    """The local size and the number of groups, each in one to three dimensions. None stands for any positive number.

    `offset` is what is added to global ids; there None stands for any number. `scalars` are the values of some scalars.
    With a `warp`, so many threads of a group, by their linear local ids, run in lockstep (`pair.lockstep`).
    If `waits_fence`, waiting for asynchronous copies orders them before what the group does next, as a barrier would.
    """

    local: tuple[int | None, ...] = (None,)
    groups: tuple[int | None, ...] = (None,)
    offset: tuple[int | None, ...] = (0,)
    scalars: tuple[tuple[str, int], ...] = ()
    warp: int = 0
    waits_fence: bool = False

    def __post_init__(self) -> None:
        check_number("threads of a warp", self.warp, 0, TOO_LARGE - 1)
        for what, sizes in (("local size", self.local), ("number of groups", self.groups)):
            check_number(f"dimensions of the {what}", len(sizes), 1, DIMENSIONS)
            for size in sizes:
                if size is not None:
                    check_number(what, size, 1, TOO_LARGE - 1)
        check_number("dimensions of the global offset", len(self.offset), 1, DIMENSIONS)
        for offset in self.offset:
            if offset is not None:
                check_number("global offset", offset, 0, TOO_LARGE - 1)

    def sizes(self) -> dict[str, int | None]:
        """Return the sizes by the names that programs have for them; the dimensions that are not given have size 1."""
        return {
            f"{word}.{number}": sizes[number] if number < len(sizes) else other
            for word, sizes, other in (("lsize", self.local, 1), ("groups", self.groups, 1), ("offset", self.offset, 0))
            for number in range(DIMENSIONS)
        }


def threads(sizes: dict[str, int]) -> Iterator[Thread]:
    """Yield all threads of a launch with these sizes, each as its group id and its local id."""
    groups, locals_ = (
        [range(sizes[f"{word}.{number}"]) for number in reversed(range(DIMENSIONS))] for word in ("groups", "lsize")
    )
    for group in itertools.product(*groups):
        for local in itertools.product(*locals_):
            yield group[::-1], local[::-1]


def members(groups: Iterable[tuple[int, ...]], sizes: dict[str, int]) -> Iterator[Thread]:
    """Yield all threads of some groups."""
    for group in groups:
        for local in itertools.product(*(range(sizes[f"lsize.{number}"]) for number in reversed(range(DIMENSIONS)))):
            yield group, local[::-1]


def warp_of(thread: Thread, sizes: Mapping[str, int], warp: int) -> tuple[tuple[int, ...], int]:
    """Return the group of a thread, and the number of its warp there."""
    group, local = thread
    linear = 0
    for number in reversed(range(DIMENSIONS)):
        linear = linear * sizes[f"lsize.{number}"] + local[number]
    return group, linear // warp


def words_of(thread: Thread, sizes: dict[str, int]) -> dict[str, int]:
    """Return the values that a thread has from the start, by their names."""
    ids = {
        f"{word}.{number}": id_
        for word, numbers in zip(("gid", "lid"), thread, strict=True)
        for number, id_ in enumerate(numbers)
    }
    return ids | {f"offset.{number}": 0 for number in range(DIMENSIONS)} | sizes


def used_dimensions(ids: Sequence[int], empty: int = 1) -> list[int]:
    """Leave out the last dimensions, as far as they are not used."""
    used = list(ids)
    while len(used) > 1 and used[-1] == empty:
        used.pop()
    return used
