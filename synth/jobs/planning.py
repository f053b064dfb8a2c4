"""What a question would cost, before it is paid for: from samples of random parts, stratified by unit.

Of each unit samples say how much it has, without bias (`estimating`); their means are added up. The interval is
Student's, of 90 %, with the degrees of freedom of Welch and Satterthwaite, as each unit has a variance of its own. It
holds where sums of samples are about normal. Samples of searches are skewed: most say less than the mean, few say much
more; with few samples an interval is therefore too low more often than too high. That of time reaches from the least of
samples to the most (`Probe`), and so is wider. Shards are cut by the middle, and their interval is that of the middle.
"""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth.enumeration.sets import SetOfTests
from synth.jobs import committed
from synth.jobs.shards import shards_of
from synth_checker.ids import Ids, collect_ids
from synth_corpus import store

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth.engines.engine import AUnit, Engine
    from synth.jobs.estimating import Estimate
    from synth_checker.question import Question

CONFIDENCE = 0.9
#: Samples of a unit, at least: with one there is no variance.
FEWEST = 2
#: Kept tests that are written to see how many bytes one takes.
_MOST_WRITTEN = 100_000


class Predicted(NamedTuple):
    """A number, and the interval that it lies in."""

    mean: float
    low: float
    high: float

    def times(self, factor: float) -> Predicted:
        """The same in other units."""
        return Predicted(*(factor * number for number in self))


class Plan(NamedTuple):
    """What is predicted of a question: its tests, those kept, processor seconds, bytes, shards; and from what.

    `units` are those the question has, `exact` those of them that were searched as a whole, `samples` those of the
    others.
    """

    tests: Predicted
    kept: Predicted
    cpu_seconds: Predicted
    disk_bytes: Predicted
    shards: Predicted
    units: int
    exact: int
    samples: int


class PredictedFields(TypedDict):
    """A number, and the interval that it lies in."""

    mean: float
    low: float
    high: float


class PlanFields(TypedDict):
    """What is predicted of a question, and from what."""

    question: str
    tests: PredictedFields
    kept: PredictedFields
    cpu_seconds: PredictedFields
    disk_bytes: PredictedFields
    shards: PredictedFields
    units: int
    exact: int
    samples: int


def plan_fields(question: Question, plan: Plan) -> PlanFields:
    """What `synth job plan` says, as JSON has it."""
    return {
        "question": question.name,
        "tests": _predicted(plan.tests),
        "kept": _predicted(plan.kept),
        "cpu_seconds": _predicted(plan.cpu_seconds),
        "disk_bytes": _predicted(plan.disk_bytes),
        "shards": _predicted(plan.shards),
        "units": plan.units,
        "exact": plan.exact,
        "samples": plan.samples,
    }


def _predicted(number: Predicted) -> PredictedFields:
    return {"mean": number.mean, "low": number.low, "high": number.high}


def plan_of(
    question: Question,
    engine: Engine[AUnit],
    estimates: Sequence[Estimate[AUnit]],
    found: Iterable[Ids],
    shard_seconds: float,
) -> Plan:
    """What samples say of a question; `found` are the kept tests that they came upon."""
    seconds, tests, kept = (_sum(estimates, key) for key in ("seconds", "tests", "kept"))
    # As a job would be cut by these estimates: few shards are quite full.
    shards = len(shards_of(engine, estimates, shard_seconds))
    return Plan(
        tests=tests,
        kept=kept,
        cpu_seconds=Predicted(seconds.mean, _sum(estimates, "least").low, _sum(estimates, "most").high),
        disk_bytes=kept.times(_bytes_each(question, found)),
        shards=Predicted(*(math.ceil(shards * one / seconds.mean) if shards else 0 for one in seconds)),
        units=len(estimates),
        exact=sum(one.is_exact for one in estimates),
        samples=sum(len(one.probes) for one in estimates if not one.is_exact),
    )


def _sum(estimates: Iterable[Estimate[AUnit]], key: str) -> Predicted:
    """The sum of all units, of what samples say under a key."""
    mean = variance = certain = of_freedom = 0.0
    for estimate in estimates:
        values = [getattr(probe, key) for probe in estimate.probes]
        mean += statistics.fmean(values)
        if estimate.is_exact:
            certain += values[0]
        elif len(values) > 1:
            of_mean = statistics.variance(values) / len(values)
            variance += of_mean
            of_freedom += of_mean**2 / (len(values) - 1)
    if not variance:
        return Predicted(mean, mean, mean)
    margin = student(variance**2 / of_freedom) * math.sqrt(variance)
    return Predicted(mean, max(certain, mean - margin), mean + margin)


def student(degrees: float, confidence: float = CONFIDENCE) -> float:
    """The half width of Student's interval, in standard errors: the expansion of Abramowitz and Stegun, 26.7.5.

    Right to 1 % from three degrees of freedom on.
    """
    x = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return sum(term / degrees**k for k, term in enumerate(terms))


def _bytes_each(question: Question, found: Iterable[Ids]) -> float:
    """How many bytes a kept test takes, in a shard and in the corpus, compressed; of a whole corpus somewhat less."""
    import zstandard

    some: list[Ids] = []
    for ids in found:
        some.append(ids)
        if sum(map(len, some)) >= _MOST_WRITTEN:
            break
    ids = Ids(collect_ids(*some))
    if not ids:
        return 0.0
    sample = SetOfTests(question=question, ids=ids).records()
    records = zstandard.ZstdCompressor(level=store.LEVEL).compress(b"".join(sample))
    lines = zstandard.ZstdCompressor(level=committed.LEVEL).compress(ids.packed.lines(0, len(ids)))
    return (len(records) + len(lines)) / len(ids)
