"""Which test under which mapping tells simulated schedulers apart.

Each place (a test, a mapping and a number of instances) divides the schedulers by whether their launches of it never,
sometimes or always hang. The best place leaves the fewest schedulers on average, whatever comes of it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_analysis.reproduction import FEW, hanging_launches
from synth_analysis.schedulers import is_repeatable
from synth_checker.os_threads import run_in_order
from synth_workers.execution import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_analysis.reproduction import LaunchSetup
    from synth_devices.sim.scheduler import Scheduler
    from synth_workers.execution import StepProgress

#: How often launches hang.
Often: TypeAlias = Literal["never", "sometimes", "always"]


class Division(NamedTuple):
    """A place, and the schedulers whose launches of it hang never, sometimes or always, by name."""

    place: LaunchSetup
    by_outcome: dict[Often, tuple[str, ...]]

    @property
    def left(self) -> float:
        """How many schedulers are left on average, if each is equally likely to be the one."""
        sizes = [len(names) for names in self.by_outcome.values()]
        return sum(size * size for size in sizes) / sum(sizes)


def best_division(
    schedulers: Mapping[str, Scheduler],
    places: Sequence[LaunchSetup],
    threads: int = 1,
    progress: StepProgress = ignore_progress,
) -> Division | None:
    """Return the place that tells most about which of some schedulers is the one, or None if no place tells anything.

    Of places that tell as much, the first one is returned. `progress` is called with the number of places done, the
    number of all places, and 0.
    """
    best: Division | None = None
    least = -(-len(schedulers) // 3)  # no place divides them into more than three parts
    for number, division in enumerate(_divisions(schedulers, places, threads), 1):
        progress(number, len(places))
        if len(division.by_outcome) > 1 and (best is None or division.left < best.left):
            best = division
        if best is not None and best.left <= least:
            break
    return best


def hang_frequency(scheduler: Scheduler, place: LaunchSetup) -> Often:
    """Return how often launches of a place hang on a scheduler."""
    launches = 1 if is_repeatable(scheduler) else FEW
    hung = hanging_launches(scheduler, place, launches)
    return "never" if not hung else "always" if hung == launches else "sometimes"


def _divisions(schedulers: Mapping[str, Scheduler], places: Sequence[LaunchSetup], threads: int) -> Iterator[Division]:
    return run_in_order((partial(_division, schedulers, place) for place in places), threads, 2 * threads)


def _division(schedulers: Mapping[str, Scheduler], place: LaunchSetup) -> Division:
    by_outcome: dict[Often, tuple[str, ...]] = {}
    for name, scheduler in schedulers.items():
        outcome = hang_frequency(scheduler, place)
        by_outcome[outcome] = (*by_outcome.get(outcome, ()), name)
    return Division(place, by_outcome)
