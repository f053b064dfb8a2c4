"""The line that says how to look at more threads, where an answer holds only up to a number of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.models.automaton import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable


def look_further(threads: int, again: Callable[[int], str]) -> str:
    """Return a line for an answer that holds for up to `threads` threads.

    `again` returns the command that looks at a number of threads.
    """
    if threads >= MAX_THREADS:
        return f"More threads are unknown: models have no tables for more than {MAX_THREADS}."
    return f"More threads are unknown. To look at {threads + 1}: {again(threads + 1)}"
