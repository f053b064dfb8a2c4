"""Which schedulers of a family reproduce the results of cells.

If nothing in a scheduler is random, each of its launches of a cell has the same outcome. It reproduces a cell if all
launches of the cell have this outcome. Otherwise, some launches are simulated. The likelihood of the results follows
from how many of these hang (the beta-binomial distribution). If the rules of the scheduler imply that the test ends, no
launch needs to be simulated.

- A cell *refutes* a scheduler if its results are a hundred thousand times less likely than with the rate that fits them
  best.
- A scheduler is *left* if no cell refutes it, and if its likelihood is at least a thousandth of that of the best one.

The cells go by size. A scheduler that more cells refute than others is left out of further cells, so that the cost
stays small. If every scheduler is refuted, the *nearest* ones are those that the fewest cells refute.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.schedulers import implied_by, is_repeatable
from synth_backends.mapping import read_mapping
from synth_campaigns.claims import passed_verdicts
from synth_checker.os_threads import run_in_order
from synth_checker.programs.normal import program_of_id
from synth_devices.sim.simulation import Simulator
from synth_workers.execution import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_devices.sim.scheduler import Scheduler
    from synth_workers.execution import StepProgress

#: How many launches are simulated: a few at first, as most schedulers have most results. If the results seem unlikely
#: then, there are more. If twice as many launches all agree and refute the scheduler, that is enough. Otherwise, there
#: are so many that the rate of hangs is known to about a sixteenth.
FEW, SOME, MANY = 10, 20, 60
#: How many launches of each outcome count in addition to the simulated ones: a few may not show an outcome that is
#: rare. Half a launch is usual for an unknown rate (Jeffreys). If the simulated launches all agree, and those of
#: the cell do, too, the rate is most likely 0 or 1. Then a thousandth of a launch only keeps logarithms finite.
_IF_MIXED, _IF_ALIKE = 0.5, 0.001
#: Differences between natural logarithms of likelihoods, all to the likelihood with the rate that fits best or to that
#: of the best scheduler. Results a twentieth as likely (e^-3) seem unlikely after a few launches. The docstring above
#: says the next two. A scheduler is given up before the last cell if it is e^-20 as likely as the best one, which the
#: remaining cells hardly ever make up for.
_UNLIKELY, _REFUTED, _LEFT, _HOPELESS = -3.0, -math.log(1e5), -math.log(1e3), -20.0
#: A scheduler is given up, too, if so many more cells refute it than the best one: a few may be wrong by chance.
_MORE_REFUTING = 3
#: So many schedulers are a task of an operating-system thread, so that handing it over takes little of its time.
_AT_ONCE = 32


class LaunchSetup(NamedTuple):
    """What is launched: a test under a mapping, and the number of instances."""

    test: str
    mapping: str
    instances: int


class CellHangs(NamedTuple):
    """What came of a cell. `is_least` says that at least one of all launches hung, and not how many."""

    place: LaunchSetup
    hung: int
    ended: int
    is_least: bool = False


@dataclass(slots=True)
class Fit:
    """A scheduler, how well it reproduces the results, and the cells that refute it.

    `log_likelihood` is 0 for a scheduler that certainly has these results. It is minus infinity for one that can't have
    them. `cells` is how many cells were simulated.
    """

    name: str
    scheduler: Scheduler
    log_likelihood: float = 0.0
    cells: int = 0
    refuting: list[CellHangs] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fits:
    """The schedulers that are left, the most likely first, and the nearest ones if none is left."""

    left: tuple[Fit, ...]
    nearest: tuple[Fit, ...]


def fits_of(
    seen: Sequence[CellHangs],
    family: Mapping[str, Scheduler],
    threads: int = 1,
    progress: StepProgress = ignore_progress,
) -> Fits:
    """Return which schedulers of a family reproduce the results of cells.

    A cell is a step of `progress`.

    Raises:
        LimitError: a test reaches too many states, or has more instances than its mapping can tell apart.
    """
    fits = [Fit(name, scheduler) for name, scheduler in family.items()]
    ordered = sorted(seen, key=lambda cell: (cell.place.instances * len(cell.place.test), cell))
    for number, cell in enumerate(ordered):
        progress(number, len(ordered))
        tasks = [partial(_log_likelihoods, batch, cell) for batch in _batches(fits)]
        found_of_all = itertools.chain.from_iterable(run_in_order(tasks, threads, 2 * threads))
        best = _highest(cell)
        for fit, likelihood in zip(fits, found_of_all, strict=True):
            fit.cells += 1
            fit.log_likelihood += likelihood
            if likelihood - best < _REFUTED:
                fit.refuting.append(cell)
        fits = _worth_going_on(fits)
    progress(len(ordered), len(ordered))
    whole = [fit for fit in fits if not fit.refuting]
    highest = max((fit.log_likelihood for fit in whole), default=0.0)
    remaining = [fit for fit in whole if fit.log_likelihood >= highest + _LEFT]
    fewest = min(len(fit.refuting) for fit in fits)
    nearest = [] if remaining else [fit for fit in fits if len(fit.refuting) == fewest]
    return Fits(tuple(sorted(remaining, key=_rank)), tuple(sorted(nearest, key=_rank)))


def log_likelihood(scheduler: Scheduler, seen: CellHangs) -> float:
    """Return the logarithm of how probable results are on a scheduler, for a given order of hung and ended launches."""
    if is_repeatable(scheduler):
        hangs = bool(hanging_launches(scheduler, seen.place, 1))
        return 0.0 if (seen.hung > 0) == hangs and (seen.is_least or not seen.hung or not seen.ended) else -math.inf
    hung, launches = 0, 0
    for number in (FEW, SOME, MANY):
        hung += hanging_launches(scheduler, seen.place, number - launches, first=launches)
        launches = number
        likelihood = likelihood_by_sample(seen, hung, launches)
        is_refuted = likelihood - _highest(seen) < _REFUTED and hung in {0, launches} and launches >= SOME
        if is_refuted or (launches == FEW and likelihood - _highest(seen) >= _UNLIKELY):
            break
    return likelihood


def likelihood_by_sample(seen: CellHangs, hung: int, launches: int) -> float:
    """Return the logarithm of the likelihood of results, if so many of some simulated launches hang."""
    is_mixed = 0 < hung < launches or (seen.hung and seen.ended and not seen.is_least)
    more = _IF_MIXED if is_mixed else _IF_ALIKE
    a, b = hung + more, launches - hung + more
    if seen.is_least:
        none = math.exp(_log_beta(a, b + seen.hung + seen.ended) - _log_beta(a, b))
        return math.log(max(1e-300, 1 - none))
    return _log_beta(a + seen.hung, b + seen.ended) - _log_beta(a, b)


def hanging_launches(scheduler: Scheduler, place: LaunchSetup, launches: int, *, first: int = 0) -> int:
    """Return the same as `simulated_hangs`, without a simulation if the scheduler certainly ends the test."""
    if implied_by(scheduler) in _passed(place.test):
        return 0
    return simulated_hangs(scheduler, place, launches, first=first)


@functools.lru_cache(maxsize=4096)
def _passed(test: str) -> frozenset[str]:
    return passed_verdicts([test])[test]


def simulated_hangs(scheduler: Scheduler, place: LaunchSetup, launches: int, *, first: int = 0) -> int:
    """Return how many launches hang on a scheduler, from the launch number `first` on."""
    simulator = Simulator(scheduler, program_of_id(place.test), read_mapping(place.mapping), place.instances)
    return sum(simulator.hangs(number) for number in range(first, first + launches))


def _log_likelihoods(fits: Sequence[Fit], seen: CellHangs) -> list[float]:
    return [log_likelihood(fit.scheduler, seen) for fit in fits]


def _batches(fits: Sequence[Fit]) -> list[Sequence[Fit]]:
    return [fits[start : start + _AT_ONCE] for start in range(0, len(fits), _AT_ONCE)]


def _highest(seen: CellHangs) -> float:
    """Return the logarithm of the likelihood of results with the rate that fits them best."""
    if seen.is_least:
        return 0.0
    launches = seen.hung + seen.ended
    return sum(number * math.log(number / launches) for number in (seen.hung, seen.ended) if number)


def _worth_going_on(fits: Sequence[Fit]) -> list[Fit]:
    fewest = min(len(fit.refuting) for fit in fits)
    hopeful = [fit for fit in fits if len(fit.refuting) <= fewest + _MORE_REFUTING]
    best = max((fit.log_likelihood for fit in hopeful if not fit.refuting), default=-math.inf)
    return [fit for fit in hopeful if fit.refuting or fit.log_likelihood >= best + _HOPELESS]


def _rank(fit: Fit) -> tuple[float, str]:
    return -fit.log_likelihood, fit.name


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
