"""Shapes: which location each instruction uses, and which shapes the rest follow from.

A shape is a tuple of locations per thread, named by first use as in normal form. The rules don't tell threads apart, so
permuting the threads of all tests of a shape gives all tests of another. Of such an orbit one shape is searched, and
each of its tests is written once for every shape of the orbit. Two permutations that lead to the same shape differ by
one that keeps it, under which the tests of the shape only change places, so one of the two is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound

Shape: TypeAlias = tuple[tuple[int, ...], ...]
Order: TypeAlias = tuple[int, ...]
"""Which thread stands at each place."""


def orbits(bound: Bound, locations: int, *, shared: bool) -> Iterator[dict[Shape, Order]]:
    """The shapes of a bound, an orbit at a time: each shape with an order that makes it of the first.

    With `shared`, which `inter-thread-influence` asks for, every location is used in two threads.
    """
    seen: set[Shape] = set()
    for sizes in bound.splits():
        if list(sizes) != sorted(sizes, reverse=True):
            continue  # the permutations of another split
        for shape in _shapes_of(sizes, locations):
            if shape in seen or (shared and not _is_shared(shape)):
                continue
            orbit = images(shape)
            seen.update(orbit)
            yield orbit


def images(shape: Shape) -> dict[Shape, Order]:
    """All shapes that permuting threads makes of one, each with one order that does; the shape itself first."""
    found: dict[Shape, Order] = {}
    for order in _orders(shape, ()):
        found.setdefault(named_by_first_use([shape[k] for k in order]), order)
    return found


def named_by_first_use(threads: list[tuple[int, ...]]) -> Shape:
    """The shape of threads: renames their locations to 0, 1, ... in the order of their first use."""
    names: dict[int, int] = {}
    return tuple(tuple(names.setdefault(loc, len(names)) for loc in thread) for thread in threads)


def _orders(shape: Shape, placed: Order) -> Iterator[Order]:
    """The orders of the threads, of threads with the same locations only that in which they rise."""
    if len(placed) == len(shape):
        yield placed
        return
    tried: set[tuple[int, ...]] = set()
    for thread, locs in enumerate(shape):
        if thread not in placed and locs not in tried:
            tried.add(locs)
            yield from _orders(shape, (*placed, thread))


def _shapes_of(sizes: tuple[int, ...], locations: int) -> Iterator[Shape]:
    """Every way to name at most so many locations by first use."""
    total = sum(sizes)

    def words(prefix: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == total:
            yield prefix
            return
        for loc in range(min(used + 1, locations)):
            yield from words((*prefix, loc), max(used, loc + 1))

    for word in words((), 0):
        shape, at = [], 0
        for size in sizes:
            shape.append(word[at : at + size])
            at += size
        yield tuple(shape)


def _is_shared(shape: Shape) -> bool:
    users: dict[int, int] = {}
    for thread in shape:
        for loc in set(thread):
            users[loc] = users.get(loc, 0) + 1
    return all(count > 1 for count in users.values())
