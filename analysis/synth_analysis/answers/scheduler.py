"""The answer of `synth campaign explain`: which simulated schedulers have the results of a device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.device_results import check_device, devices_in
from synth_analysis.evidence import is_telling
from synth_analysis.reproduction import CellHangs, Fits, LaunchSetup, fits_of
from synth_analysis.schedulers import Grid, scheduler_family
from synth_analysis.telling_test import Division, Often, best_division
from synth_checker.errors import InputError, check_number
from synth_devices.sim.defaults import WORKGROUPS
from synth_litmus.inputs.named_tests import ids_in
from synth_storage.answer_json import HIDDEN, answer_from
from synth_workers.execution import ignore_progress, processes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_analysis.device_results import DeviceResults
    from synth_analysis.reproduction import Fit
    from synth_campaigns.cell_result import CellResult
    from synth_devices.sim.scheduler import Scheduler
    from synth_workers.execution import StepProgress

#: Where to look for a test that tells schedulers apart: the tests, the mappings, and the numbers of instances.
CORPORA = ("@minimal/2x2", "@minimal/2x3", "@minimal/3x3")
MAPPINGS = ("plain", "round-robin", "chunked")
INSTANCES = (2, 8, 32, 128)
#: At most so many schedulers are told apart, the most likely ones.
MOST_TOLD_APART = 40


class ExplanationRequest(NamedTuple):
    """What to explain, and by which schedulers.

    - `device` is the only device to explain, or None for each.
    - `more` are schedulers besides the presets and the grid.
    - `instances` is how many instances a launch has whose cell does not say it. None means as many as fill 65,535
      workgroups.
    - `most_instances` is how many instances are simulated at most, so that large launches take less time. None means
      as many as the cell has.
    """

    device: str | None = None
    grid: Grid = Grid()
    more: Sequence[Scheduler] = ()
    instances: int | None = None
    most_instances: int | None = None


class FitAnswer(NamedTuple):
    """A scheduler: its name, its file, and how likely the results are on it.

    - `log_likelihood` is null if it can't have these results.
    - `refuting` is how many cells refute it.
    """

    name: str
    toml: str
    log_likelihood: float | None
    refuting: int


class DivisionAnswer(NamedTuple):
    """A test that tells schedulers apart, and the names of those on which it hangs never, sometimes or always."""

    test: str
    mapping: str
    instances: int
    never: list[str]
    sometimes: list[str]
    always: list[str]


@dataclass(frozen=True, slots=True)
class DeviceExplanation:
    """Which schedulers have the results of a device.

    - `cells` is how many cells were compared, and `left_out` how many cannot be.
    - `compared` is how many schedulers were compared.
    - `left` has those that have these results. If there is none, `nearest` has those that the fewest cells refute.
    - `next` is the test that tells most about which of them it is, or null.
    """

    device: str
    driver: str
    cells: int
    left_out: int
    compared: int
    left: list[FitAnswer]
    nearest: list[FitAnswer]
    next: DivisionAnswer | None
    fits: Fits = field(metadata=HIDDEN)
    division: Division | None = field(metadata=HIDDEN)
    #: How many tests, each under a mapping, were tried at most.
    places: int = field(metadata=HIDDEN)


def explanations_of(
    folders: Sequence[Path],
    request: ExplanationRequest,
    jobs: int | None = None,
    progress: StepProgress = ignore_progress,
) -> list[DeviceExplanation]:
    """Return which schedulers have the results of each device of some campaigns.

    `jobs` is the number of operating-system threads that simulate.

    Raises:
        InputError: a folder holds no campaign, there is no such device, or no cell has results that can be compared.
        LimitError: a test has too many states or instances.
        ResourceError: reading the results failed.
    """
    for option, number in (("instances", request.instances), ("most-instances", request.most_instances)):
        if number is not None:
            check_number(option, number, 1)
    threads, schedulers = processes(jobs), scheduler_family(request.grid, request.more)
    devices = devices_in(folders)
    check_device(devices, request.device)
    return [
        _explanation(device, schedulers, request, threads, progress)
        for device in devices
        if request.device in {None, device.name}
    ]


def _explanation(
    device: DeviceResults,
    schedulers: Mapping[str, Scheduler],
    request: ExplanationRequest,
    threads: int,
    progress: StepProgress,
) -> DeviceExplanation:
    comparable = [cell for cell in device.cells if _is_comparable(cell)]
    if not comparable:
        raise InputError(
            f"{device.name}: found no cell to compare, expected launches without stress that ended or hung"
        )
    fits = fits_of([_hangs_of(cell_result, request) for cell_result in comparable], schedulers, threads, progress)
    candidates = {fit.name: fit.scheduler for fit in fits.left[:MOST_TOLD_APART]}
    places = _places()
    division = best_division(candidates, places, threads, progress) if len(candidates) > 1 else None
    left_out = len(device.cells) - len(comparable)
    return DeviceExplanation(
        device.name,
        device.driver,
        len(comparable),
        left_out,
        len(schedulers),
        list(map(_fit, fits.left)),
        list(map(_fit, fits.nearest)),
        None if division is None else _division(division),
        fits,
        division,
        len(places),
    )


def _is_comparable(result: CellResult) -> bool:
    """Whether a simulated scheduler can have such a cell: without stress, and with launches that ended or hung."""
    is_like = result.cell.across == "workgroups" and not result.cell.setting.stress
    return is_like and result.counted > 0 and is_telling(result.cell.test, is_relaxed=result.is_relaxed)


def _hangs_of(result: CellResult, request: ExplanationRequest) -> CellHangs:
    cell = result.cell
    usual = 1 if cell.setting.mapping == "plain" else request.instances or max(1, WORKGROUPS // cell.threads)
    instances = cell.setting.instances or usual
    place = LaunchSetup(cell.test, cell.setting.mapping, min(instances, request.most_instances or instances))
    if result.is_least:
        return CellHangs(place, result.hung, max(0, cell.declared - result.hung), is_least=True)
    return CellHangs(place, result.hung, result.counted - result.hung)


def _places() -> list[LaunchSetup]:
    tests = [id_ for corpus in CORPORA for id_ in ids_in(corpus)]
    alone = [LaunchSetup(id_, "plain", 1) for id_ in tests]
    many = [
        LaunchSetup(id_, word, number) for number in INSTANCES for word in MAPPINGS if word != "plain" for id_ in tests
    ]
    return alone + many


def _fit(fit: Fit) -> FitAnswer:
    likely = None if fit.log_likelihood == float("-inf") else fit.log_likelihood
    return FitAnswer(fit.name, fit.scheduler.toml(), likely, len(fit.refuting))


def _division(division: Division) -> DivisionAnswer:
    outcomes: tuple[Often, ...] = ("never", "sometimes", "always")
    names = {outcome: list(division.by_outcome.get(outcome, ())) for outcome in outcomes}
    return answer_from(DivisionAnswer, division.place, **names)
