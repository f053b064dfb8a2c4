"""Work on many programs, chunk by chunk: in threads where the core works without the interpreter's lock.

Between two chunks Python sees what has happened meanwhile, a signal for instance.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

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
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(jobs)
    ahead: deque[Future[_T]] = deque()
    try:
        for one in ranges:
            ahead.append(pool.submit(work, *one))
            if len(ahead) > _AHEAD * jobs:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
