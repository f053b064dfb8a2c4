"""A plain loop over all programs in normal form, compiled for the benchmarks (`plain_search.cpp`).

Its time says how fast a machine is. So a time divided by it can be compared between machines.
"""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What the loop takes at 2x5 on the machine for which the goals in seconds were set. There, a minute is 9.8 loops.
GOAL_MACHINE_S = 6.1
_SOURCE = Path(__file__).with_name("plain_search.cpp")


class PlainLoop:
    """The loop, compiled into a folder."""

    def __init__(self, folder: Path) -> None:
        self._program = folder / "plain"
        subprocess.run(["g++", "-O2", "-std=c++20", "-o", self._program, _SOURCE], check=True)  # noqa: S603, S607

    def count(self, bound: str) -> tuple[float, int]:
        """Count the tests of a bound: processor seconds, and the number."""
        spent, printed = timed_command([str(self._program), *bound.split("x")])
        return spent, int(printed.split()[1])


def timed_command(words: Sequence[str]) -> tuple[float, str]:
    """Processor seconds that a command and its processes take, and what it prints."""
    start = _of_children()
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout  # noqa: S603
    return _of_children() - start, printed


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
