"""Processes that keep the processors of the host busy while a device runs tests. A cell says how many there are."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

from synth_checker.child import Child

if TYPE_CHECKING:
    from types import TracebackType


class BusyProcesses:
    """A context manager with a number of processes that compute without end. It kills them when it ends."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._children: list[Child] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.become(0)

    def become(self, number: int) -> None:
        """Start or kill processes until there are so many of them."""
        while len(self._children) > number:
            self._children.pop().kill()
        while len(self._children) < number:
            command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
            self._children.append(Child(command, dict(os.environ), f"{self._mark}busy{len(self._children)};"))
