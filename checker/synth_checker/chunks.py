"""Work on many programs, chunk by chunk: in threads where the core works without the interpreter's lock.

Between two chunks Python sees what has happened meanwhile, a signal for instance.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from synth_checker.os_threads import run_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")
#: Programs in a chunk: some milliseconds of work, and some megabytes of records.
CHUNK = 1 << 13
#: Chunks that are worked on or wait to be taken, per thread.
_AHEAD = 2


def in_chunks(work: Callable[[int, int], _T], size: int, jobs: int = 1) -> Iterator[_T]:
    """What `work(first, last)` gives for each chunk [first, last) of `size` places, in their order.

    The chunks and their order don't depend on `jobs`, the number of threads. Only a few are worked on ahead of being
    taken, so memory does not grow with `size`. What `work` raises is raised.
    """
    ranges = ((first, min(first + CHUNK, size)) for first in range(0, size, CHUNK))
    if jobs == 1 or size <= CHUNK:
        yield from (work(*one) for one in ranges)
        return
    yield from run_in_order((partial(work, *one) for one in ranges), jobs, _AHEAD * jobs)
