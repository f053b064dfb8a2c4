"""Predict the cost of a question from samples of random parts, stratified by unit.

The samples of a unit give an unbiased estimate of its cost (`estimate`), and the sum of the means is the prediction.
The interval of a prediction is Student's, at 90 %. Its degrees of freedom follow Welch and Satterthwaite, because each
unit has a variance of its own. The interval is right if sums of samples are about normally distributed.

The distribution of samples of searches is skewed: most are below the mean, and few are far above it. So with few
samples, an interval is too low more often than too high.

Each sample gives a least and a most time (`Probe`). The interval of the time begins where the interval of the least
times begins, and ends where the interval of the most times ends. The number of shards follows from the mean time, and
its interval from the interval of the mean time.
"""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.programs.ids import Ids, collect_ids
from synth_corpus import store
from synth_corpus.test_sets import SetOfTests
from synth_jobs import committed
from synth_jobs.shards import shards_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_checker.question import Question
    from synth_jobs.estimate import Estimate
    from synth_search.engines.engine import AUnit, Engine

CONFIDENCE = 0.9
#: The least number of samples of a unit. A single one would give no variance.
FEWEST = 2
#: At most so many kept tests are written to measure how many bytes a test takes.
_MOST_WRITTEN = 100_000


class Prediction(NamedTuple):
    """A predicted number: its mean, and the limits of its 90 % interval."""

    mean: float
    low: float
    high: float

    def times(self, factor: float) -> Prediction:
        """Return the prediction multiplied by a factor, for example in another unit of measure."""
        return Prediction(*(factor * number for number in self))


class Plan(NamedTuple):
    """The prediction for a question: its tests, kept tests, processor seconds, bytes on disk, and shards.

    `question` is its name, and `units` the number of its units. `exact` of them were searched completely, and `samples`
    counts the samples of the others.
    """

    question: str
    tests: Prediction
    kept: Prediction
    cpu_seconds: Prediction
    disk_bytes: Prediction
    shards: Prediction
    units: int
    exact: int
    samples: int


def plan_of(
    question: Question,
    engine: Engine[AUnit],
    estimates: Sequence[Estimate[AUnit]],
    kept_tests: Iterable[Ids],
    shard_seconds: float,
) -> Plan:
    """Return the prediction for a question from samples; `kept_tests` are the tests that the samples came across.

    `shard_seconds` is how many processor seconds a shard may take.
    """
    seconds, tests, kept = (_sum(estimates, key) for key in ("seconds", "tests", "kept"))
    # A job with these estimates would have so many shards. Most of them take less time than a shard may take. The clock
    # of the processor may find that all samples together took no time.
    shards = len(shards_of(engine, estimates, shard_seconds))
    return Plan(
        question=question.name,
        tests=tests,
        kept=kept,
        cpu_seconds=Prediction(seconds.mean, _sum(estimates, "least").low, _sum(estimates, "most").high),
        disk_bytes=kept.times(_bytes_each(question, kept_tests)),
        shards=Prediction(
            *(math.ceil(shards * second / seconds.mean) if seconds.mean else shards for second in seconds)
        ),
        units=len(estimates),
        exact=sum(estimate.is_exact for estimate in estimates),
        samples=sum(len(estimate.probes) for estimate in estimates if not estimate.is_exact),
    )


def _sum(estimates: Iterable[Estimate[AUnit]], key: str) -> Prediction:
    """Return the sum over all units of one field of their samples, with its interval."""
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
        return Prediction(mean, mean, mean)
    margin = student_half_width(variance**2 / of_freedom) * math.sqrt(variance)
    return Prediction(mean, max(certain, mean - margin), mean + margin)


def student_half_width(degrees: float) -> float:
    """Return the half width of Student's interval, in standard errors, for some degrees of freedom.

    It is the expansion of Abramowitz and Stegun, 26.7.5, which is right to 1 % from three degrees of freedom on.
    """
    x = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return sum(term / degrees**k for k, term in enumerate(terms))


def _bytes_each(question: Question, kept_tests: Iterable[Ids]) -> float:
    """Return how many bytes a kept test takes in a shard and in the corpus, compressed.

    A whole corpus takes a little less.
    """
    import zstandard

    ids_written: list[Ids] = []
    for ids in kept_tests:
        ids_written.append(ids)
        if sum(map(len, ids_written)) >= _MOST_WRITTEN:
            break
    ids = Ids(collect_ids(*ids_written))
    if not ids:
        return 0.0
    sample = SetOfTests(question=question, ids=ids).records()
    records = zstandard.ZstdCompressor(level=store.LEVEL).compress(b"".join(sample))
    lines = zstandard.ZstdCompressor(level=committed.LEVEL).compress(ids.packed.lines(0, len(ids)))
    return (len(records) + len(lines)) / len(ids)
