"""Estimate the work of a question by sampling: search a random part of each unit, and scale the result up to the unit.

The search of a unit runs for a moment. If it does not end by then, the engine cuts the unit into parts. One of these
parts is chosen at random and searched for a moment. If this search does not end either, the part is cut in turn, and so
on. The last part is searched to its end, which gives its counts. These counts, multiplied by the number of parts of
each cut, are an unbiased estimate for the unit. The idea is Knuth's (*Estimating the efficiency of backtrack programs*,
1975). He follows single branches, whose counts vary more.

It takes longer to decide which tests are minimal than to find them. So only some tests of each sample are examined for
that.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple

from synth_search.engines.engine import AUnit
from synth_search.enumeration.kept_tests import filter_for

if TYPE_CHECKING:
    import random

    from synth_checker.programs.ids import Ids
    from synth_checker.question import Question
    from synth_search.engines.engine import Engine
    from synth_workers.execution import Oversight
    from synth_workers.stop import Stop

#: How many parts a cut has, of which one is sampled.
_PARTS = 16
#: A part whose search takes longer than so many seconds is cut, if the engine can cut it. The search may take longer
#: than that, because it only notices the time between two batches of the engine.
MOMENT_S = 0.005
#: At most so many tests of a sample are examined for whether the question keeps them. With fewer, few of them have
#: sub-programs in common, and a plan of minimal tests overstates the time by half.
_KEPT_FROM = 4096


class Probe(NamedTuple):
    """The estimate that one sample gives for a unit: processor seconds, tests, and kept tests.

    To decide whether a test is minimal, a process must find out which of its sub-programs are tests, and it remembers
    the answers. `least` is the time if it remembers the answer for each sub-program. `most` is the time if it remembers
    only the answers from earlier samples. The time of a real search lies between the two if the samples were a small
    part of the search, and if few processes do it, because each process remembers only its own answers.
    """

    least: float
    most: float
    tests: float
    kept: float

    @property
    def seconds(self) -> float:
        """The mean of the least and the most processor seconds."""
        return (self.least + self.most) / 2


@dataclass(slots=True)
class Estimate(Generic[AUnit]):
    """A unit and its samples; `is_exact` is true if a sample was the whole unit."""

    unit: AUnit
    probes: list[Probe] = field(default_factory=list)
    is_exact: bool = False

    @property
    def seconds(self) -> float:
        """The processor seconds that the unit takes, as the mean of its samples."""
        return statistics.fmean(probe.seconds for probe in self.probes)

    @property
    def kept(self) -> float:
        """The number of kept tests of the unit, as the mean of its samples."""
        return statistics.fmean(probe.kept for probe in self.probes)


class Sampler(Generic[AUnit]):
    """An object that samples the units of a question.

    `rng` chooses the parts at random, and `moment` is how many seconds the search of a part may take. `found` holds the
    kept tests that the samples came across, in several sets.
    """

    def __init__(self, question: Question, engine: Engine[AUnit], rng: random.Random, moment: float = MOMENT_S) -> None:
        self._engine, self._rng, self._moment = engine, rng, moment
        self._filter = filter_for(question, jobs=1, count_behaviours=False)
        self._learns = question.minimal
        self._cuts: dict[AUnit, int] = {}
        self.found: list[Ids] = []

    def estimates(self, how: Oversight, fewest: int = 1) -> list[Estimate[AUnit]]:
        """Return an estimate of each unit; units whose estimate is not exact get `fewest` samples.

        If there is a reason to stop, the result lacks the units without a sample. The progress report has the number of
        samples so far and the number of all samples. This process does all the work.
        """
        estimates = [Estimate(unit) for unit in self._engine.units(1)]
        for turn in range(fewest):
            for number, estimate in enumerate(estimates, start=1):
                if not estimate.is_exact and not how.stop.look():
                    self.sample(estimate)
                how.progress(turn * len(estimates) + number, fewest * len(estimates), 0)
        return [probed for probed in estimates if probed.probes]

    def refine(self, estimates: list[Estimate[AUnit]], seconds: float, stop: Stop) -> None:
        """Take further samples for some processor seconds, in turn from all units whose estimate is not exact.

        To sample only the units that seem to have many tests would bias the result, and make it too low.
        """
        start = time.process_time()
        # A unit is exact after its first sample or never. If all units are exact, this loop does nothing.
        for inexact in itertools.cycle([estimate for estimate in estimates if not estimate.is_exact]):
            if time.process_time() - start >= seconds or stop.look():
                break
            self.sample(inexact)

    def sample(self, estimate: Estimate[AUnit]) -> None:
        """Take one more sample of a unit, and add it to the estimate."""
        part, weight, cuts = estimate.unit, 1, 0
        batches: list[bytes] | None = None
        start = time.process_time()
        while batches is None:
            if cuts >= self._cuts.get(estimate.unit, 0):
                start = time.process_time()
                batches = self._searched(part, self._moment)
            if batches is None:
                parts = self._engine.cut(part, _PARTS)
                if len(parts) > 1:
                    part, weight, cuts = self._rng.choice(parts), weight * len(parts), cuts + 1
                else:
                    start = time.process_time()
                    batches = self._searched(part, math.inf) or []
        # The number of cuts is remembered, so that the next sample does not search larger parts first.
        self._cuts.setdefault(estimate.unit, cuts)
        searching = time.process_time() - start
        tests = b"".join(batches).splitlines(keepends=True)
        sampled = self._run_of(tests)
        ids, first = self._kept_of(sampled)
        again = self._kept_of(sampled)[1] if self._learns else first
        if ids:
            self.found.append(ids)
        of_some = len(tests) / len(sampled) if sampled else 1.0
        least, most = (searching + of_some * taken for taken in sorted((first, again)))
        probe = Probe(least, most, len(tests), of_some * len(ids))
        estimate.probes.append(Probe(*(weight * number for number in probe)))
        estimate.is_exact = weight == of_some == 1

    def _kept_of(self, tests: list[bytes]) -> tuple[Ids, float]:
        """Return those tests that the question keeps, and how many processor seconds the decision takes."""
        start = time.process_time()
        self._filter.take(b"".join(tests))
        ids = self._filter.kept().ids
        return ids, time.process_time() - start

    def _run_of(self, tests: list[bytes]) -> list[bytes]:
        """Return some tests in a row. Neighbours have sub-programs in common, as in a search of all tests."""
        first = self._rng.randrange(len(tests)) if len(tests) > _KEPT_FROM else 0
        return (tests[first:] + tests[:first])[:_KEPT_FROM]

    def _searched(self, part: AUnit, moment: float) -> list[bytes] | None:
        """Return the tests of a part, or None if its search takes longer than a moment."""
        start, batches, is_late = time.process_time(), [], False
        for lines in self._engine.solve(part):
            if is_late:
                return None
            batches.append(lines)
            is_late = time.process_time() - start > moment
        return batches
