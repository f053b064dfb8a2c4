"""How much work a question is, by sampling: what a part of a unit that is chosen at random says of the whole unit.

A unit is searched for a moment. If that does not end it, it is cut, one of its parts is chosen at random and searched
for a moment, and so on; what the last one has, times the parts that it was one of at each cut, is an unbiased estimate
of what the unit has (the idea is Knuth's, *Estimating the efficiency of backtrack programs*, 1975; he follows single
branches, which vary more). Units that vary most, in all they are likely to add to the sum, are sampled most.
"""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.keeping import keeper_for

if TYPE_CHECKING:
    import random

    from synth.engines.engine import Engine
    from synth.stopping import Stop
    from synth_checker.ids import Ids
    from synth_checker.question import Question

#: Parts of a cut one of which is sampled.
_PARTS = 16
#: A part that takes longer is cut, where it can be; in seconds. An engine may not be heard of for longer.
_MOMENT_S = 0.005
#: How much units are taken to vary, relative to their mean, in units that say less by chance.
_USUAL_VARIATION = 0.5


class Probe(NamedTuple):
    """What a sample says that a unit has: processor seconds, tests, and tests that are kept."""

    seconds: float
    tests: float
    kept: float


@dataclass(slots=True)
class Estimate:
    """A unit, and what samples say of it; `is_exact` where it was searched as a whole."""

    unit: Any
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

    @property
    def gain(self) -> float:
        """By how much, in squares of seconds, one more sample makes the variance of its mean less."""
        if self.is_exact:
            return 0.0
        number, mean = len(self.probes), self.seconds
        spread = statistics.stdev(probe.seconds for probe in self.probes) if number > 1 else 0.0
        return max(spread, _USUAL_VARIATION * mean) ** 2 / (number * (number + 1))


class Sampler:
    """Samples the units of a question; `rng` says which parts.

    `found` are the kept tests that samples came upon, some at a time.
    """

    def __init__(self, question: Question, engine: Engine, rng: random.Random) -> None:
        self._question, self._engine, self._rng = question, engine, rng
        self._keeper = keeper_for(question, jobs=1)
        self._cuts: dict[Any, int] = {}
        self.found: list[Ids] = []

    def estimates(self, seconds: float, stop: Stop, fewest: int = 1) -> list[Estimate]:
        """An estimate of each unit, at least so many samples of each that is not exact, more until time is up.

        Where there is a reason to stop, some have no samples, and those are left out.
        """
        start = time.monotonic()
        made = [Estimate(unit) for unit in self._engine.units(1)]
        for _ in range(fewest):
            for one in made:
                if not one.is_exact and not stop.look():
                    self.sample(one)
        while time.monotonic() - start < seconds and not stop.look():
            one = max(made, key=lambda estimate: estimate.gain)
            if not one.gain:
                break
            self.sample(one)
        return [one for one in made if one.probes]

    def sample(self, estimate: Estimate) -> None:
        """Add a sample of a unit."""
        part, weight, cuts = estimate.unit, 1, 0
        while (found := self._searched(part, at_once=cuts < self._cuts.get(estimate.unit, 0))) is None:
            parts = self._engine.cut(part, _PARTS)
            if len(parts) == 1:
                found = self._searched(part, moment=math.inf)
                break
            part, weight, cuts = self._rng.choice(parts), weight * len(parts), cuts + 1
        assert found is not None  # noqa: S101  (what may take for ever ends)
        # That many cuts were needed is remembered: the next sample need not try what is above them.
        self._cuts.setdefault(estimate.unit, cuts)
        estimate.is_exact = weight == 1
        estimate.probes.append(Probe(*(weight * number for number in found)))

    def _searched(self, part: Any, *, at_once: bool = False, moment: float = _MOMENT_S) -> Probe | None:  # noqa: ANN401
        """What a part has, None if it takes longer than a moment, or is not to be tried."""
        if at_once:
            return None
        start, tests, cut_off = time.process_time(), 0, False
        for lines in self._engine.solve(part):
            if cut_off:
                self._keeper.kept()
                return None
            tests += lines.count(b"\n")
            self._keeper.take(lines)
            cut_off = time.process_time() - start > moment
        ids = self._keeper.kept().ids
        taken = time.process_time() - start
        if ids:
            self.found.append(ids)
        return Probe(taken, tests, len(ids))
