"""Who watches a run of a campaign: gets reports from it, and may end it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from synth_campaigns.cells import Cell


class StoppedError(Exception):
    """The watcher has ended the run."""


class Watcher(Protocol):
    """Gets reports from a run, and may end the run."""

    def tell(self, done: int, cells: int, hung: int, running: Cell | None = None) -> None:
        """Take a report: the run is through with `done` of all `cells`.

        In `hung` of all cells, a program gave up a launch. The run is through with a cell that has nothing left to
        launch, or whose device it has set aside. `running` is the cell of the attempt that begins now, or None between
        two cells.
        """

    def must_stop(self) -> bool:
        """Return whether the run ends now, even within an attempt."""
        ...

    def fileno(self) -> int:
        """Return a file that becomes readable when the run must end at once."""
        ...
