"""Divide work on many programs into chunks, and work on the chunks in several operating-system threads.

The threads run at the same time, because the C++ core works without the lock of the Python interpreter. Between two
chunks Python can react to what has happened meanwhile, for instance to a signal.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from synth_checker.os_threads import run_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")
#: The number of programs in a chunk. A chunk takes some milliseconds of work.
CHUNK = 1 << 13
#: The number of chunks for each thread that are in progress, or are finished and not yet taken.
_AHEAD = 2


def in_chunks(work: Callable[[int, int], _T], size: int, jobs: int = 1, chunk: int | None = None) -> Iterator[_T]:
    """Divide the numbers below `size` into chunks, and yield `work(first, last)` for each chunk, in order.

    A chunk is the range of numbers from `first` up to, but without, `last`. It has `chunk` numbers, or `CHUNK`, and the
    last one may have fewer. `jobs` is the number of operating-system threads; the chunks and their order do not depend
    on it. Only a few results are computed before the caller takes them, so the memory in use does not grow with `size`.
    An exception that `work` raises reaches the caller.
    """
    chunk = chunk or CHUNK
    ranges = ((first, min(first + chunk, size)) for first in range(0, size, chunk))
    if jobs == 1 or size <= chunk:
        yield from (work(*range_) for range_ in ranges)
        return
    yield from run_in_order((partial(work, *range_) for range_ in ranges), jobs, _AHEAD * jobs)
