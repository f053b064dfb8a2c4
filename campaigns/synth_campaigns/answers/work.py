"""Run a campaign until nothing is left, or until there is a reason to stop."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_campaigns.answers.request import prepare
from synth_campaigns.folder import is_campaign, lock_campaign, open_store
from synth_campaigns.run import CampaignRun
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_campaigns.answers.request import CampaignRequest
    from synth_campaigns.cells import Cell
    from synth_campaigns.store import Store
    from synth_workers.stop import Stop


@dataclass(frozen=True, slots=True)
class _Watcher:
    stop: Stop
    progress: Callable[[int, int, int, str], None]

    def tell(self, done: int, cells: int, hung: int, running: Cell | None = None) -> None:
        self.progress(done, cells, hung, f"{running.test} under {running.setting.mapping}" if running else "")

    def must_stop(self) -> bool:
        return self.stop.look() is not None

    def fileno(self) -> int:
        return self.stop.fileno()


def work_on(
    request: CampaignRequest,
    stop: Stop,
    progress: Callable[[int, int, int, str], None],
    informative: Callable[[Store, float], Callable[[Sequence[int]], Iterator[int]]],
) -> dict[str, str]:
    """Launch what is left of a campaign. Return the devices that the run has set aside, each with the reason.

    `progress` gets three numbers: finished cells, all cells, and cells that gave up a launch. It also gets words for
    the cell that runs now, or an empty text. `informative` makes the order of this name, from the results so far and
    the time-out of a launch in seconds. If the folder of the campaign is new, and a device refuses what is asked for
    before the first launch, no folder stays.

    Raises:
        InputError: the folder holds something else, another process runs the campaign, or a device refuses a setting.
        ResourceError: writing results failed, or nothing can kill the processes of a device and the policy is `stop`.
    """
    folder, is_new = request.folder, not is_campaign(request.folder)
    settings = prepare(request)
    with lock_campaign(folder), open_store(folder) as store:
        run = CampaignRun(folder.resolve(), settings, store, _Watcher(stop, progress))
        if settings.order == "informative":
            run.ordered = informative(store, settings.launches.timeout_s)
        try:
            run.go()
        except InputError:
            if is_new and not store.counts():
                shutil.rmtree(folder)
            raise
    return run.aside
