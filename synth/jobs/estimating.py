"""How much work a question is, by sampling: what a part of a unit that is chosen at random says of the whole unit.

A unit is searched for a moment. If that does not end it, it is cut, one of its parts is chosen at random and searched
for a moment, and so on; what the last one has, times the parts that it was one of at each cut, is an unbiased estimate
of what the unit has (the idea is Knuth's, *Estimating the efficiency of backtrack programs*, 1975; he follows single
branches, which vary more). Of the tests of a sample, again, some are looked at more closely: to tell which are minimal
takes longer than to find them.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple

from synth.engines.engine import AUnit
from synth.enumeration.keeping import keeper_for

if TYPE_CHECKING:
    import random

    from synth.engines.engine import Engine
    from synth.work.execution import Oversight
    from synth.work.stopping import Stop
    from synth_checker.ids import Ids
    from synth_checker.question import Question

#: Parts of a cut one of which is sampled.
_PARTS = 16
#: A part whose search takes longer is cut, where it can be; in seconds. An engine may not be heard of for longer.
MOMENT_S = 0.005
#: How many tests of a sample, about, are asked whether they are kept.
_KEPT_FROM = 256


class Probe(NamedTuple):
    """What a sample says that a unit has: processor seconds, tests, and tests that are kept.

    The more sub-programs are known already, the less time it takes to tell whether a test is minimal. It is `least` if
    all of them are, and `most` if only those of the samples before. In a search it lies between, if samples were a
    small part of it, and few processes do it: each learns for itself.
    """

    least: float
    most: float
    tests: float
    kept: float

    @property
    def seconds(self) -> float:
        """The middle of both."""
        return (self.least + self.most) / 2


@dataclass(slots=True)
class Estimate(Generic[AUnit]):
    """A unit, and what samples say of it; `is_exact` where one was all of it."""

    unit: AUnit
    probes: list[Probe] = field(default_factory=list)
    is_exact: bool = False

    @property
    def seconds(self) -> float:
        """The processor seconds that it takes, as the mean of its samples."""
        return statistics.fmean(probe.seconds for probe in self.probes)

    @property
    def kept(self) -> float:
        """The tests of it that are kept, likewise."""
        return statistics.fmean(probe.kept for probe in self.probes)


class Sampler(Generic[AUnit]):
    """Samples the units of a question; `rng` says which parts, `moment` is how many seconds one is searched at most.

    `found` are the kept tests that samples came upon, some at a time.
    """

    def __init__(self, question: Question, engine: Engine[AUnit], rng: random.Random, moment: float = MOMENT_S) -> None:
        self._engine, self._rng, self._moment = engine, rng, moment
        self._keeper = keeper_for(question, jobs=1, count_behaviours=False)
        self._learns = question.minimal
        self._cuts: dict[AUnit, int] = {}
        self.found: list[Ids] = []

    def estimates(self, how: Oversight, fewest: int = 1) -> list[Estimate[AUnit]]:
        """An estimate of each unit, from so many samples of each that is not exact.

        Where there is a reason to stop, some have no samples, and those are left out. Progress is told how many
        samples there are, and how many there are to be. All is done in this process.
        """
        made = [Estimate(unit) for unit in self._engine.units(1)]
        for turn in range(fewest):
            for number, one in enumerate(made, start=1):
                if not one.is_exact and not how.stop.look():
                    self.sample(one)
                how.progress(turn * len(made) + number, fewest * len(made), 0)
        return [one for one in made if one.probes]

    def refine(self, estimates: list[Estimate[AUnit]], seconds: float, stop: Stop) -> None:
        """Sample for so many seconds more, all units that are not exact in turn.

        Whoever sampled those more that seem to have much would doubt what is said of these alone, and end too low.
        """
        start = time.monotonic()
        # A unit is exact after its first sample or never; where all are, there is no turn.
        for one in itertools.cycle([one for one in estimates if not one.is_exact]):
            if time.monotonic() - start >= seconds or stop.look():
                break
            self.sample(one)

    def sample(self, estimate: Estimate[AUnit]) -> None:
        """Add a sample of a unit."""
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
        # That many cuts were needed is remembered: the next sample need not try what is above them.
        self._cuts.setdefault(estimate.unit, cuts)
        searching = time.process_time() - start
        tests = b"".join(batches).splitlines(keepends=True)
        some = self._run_of(tests)
        ids, first = self._kept_of(some)
        again = self._kept_of(some)[1] if self._learns else first
        if ids:
            self.found.append(ids)
        of_some = len(tests) / len(some) if some else 1.0
        least, most = (searching + of_some * taken for taken in sorted((first, again)))
        probe = Probe(least, most, len(tests), of_some * len(ids))
        estimate.probes.append(Probe(*(weight * number for number in probe)))
        estimate.is_exact = weight == of_some == 1

    def _kept_of(self, tests: list[bytes]) -> tuple[Ids, float]:
        """Those of some tests that are kept, and the processor seconds that it takes to say so."""
        start = time.process_time()
        self._keeper.take(b"".join(tests))
        ids = self._keeper.kept().ids
        return ids, time.process_time() - start

    def _run_of(self, tests: list[bytes]) -> list[bytes]:
        """Some tests that follow each other: they have sub-programs in common, as when all are looked at."""
        first = self._rng.randrange(len(tests)) if len(tests) > _KEPT_FROM else 0
        return (tests[first:] + tests[:first])[:_KEPT_FROM]

    def _searched(self, part: AUnit, moment: float) -> list[bytes] | None:
        """The tests of a part, None if it takes longer than a moment."""
        start, found, is_late = time.process_time(), [], False
        for lines in self._engine.solve(part):
            if is_late:
                return None
            found.append(lines)
            is_late = time.process_time() - start > moment
        return found
