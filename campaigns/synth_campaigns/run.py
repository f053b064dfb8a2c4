"""Launch what is left of a campaign: cell by cell, attempt by attempt, until each cell has the launches that it needs.

    counts of a cell  ->  request (how many launches, which time-out)  ->  attempt  ->  launches in the store

Only the store decides what is left. So a campaign goes on where a killed run has ended. The attempt of the killed run
does not count: the next run kills its processes and makes its launches again.
"""

from __future__ import annotations

import contextlib
import functools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_campaigns.busy_processes import BusyProcesses
from synth_campaigns.claims import passed_verdicts
from synth_campaigns.folder import PROGRAMS
from synth_campaigns.presence import DevicePresence
from synth_campaigns.programs import Programs
from synth_campaigns.queries import COUNTED, CellCounts
from synth_campaigns.results import all_results_of
from synth_campaigns.time_evidence import control_cell, next_cell, with_time_evidence
from synth_campaigns.time_limits import TimeLimits
from synth_campaigns.watcher import StoppedError
from synth_checker.child import kill_marked, marking
from synth_checker.errors import InputError, ResourceError
from synth_devices.compilation import interruptible_compilers
from synth_devices.device import MOST_LAUNCHES, Request
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.cells import Cell
    from synth_campaigns.programs import SettingPrograms
    from synth_campaigns.settings import Settings
    from synth_campaigns.store import Store
    from synth_campaigns.watcher import Watcher
    from synth_devices.attempt import AttemptResult

_NONE = CellCounts({}, 0, 0, 0)


@dataclass
class CampaignRun:
    """A run of a campaign.

    - `ordered` puts the numbers of cells into the order in which they are run. It may choose each cell after the one
      before it was run.
    - `stopped` says whether the watcher ended the run before its end.
    """

    folder: Path
    settings: Settings
    store: Store
    watcher: Watcher
    ordered: Callable[[Sequence[int]], Iterable[int]] = iter
    stopped: bool = False
    _presence: DevicePresence = field(init=False)
    _waiting: TimeLimits = field(init=False)
    _programs: Programs = field(init=False)
    _cells: int = 0
    _done: int = 0
    _hung: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._presence = DevicePresence(self.folder, self.settings, self.store, self.watcher)

    @property
    def aside(self) -> dict[str, str]:
        """The devices that the run has set aside, each with the reason. It launches nothing more on these."""
        return self._presence.aside

    def go(self) -> None:
        """Launch what is left.

        Raises:
            InputError: several devices fit one name, or a device refuses a setting.
            ResourceError: writing results failed. Or nothing can kill the processes of a device, and the settings say
                that the campaign stops then.
        """
        self._recover()
        refusals = as_user_errors(self.folder / PROGRAMS)  # such as of a full disk
        with marking(self._mark), interruptible_compilers(self.watcher), refusals:
            try:
                self._go()
            except StoppedError:
                self.stopped = True

    def _recover(self) -> None:
        """Kill the processes that a killed run has left behind, and mark its attempts as orphaned."""
        kill_marked(self._mark)
        if orphans := self.store.orphan():
            self.store.note_event("resumed", f"{orphans} attempts had begun but not ended; they do not count")

    def _go(self) -> None:
        cells, counts = self.store.cells(), self.store.counts()
        passes = passed_verdicts({cell.test for cell in cells})
        results: dict[int, CellResult] = {}
        for device in dict.fromkeys(cell.device for cell in cells):
            results |= self._results(device)
        self._waiting = TimeLimits(self.store, self.settings.launches, results.values(), passes)
        self._programs = Programs(self.folder, self.store, cells, self.settings.policy.preparation_s)
        declared = {number: cell for number, cell in enumerate(cells, 1) if not cell.purpose}
        self._hung = {number for number, cell_result in results.items() if cell_result.hung and number in declared}
        todo = [
            number
            for number, cell in declared.items()
            if self._left(cell, counts.get(number, _NONE)) or self._wants_more(results[number], results)
        ]
        self._cells, self._done = len(declared), len(declared) - len(todo)
        self._presence.check(cells[number - 1] for number in todo)
        self._tell()
        with contextlib.ExitStack() as stack:
            stack.callback(self._programs.close)
            busy = stack.enter_context(BusyProcesses(self._mark))
            for number in self.ordered(todo):
                cell = cells[number - 1]
                busy.become(cell.busy)
                self._run_cell(number, cell, counts.get(number, _NONE))
                self._confirm(number, cell)
                self._done += 1
                self._tell()

    def _tell(self, running: Cell | None = None) -> None:
        self.watcher.tell(self._done, self._cells, len(self._hung), running)

    def _run_cell(self, number: int, cell: Cell, counts: CellCounts) -> None:
        """Launch the test of a cell until nothing is left."""
        while cell.device not in self.aside and (remaining := self._left(cell, counts)):
            if self.watcher.must_stop():
                raise StoppedError
            self._tell(cell)
            attempted = self._attempt(number, cell, remaining, counts)
            if attempted is None:
                break
            counts = self._counts(number)

    def _confirm(self, number: int, cell: Cell) -> None:
        """Make the launches that tell whether the hangs of a cell count, if they would be the first against a verdict.

        A hang that came directly after another one needs a launch that did not. A hang of which only time tells needs
        the cells that `time_evidence` asks for.
        """
        if number not in self._hung or not self._waiting.is_first(cell):
            return
        tries = 0
        while cell.device not in self.aside:
            results = self._results(cell.device)
            result = results[number]
            self._waiting.note_result(result)
            if not self._wants_more(result, results):
                return
            further = next_cell(result, list(results.values()))
            if further is not None:
                if not self._run_beside(further):
                    return
            else:
                tries += 1
                if tries > self.settings.policy.tries or not self._settle(cell):
                    return
                self._attempt(number, cell, max(1, cell.declared - result.counted), self._counts(number))

    def _wants_more(self, result: CellResult, results: Mapping[int, CellResult]) -> bool:
        """Return whether more launches may show that the hangs of a cell count.

        If it hung only directly after launches that were given up, these are the launches that it still lacks.
        """
        if not self._waiting.is_open(result):
            return False
        if not result.alone:
            return result.counted < result.cell.declared or not result.outcomes.get("ended")
        return next_cell(result, list(results.values())) is not None

    def _run_beside(self, cell: Cell) -> bool:
        """Launch a cell that the campaign does not declare until it hangs or has its launches.

        Return whether this was possible: a device may refuse so many instances.
        """
        number = self._number(cell)
        try:
            self._settle(cell)
            self._run_cell(number, cell, self._counts(number))
        except InputError as error:
            self.store.note_event("not confirmed", f"device {cell.device}: {error}")
            return False
        return bool(self._counts(number).attempts)

    def _settle(self, cell: Cell) -> bool:
        """Launch something that ends if the last launch did not. Return whether the last one has ended now.

        This is the test without its waiting. If the device does not run it, this is another cell of the same setting
        that always ended.
        """
        if not self.store.has_ended_badly():
            return True
        number = self._number(control_cell(cell))
        self._attempt(number, control_cell(cell), 1, self._counts(number))
        if not self.store.has_ended_badly():
            return True
        results = self._results(cell.device).values()
        alike = (result for result in results if result.cell.setting == cell.setting and result.cell.test != cell.test)
        ended = (result for result in alike if result.counted and not result.hung and not result.went_wrong)
        best = max(ended, key=lambda result: result.counted, default=None)
        if best is None:
            return False
        self._attempt(best.number, best.cell, 1, self._counts(best.number))
        return not self.store.has_ended_badly()

    def _number(self, cell: Cell) -> int:
        """Return the number of a cell, which is added if it is not there."""
        numbers = {key: number for number, key in enumerate(self.store.cells(), 1)}
        return numbers.get(cell) or self.store.add_cell(cell)

    def _counts(self, number: int) -> CellCounts:
        return self.store.counts(number).get(number, _NONE)

    def _results(self, device: str) -> dict[int, CellResult]:
        """Return the results of all cells of a device by number, also of those that the campaign does not declare."""
        return {
            result.number: result
            for result in with_time_evidence(all_results_of(self.store, self.settings.launches, device))
        }

    def _left(self, cell: Cell, counts: CellCounts) -> int:
        """Return how many launches a cell still needs.

        It needs none if too many attempts in a row had no launch that counts, or if a launch left early.
        """
        if counts.fruitless >= self.settings.policy.tries or counts.ends.get("left early"):
            return 0
        remaining = cell.declared - counts.counted
        if counts.ends.get("given up"):
            after = 0 if cell.purpose else self.settings.launches.after_first_hang
            remaining = min(remaining, after - counts.after_hang)
        return max(0, remaining)

    def _attempt(self, number: int, cell: Cell, remaining: int, counts: CellCounts) -> AttemptResult | None:
        """Make one attempt, and store its launches. Return None if its device is set aside, so that they do not count.

        Raises:
            StoppedError: the watcher has ended the run.
        """
        store = self.store
        place = self._place(cell)
        if place is None:
            return None
        timeout, follows_bad = self._waiting.timeout(cell), store.has_ended_badly()
        request = Request(cell.test, min(remaining, MOST_LAUNCHES), timeout, counts.counted)
        attempt = store.begin(number, place.number, timeout, _load())
        try:
            attempted = place.session.attempt(request, f"{self._mark}{attempt};", self.watcher)
        except ResourceError as error:  # its program cannot be started
            store.orphan()
            self._presence.set_aside(cell.device, str(error))
            return None
        except BaseException:
            with contextlib.suppress(ResourceError):
                store.orphan()
            raise
        if attempted is None:
            store.orphan()
            raise StoppedError
        if attempted.line and (why := self._presence.stranger(cell, attempted.line)) is not None:
            store.refuse(attempt, attempted, _load(), why)
            self._presence.set_aside(cell.device, why)
            return None
        place.process = attempt if attempted.is_first else place.process
        store.finish(attempt, place.process, attempted, _load())
        if self._waiting.note(cell, timeout, attempted.launches, follows_bad=follows_bad):
            self._hung.add(number)
        if not attempted.is_gone:
            self._wedged(cell, attempt)
        elif _may_be_gone(attempted):
            self._presence.look_again(cell)
        return attempted

    def _place(self, cell: Cell) -> SettingPrograms | None:
        """Return the programs for a cell. If making them fails, set the device aside and return None."""
        try:
            return self._programs.of(cell, self._presence.device(cell))
        except ResourceError as error:
            if self.watcher.must_stop():  # it ends a compiler, too
                raise StoppedError from error
            self._presence.set_aside(cell.device, str(error))
            return None

    def _wedged(self, cell: Cell, attempt: int) -> None:
        why = "its processes cannot be killed; restart the machine, or wait until they are gone"
        self.store.note_event("wedged", why, attempt)
        self._presence.set_aside(cell.device, why)
        if self.settings.policy.wedged == "stop":
            raise ResourceError(f"device {cell.device}: {why}")

    @functools.cached_property
    def _mark(self) -> str:
        """The beginning of the marks of all processes of the campaign."""
        return f"{self.store.meta('campaign')}:"


def _may_be_gone(attempted: AttemptResult) -> bool:
    """Whether the device may not be there any more: no launch says something about the scheduler, or the canary failed.

    A launch that left early says that the device works, but wrongly.
    """
    is_told = any(launch.end in {*COUNTED, "left early"} for launch in attempted.launches)
    return not is_told or (attempted.canary is not None and attempted.canary["result"] != "terminated")


def _load() -> float:
    return round(os.getloadavg()[0], 2)
