"""Run a campaign until nothing is left, or until there is a reason to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_analysis.ordering import Informative
from synth_campaigns.folder import held, open_store
from synth_campaigns.running import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from synth.work.stopping import Stop
    from synth_campaigns.settings import Settings


@dataclass(frozen=True, slots=True)
class _Watcher:
    stop: Stop
    progress: Callable[[int, int, int], None]

    def tell(self, done: int, cells: int, hung: int) -> None:
        self.progress(done, cells, hung)

    def must_stop(self) -> bool:
        return self.stop.look() is not None

    def fileno(self) -> int:
        return self.stop.fileno()


def work_on(folder: Path, settings: Settings, stop: Stop, progress: Callable[[int, int, int], None]) -> dict[str, str]:
    """Launch what is left of a campaign. Return the devices that the run has set aside, each with the reason.

    `progress` gets three numbers: finished cells, all cells, and cells that gave up a launch.

    Raises:
        InputError: another process runs the campaign.
        ResourceError: writing results failed, or nothing can kill the processes of a device and the policy is `stop`.
    """
    with held(folder), open_store(folder) as store:
        run = Run(folder.resolve(), settings, store, _Watcher(stop, progress))
        if settings.order == "informative":
            run.ordered = Informative(store, settings.launches.timeout_s)
        run.go()
    return run.aside
