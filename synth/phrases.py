"""Numbers, threads and sets of threads as phrases of a sentence. Sets are bit masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def threads_in(mask: int) -> list[int]:
    """The ids of the threads in a set, rising."""
    return [thread for thread in range(mask.bit_length()) if mask >> thread & 1]


def written_set(mask: int) -> str:
    """A set of threads, as `{0,2}`."""
    return f"{{{','.join(map(str, threads_in(mask)))}}}"


def count(number: int, what: str) -> str:
    """So many of something."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def named(threads: Iterable[int]) -> str:
    """Threads by their ids, at least one: `thread 0`, or `threads 0, 1 and 2`."""
    *others, last = map(str, sorted(threads))
    return f"threads {', '.join(others)} and {last}" if others else f"thread {last}"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
