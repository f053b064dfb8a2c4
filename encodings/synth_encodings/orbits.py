"""Thread permutations: the tests of every split from those of one.

The rules don't tell threads apart, so permuting the threads of a test gives a test. Of the splits of a bound that are
permutations of each other only the one with falling sizes is solved; each of its tests then stands for one test in each
of the others. Thread ids are no symmetry of normal form, so within the solved split all tests are found, whatever the
order of threads of equal size.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_checker._native import normalise
from synth_checker.programs.id_layout import joined, threads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def falling_splits(splits: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The splits to solve: those with falling sizes."""
    return [sizes for sizes in splits if list(sizes) == sorted(sizes, reverse=True)]


@functools.cache
def arrangements(sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For every split with these sizes in some order, one permutation: which of the threads stands at each place.

    Threads of equal size keep their order, so that each test of each split arises exactly once.
    """
    if not sizes:
        return ((),)

    def place(left: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        if not left:
            yield ()
        for k, thread in enumerate(left):
            if all(sizes[earlier] != sizes[thread] for earlier in left[:k]):
                for rest in place(left[:k] + left[k + 1 :]):
                    yield (thread, *rest)

    return tuple(place(tuple(range(len(sizes)))))


def expand_arrangements(ids: Sequence[str], sizes: tuple[int, ...], *, keep_store_checks: bool) -> list[str]:
    """The tests of all arrangements of a split, from its own."""
    permuted = []
    for order in arrangements(sizes):
        if order == tuple(range(len(sizes))):
            continue
        for id_ in ids:
            threads = threads_of(id_)
            permuted.append(joined([threads[k] for k in order]))
    return [*ids, *normalise(permuted, keep_store_checks)]
