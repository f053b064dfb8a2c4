"""Shapes of programs: a shape says which memory location each instruction uses, and nothing else.

A shape is a tuple of locations for each thread, named by first use as in normal form. The rules treat all threads
alike. So permuting the threads of all tests of one shape gives all tests of another shape. The shapes that permutations
turn into each other form an orbit. An enumeration searches only one shape of each orbit, and writes each test that it
finds once for every shape of the orbit. Two permutations may lead to the same shape. They then give the same set of
tests, so one of the two is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound

Shape: TypeAlias = tuple[tuple[int, ...], ...]
Order: TypeAlias = tuple[int, ...]
"""An order of threads: for each place, the number of the thread that stands there."""


def orbits(bound: Bound, locations: int, *, shared: bool) -> Iterator[dict[Shape, Order]]:
    """Yield the orbits of all shapes of a bound. An orbit is a dict from each shape to an order of the threads.

    With its threads in this order, the first shape of the orbit becomes this shape. With `shared`, only shapes are
    yielded in which at least two threads use each location; the rule `inter-thread-influence` requires this of a test.
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
    """Return all shapes that permuting the threads of a shape gives, each with one order that gives it.

    The shape itself comes first.
    """
    orders: dict[Shape, Order] = {}
    for order in _orders(shape, ()):
        orders.setdefault(named_by_first_use([shape[k] for k in order]), order)
    return orders


def named_by_first_use(threads: list[tuple[int, ...]]) -> Shape:
    """Return the shape of the given threads: their locations are renamed to 0, 1, and so on by first use."""
    names: dict[int, int] = {}
    return tuple(tuple(names.setdefault(loc, len(names)) for loc in thread) for thread in threads)


def _orders(shape: Shape, placed: Order) -> Iterator[Order]:
    """Yield the orders of the threads. Threads with equal locations keep their order among themselves."""
    if len(placed) == len(shape):
        yield placed
        return
    tried: set[tuple[int, ...]] = set()
    for thread, locs in enumerate(shape):
        if thread not in placed and locs not in tried:
            tried.add(locs)
            yield from _orders(shape, (*placed, thread))


def _shapes_of(sizes: tuple[int, ...], locations: int) -> Iterator[Shape]:
    """Yield every shape with these sizes of threads and at most so many locations."""
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
