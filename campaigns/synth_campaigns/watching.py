"""Who watches a run of a campaign: gets reports from it, and may end it."""

from __future__ import annotations

from typing import Protocol


class StoppedError(Exception):
    """The watcher has ended the run."""


class Watcher(Protocol):
    """Gets reports from a run, and may end the run."""

    def tell(self, done: int, cells: int, hung: int) -> None:
        """Take a report: the run is through with `done` of all `cells`.

        In `hung` of all cells, a program gave up a launch. The run is through with a cell that has nothing left to
        launch, or whose device it has set aside.
        """

    def must_stop(self) -> bool:
        """Return whether the run ends before the next attempt."""
        ...

    def fileno(self) -> int:
        """Return a file that becomes readable when the run must end at once, even within an attempt."""
        ...
