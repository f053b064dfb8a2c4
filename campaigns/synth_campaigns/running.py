"""Launch what is left of a campaign: cell by cell, attempt by attempt, until each cell has the launches that it needs.

    counts of a cell  ->  request (how many launches, which time-out)  ->  attempt  ->  launches in the store

Only the store decides what is left. So a campaign goes on where a killed run has ended. The attempt of the killed run
does not count: the next run kills its processes and makes its launches again.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import select
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from synth_backends.litmus_test import LitmusTest
from synth_campaigns.busy import Busy
from synth_campaigns.claims import may_be_of_memory, passed_by, told_by
from synth_campaigns.folder import PROGRAMS
from synth_campaigns.outcomes import outcome_of
from synth_campaigns.queries import COUNTED, Counts, StoredLaunch
from synth_campaigns.results import results_of
from synth_checker.child import kill_marked, marking
from synth_checker.errors import ResourceError
from synth_checker.programs.normal import program_of_id
from synth_devices.asking import answer_of, runs_any_test, selecting_environment, unlike
from synth_devices.attempt import Session
from synth_devices.device import MOST_LAUNCHES, Request
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_campaigns.cells import Cell, Setting
    from synth_campaigns.settings import Launches, Settings
    from synth_campaigns.store import Store
    from synth_devices.attempt import Attempted
    from synth_devices.device import Build, Device

#: The time-out of a launch is at least so many times the longest launch that ended on its device under its mapping.
_SLACK = 10.0
#: The same if that would be more than what confirms a hang.
_LEAST_SLACK = 2.0
_NONE = Counts({}, 0, 0, 0)
#: How many seconds a run waits before it asks again whether a device is there.
_PAUSES_S = (1.0, 2.0, 4.0)
#: How many programs that serve may run at once.
_MOST_SESSIONS = 4


class Watcher(Protocol):
    """Gets reports from a run, and may end the run."""

    def tell(self, done: int, cells: int, hung: int) -> None:
        """Take a report: `done` of all cells have nothing left to launch, and `hung` of all cells gave up a launch."""

    def must_stop(self) -> bool:
        """Return whether the run ends before the next attempt."""
        ...

    def fileno(self) -> int:
        """Return a file that becomes readable when the run must end at once, even within an attempt."""
        ...


@dataclass
class _Place:
    """The programs for one setting of a device. `process` is the attempt for which the last process was started."""

    device: Device
    build: Build
    number: int
    session: Session
    process: int = 0


@dataclass
class Run:
    """A run of a campaign.

    - `ordered` puts the numbers of cells into the order in which they are run. It may choose each cell after the one
      before it was run.
    - `aside` has the devices that the run has set aside, each with the reason. It launches nothing more on these.
    - `stopped` says whether the watcher ended the run before its end.
    """

    folder: Path
    settings: Settings
    store: Store
    watcher: Watcher
    ordered: Callable[[Sequence[int]], Iterable[int]] = iter
    aside: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    _places: dict[tuple[str, Setting], _Place] = field(default_factory=dict)
    _devices: dict[str, Device] = field(default_factory=dict)
    _violated: dict[str, set[str]] = field(default_factory=dict)
    _longest: dict[tuple[str, str], float] = field(default_factory=dict)
    _cells: list[Cell] = field(default_factory=list)

    def go(self) -> None:
        """Launch what is left.

        Raises:
            ResourceError: writing results failed. Or nothing can kill the processes of a device, and the settings say
                that the campaign stops then.
        """
        self._recover()
        with marking(self._mark), as_user_errors(self.folder / PROGRAMS):  # a full disk
            self._go()

    def _go(self) -> None:
        cells = self._cells = self.store.cells()
        self._longest = self.store.longest()
        counts = self.store.counts()
        passes = passed_by({cell.test for cell in cells})
        todo = [number for number, cell in enumerate(cells, 1) if self._left(cell, counts.get(number, _NONE))]
        hung = sum(one.ends.get("given up", 0) > 0 for one in counts.values())
        self._note_violations(passes)
        self._check_devices([cells[number - 1] for number in todo])
        if self.stopped:
            return
        self.watcher.tell(len(cells) - len(todo), len(cells), hung)
        with contextlib.ExitStack() as stack:
            stack.callback(self._close_all)
            busy = stack.enter_context(Busy(self._mark))
            for place, number in enumerate(self.ordered(todo), 1):
                cell = cells[number - 1]
                busy.become(cell.busy)
                hung += self._run_cell(number, cell, counts.get(number, _NONE), told_by(cell, passes[cell.test]))
                if self.stopped:
                    return
                self.watcher.tell(len(cells) - len(todo) + place, len(cells), hung)

    def _check_devices(self, todo: Sequence[Cell]) -> None:
        """Set aside each device that is missing or not the expected one, before the first launch that counts.

        Raises:
            InputError: several devices fit one name.
        """
        for name, run in dict.fromkeys((cell.device, cell.run) for cell in todo):
            if name not in self.aside and (why := self._absent(name, run)):
                self._set_aside(name, why)
            if self.stopped:
                return

    def _look_again(self, name: str, run: int) -> None:
        """Set a device aside if it does not come back in some seconds. A driver may need these for a restart."""
        why = self._absent(name, run)
        for pause in _PAUSES_S:
            if not why or self.stopped or self.watcher.must_stop():
                break
            select.select([self.watcher], [], [], pause)
            why = self._absent(name, run)
        if why and not self.stopped:
            self._set_aside(name, why)

    def _absent(self, name: str, run: int) -> str:
        """Return why a device cannot be used now: it is missing, broken, or another one. Nothing if it can be used."""
        device = self._device(name, run)
        if not runs_any_test(device):
            return device.missing()
        try:
            line = answer_of(device, self.folder / PROGRAMS / f"{run}-{device.kind}-canary", self.watcher)
        except ResourceError as error:
            return str(error)
        if line is None:
            self.stopped = True
            return ""
        return self._stranger(name, run, line) or ""

    def _device(self, name: str, run: int) -> Device:
        """Return a device. It is loaded once, because it remembers which device of its kind it is."""
        if name not in self._devices:
            self._devices[name] = self.settings.runs[run].load()
        return self._devices[name]

    def _run_cell(self, number: int, cell: Cell, counts: Counts, passes: frozenset[str]) -> bool:
        """Launch the test of a cell until nothing is left. Return whether the program gave up one of these launches."""
        has_hung = False
        while cell.device not in self.aside and (left := self._left(cell, counts)):
            if self.watcher.must_stop():
                self.stopped = True
                break
            place = self._place(cell)
            if place is None:
                break
            found = self._attempt(number, cell, place, left, counts, passes)
            if found is None:
                break
            has_hung = has_hung or any(one.end == "given up" for one in found.launches)
            counts = self.store.counts(number).get(number, _NONE)
        return has_hung

    def _left(self, cell: Cell, counts: Counts) -> int:
        """Return how many launches a cell still needs.

        It needs none if too many attempts in a row had no launch that counts, or if a launch left early.
        """
        if counts.fruitless >= self.settings.policy.tries or counts.ends.get("left early"):
            return 0
        left = cell.declared - counts.counted
        if counts.ends.get("given up"):
            left = min(left, self.settings.launches.after_first_hang - counts.after_hang)
        return max(0, left)

    def _attempt(  # noqa: PLR0913, PLR0917
        self, number: int, cell: Cell, place: _Place, left: int, counts: Counts, passes: frozenset[str]
    ) -> Attempted | None:
        """Make one attempt, and store its launches. Return None if something interrupted it, or its device is wrong."""
        timeout = self._timeout(cell, passes)
        request = Request(cell.test, min(left, MOST_LAUNCHES), timeout, counts.counted)
        store = self.store
        attempt = store.begin(number, place.number, timeout, _load())
        try:
            found = place.session.attempt(request, f"{self._mark}{attempt};", self.watcher)
        except ResourceError as error:  # its program cannot be started
            store.orphan()
            self._set_aside(cell.device, str(error))
            return None
        except BaseException:
            with contextlib.suppress(ResourceError):
                store.orphan()
            raise
        if found is None:
            store.orphan()
            self.stopped = True
            return None
        if found.line and (why := self._stranger(cell.device, cell.run, found.line)) is not None:
            store.refuse(attempt, found, _load(), why)
            self._set_aside(cell.device, why)
            return None
        place.process = attempt if found.is_first else place.process
        store.finish(attempt, place.process, found, _load())
        self._note_longest(cell, found)
        if not found.is_gone:
            self._wedged(cell, attempt)
        elif _may_be_gone(found):
            self._look_again(cell.device, cell.run)
        stored = [
            StoredLaunch(attempt, place_in, timeout, "", launch) for place_in, launch in enumerate(found.launches, 1)
        ]
        if any(self._is_confirmed(cell, one, decides=place.device.decides) for one in stored):
            self._note_witness(cell, passes)
        return found

    def _is_confirmed(self, cell: Cell, launch: StoredLaunch, *, decides: bool) -> bool:
        longest = self._longest.get((cell.device, cell.setting.mapping), 0.0)
        return outcome_of(launch, decides=decides, longest=longest, confirm_s=self._confirm).is_confirmed

    def _note_witness(self, cell: Cell, passes: frozenset[str]) -> None:
        """Note that a hang in a cell is confirmed. It is a witness, unless the memory may be why the cell hung."""
        if not may_be_of_memory(cell, is_relaxed=self.store.is_relaxed(cell.device)):
            self._violated.setdefault(cell.device, set()).update(passes)

    def _timeout(self, cell: Cell, passes: frozenset[str]) -> int:
        """Return after how many seconds to give up a launch: more if its hang would be the first against a verdict."""
        longest = self._longest.get((cell.device, cell.setting.mapping), 0.0)
        is_first = not passes <= self._violated.get(cell.device, set())
        return timeout_of(self.settings.launches, longest, is_first=is_first)

    def _note_longest(self, cell: Cell, found: Attempted) -> None:
        key = cell.device, cell.setting.mapping
        ended = [one.seconds for one in found.launches if one.end == "ended" and one.seconds is not None]
        self._longest[key] = max([self._longest.get(key, 0.0), *ended])

    @property
    def _confirm(self) -> float:
        return self.settings.launches.confirm_s

    def _stranger(self, name: str, run: int, line: ResultFields) -> str | None:
        """Return why a line cannot come from a device, or None if it can. The first line of a device is stored."""
        driver = line["driver"]
        if not driver:
            return None
        known = self.store.driver(name)
        if why := unlike(driver, self.settings.runs[run].expected, known):
            return f"the device says that it is {driver!r}, {why}"
        if not known:
            self.store.note_device(name, line, selecting_environment())
        return None

    def _place(self, cell: Cell) -> _Place | None:
        """Return the programs for the setting of a cell. If making them fails, set the device aside and return None."""
        key = (cell.device, cell.setting)
        if key not in self._places:
            device = self._device(cell.device, cell.run)
            folder = self.folder / PROGRAMS / folder_name(cell)
            tests = sorted({one.test for one in self._cells if (one.device, one.setting) == key})
            names = self.store.tests()
            try:
                folder.mkdir(parents=True, exist_ok=True)
                made = [LitmusTest(names[id_], id_, program_of_id(id_)) for id_ in tests]
                build = device.build(made, cell.setting.choices(), folder)
            except ResourceError as error:
                self._set_aside(cell.device, str(error))
                return None
            number = self.store.note_build(cell.device, build)
            session = Session(build, self.settings.policy.preparation_s)
            self._places[key] = _Place(device, build, number, session)
            self._close_some(key)
        return self._places[key]

    def _close_some(self, but: tuple[str, Setting]) -> None:
        """If many programs serve, end the oldest of them."""
        serving = [key for key, place in self._places.items() if place.build.serves and key != but]
        for key in serving[: max(0, len(serving) + 1 - _MOST_SESSIONS)]:
            self._places[key].session.close()

    def _wedged(self, cell: Cell, attempt: int) -> None:
        why = "its processes cannot be killed; restart the machine, or wait until they are gone"
        self.store.note_event("wedged", why, attempt)
        self._set_aside(cell.device, why)
        if self.settings.policy.wedged == "stop":
            msg = f"device {cell.device}: {why}"
            raise ResourceError(msg)

    def _set_aside(self, device: str, why: str) -> None:
        self.aside[device] = why
        self.store.note_event("set aside", f"device {device}: {why}")

    def _recover(self) -> None:
        """Kill the processes that a killed run has left behind, and mark its attempts as orphaned."""
        kill_marked(self._mark)
        if orphans := self.store.orphan():
            self.store.note_event("resumed", f"{orphans} attempts had begun but not ended; they do not count")

    def _note_violations(self, passes: dict[str, frozenset[str]]) -> None:
        for device in {run.device for run in self.settings.runs}:
            for one in results_of(self.store, self.settings.launches, device):
                if one.confirmed:
                    self._note_witness(one.cell, told_by(one.cell, passes[one.cell.test]))

    @functools.cached_property
    def _mark(self) -> str:
        """The beginning of the marks of all processes of the campaign."""
        return f"{self.store.meta('campaign')}:"

    def _close_all(self) -> None:
        for place in self._places.values():
            place.session.close()


def timeout_of(launches: Launches, longest: float, *, is_first: bool) -> int:
    """Return after how many seconds to give up a launch.

    `longest` is how long the longest launch took that ended on the device under the mapping. Ten times as long is the
    time-out, but not more than what confirms a hang: one launch that was slow because the machine was busy would else
    make each later hang take minutes. It is always at least twice as long as the longest launch. `is_first` says that a
    hang would be the first against a verdict.
    """
    slack = max(min(_SLACK * longest, launches.confirm_s), _LEAST_SLACK * longest)
    return math.ceil(max(launches.timeout_s, slack, launches.confirm_s if is_first else 0))


def folder_name(cell: Cell) -> str:
    """Return the name of the folder with the programs for the setting of a cell."""
    setting = cell.setting
    words = [str(cell.run), cell.device.partition(":")[0], setting.mapping, str(setting.instances)]
    if setting.stress:
        words += [f"stress{setting.stress}", setting.stress_shape]
    if setting.width > 1:
        words.append(f"width{setting.width}")
    return "-".join(words).replace(":", ".")


def _may_be_gone(found: Attempted) -> bool:
    """Whether the device may not be there any more: no launch says something about the scheduler, or the canary failed.

    A launch that left early says that the device works, but wrongly.
    """
    is_told = any(one.end in {*COUNTED, "left early"} for one in found.launches)
    return not is_told or (found.canary is not None and found.canary["result"] != "terminated")


def _load() -> float:
    return round(os.getloadavg()[0], 2)
