"""Whether some launches hang more often than others by more than chance: R. A. Fisher's exact test (1935).

Given how many launches hung in all, the number that hung among some of them follows a hypergeometric distribution if
both kinds of launches hang equally often. `fisher` adds up what is no likelier than what was seen. `more_often`
compares two kinds of launches within each of several cells, whose rates may differ. This is the test of N. Mantel and
W. Haenszel (1959). It convolves the distributions of the cells, or takes the normal distribution for many launches.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_campaigns.cell_result import Rate

#: What is no likelier than something else, but for rounding.
_NEARLY = 1 + 1e-7
#: From this variance on, the normal distribution is good enough: it is off by less than 0.002.
_MANY = 50
#: What is less likely than this is left out.
_NOTHING = 1e-20


def fisher(first: Rate, other: Rate) -> float:
    """Return how likely it is by chance that the rates differ so much, in either direction."""
    least, likely = _distribution(first, other)
    own_p = likely[first.hung - least] * _NEARLY
    return min(1.0, math.fsum(p for p in likely if p <= own_p))


def more_often(pairs: Sequence[tuple[Rate, Rate]]) -> float:
    """Return how likely it is by chance that the first of each pair hung so often in all. Each pair is of one cell."""
    mean, variance = (math.fsum(each) for each in zip((0.0, 0.0), *map(_moments, pairs), strict=True))
    if variance > _MANY:
        hung = sum(rate.hung for rate, _ in pairs)
        return math.erfc((hung - 0.5 - mean) / math.sqrt(2 * variance)) / 2
    return more_often_exactly(pairs)


def more_often_exactly(pairs: Iterable[tuple[Rate, Rate]]) -> float:
    """Return the same as `more_often` from the whole distribution, however long this takes."""
    hung, least, likely = 0, 0, [1.0]
    for rate, other in pairs:
        hung += rate.hung
        least_here, here = _distribution(rate, other)
        least, likely = _trimmed(least + least_here, _convolved(likely, here))
    return min(1.0, math.fsum(likely[max(0, hung - least) :]))


def _moments(pair: tuple[Rate, Rate]) -> tuple[float, float]:
    """Return the mean and the variance of the number of the first of a pair that hang by chance."""
    first, other = pair
    everyone, hung = first.launches + other.launches, first.hung + other.hung
    if everyone < 2:
        return float(first.hung), 0.0
    part = hung / everyone
    return first.launches * part, first.launches * part * (1 - part) * other.launches / (everyone - 1)


def _distribution(first: Rate, other: Rate) -> tuple[int, list[float]]:
    """Return the least number of `first` that can have hung, and how likely this and each greater number is."""
    hung = first.hung + other.hung
    least, most = max(0, hung - other.launches), min(hung, first.launches)
    every = _log_ways(first.launches + other.launches, hung)
    return least, [
        math.exp(_log_ways(first.launches, k) + _log_ways(other.launches, hung - k) - every)
        for k in range(least, most + 1)
    ]


def _log_ways(launches: int, hung: int) -> float:
    """Return the logarithm of the number of ways to choose those that hung."""
    return math.lgamma(launches + 1) - math.lgamma(hung + 1) - math.lgamma(launches - hung + 1)


def _convolved(first: list[float], other: list[float]) -> list[float]:
    sums = [0.0] * (len(first) + len(other) - 1)
    for i, p in enumerate(first):
        for j, q in enumerate(other):
            sums[i + j] += p * q
    return sums


def _trimmed(least: int, likely: list[float]) -> tuple[int, list[float]]:
    """Return a distribution without its ends, which are so unlikely that no sum notices."""
    places = [k for k, p in enumerate(likely) if p > _NOTHING]
    return least + places[0], likely[places[0] : places[-1] + 1]
