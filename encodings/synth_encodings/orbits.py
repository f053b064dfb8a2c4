"""Permutations of threads: make the tests of the split 1+2 from those of the split 2+1, and so on.

The rules treat all threads alike. So if one permutes the threads of a test, the result is a test. Several splits of a
bound may have the same sizes in different orders. Of these, a solver searches only the split with the largest thread
first. Each of its tests gives one test of each of the other splits.

Normal form keeps the order of threads. So the search already finds tests that differ only in the order of threads of
equal size.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_checker._native import normalise
from synth_checker.programs.id_layout import joined_threads, threads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def falling_splits(splits: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return those splits whose sizes never rise from one thread to the next. These are the splits to solve."""
    return [sizes for sizes in splits if list(sizes) == sorted(sizes, reverse=True)]


@functools.cache
def arrangements(sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return, for every split with these sizes in some order, one permutation of the threads that leads to it.

    A permutation says which of the threads stands at each place.

    Threads of equal size keep their order, so that each test of each split arises exactly once.
    """
    if not sizes:
        return ((),)

    def place(remaining: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        if not remaining:
            yield ()
        for k, thread in enumerate(remaining):
            if all(sizes[earlier] != sizes[thread] for earlier in remaining[:k]):
                for rest in place(remaining[:k] + remaining[k + 1 :]):
                    yield (thread, *rest)

    return tuple(place(tuple(range(len(sizes)))))


def expand_arrangements(ids: Sequence[str], sizes: tuple[int, ...], *, keep_store_checks: bool) -> list[str]:
    """Return the tests of all arrangements of a split: its own tests `ids`, and their permutations in normal form."""
    permuted = []
    for order in arrangements(sizes):
        if order == tuple(range(len(sizes))):
            continue
        for id_ in ids:
            threads = threads_of(id_)
            permuted.append(joined_threads([threads[k] for k in order]))
    return [*ids, *normalise(permuted, keep_store_checks)]
