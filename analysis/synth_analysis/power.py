"""The power of a comparison: which change of a rate Fisher's exact test would have found.

A cell hung at some rate before. If its rate changes, the test finds the change with a probability that depends on both
rates, on the numbers of launches, and on the level. The *smallest change* is the least rise, or the least fall, that
the test finds with a probability of 80 %.
"""

from __future__ import annotations

import functools
import math
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

#: The probability with which a change must be found.
POWER = 0.8
#: How finely the smallest change is computed.
_STEPS = 1000


class SmallestChange(NamedTuple):
    """The least rate above, and the highest rate below, that would be found. None if no such rate would be."""

    above: float | None
    below: float | None


@functools.lru_cache(maxsize=1 << 12)
def smallest_change(rate: float, launches: int, other_launches: int, level: float) -> SmallestChange:
    """Return the nearest rates, in steps of 0.001, that the test tells from a rate with a probability of 80 %."""
    regions = _regions(launches, other_launches, level)
    start = round(rate * _STEPS)
    before = [_binomial(launches, hung, rate) for hung in range(launches + 1)]

    def is_found(step: int) -> bool:
        return _power(before, regions, other_launches, step / _STEPS) >= POWER

    above = _first(is_found, start, _STEPS)
    below = _first(lambda step: is_found(-step), -start, 0)
    return SmallestChange(None if above is None else above / _STEPS, None if below is None else -below / _STEPS)


def power_of(rate: float, launches: int, other_rate: float, other_launches: int, level: float) -> float:
    """Return the probability with which the test finds that two rates differ."""
    before = [_binomial(launches, hung, rate) for hung in range(launches + 1)]
    return _power(before, _regions(launches, other_launches, level), other_launches, other_rate)


def _first(is_found: Callable[[int], bool], start: int, end: int) -> int | None:
    """Return the least number from `start` to `end` of which a property holds that stays true once it is."""
    if start > end or not is_found(end):
        return None
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if is_found(middle):
            high = middle
        else:
            low = middle + 1
    return low


@functools.lru_cache(maxsize=256)
def _regions(launches: int, other_launches: int, level: float) -> tuple[tuple[int, int], ...]:
    """Return what the test calls a change, for each number of launches that hung before.

    It does so if at most the first number, or at least the second number, of the launches after hung.
    """
    regions = []
    for hung, values in enumerate(p_values(launches, other_launches)):
        share = hung * other_launches // launches
        low = next((after for after in range(share, -1, -1) if values[after] <= level), None)
        high = next((after for after in range(share, other_launches + 1) if values[after] <= level), None)
        regions.append((-1 if low is None else low, other_launches + 1 if high is None else high))
    return tuple(regions)


def p_values(launches: int, other_launches: int) -> list[list[float]]:
    """Return the p-value of Fisher's test for each number of launches that hung before, and for each number after.

    The values are those of `significance.fisher`. All tables with as many hangs in all are computed together.
    """
    ways, other_ways = _binomials(launches), _binomials(other_launches)
    values = [[1.0] * (other_launches + 1) for _ in range(launches + 1)]
    for total in range(launches + other_launches + 1):
        tables = sorted(
            (ways[hung] * other_ways[total - hung], hung)
            for hung in range(max(0, total - other_launches), min(launches, total) + 1)
        )
        everything = sum(number for number, _ in tables)
        below = 0
        for _, equal in groupby(tables, key=lambda table: table[0]):
            same = list(equal)
            below += sum(number for number, _ in same)
            for _, hung in same:
                values[hung][total - hung] = below / everything
    return values


def _binomials(launches: int) -> list[int]:
    row = [1]
    for hung in range(launches):
        row.append(row[-1] * (launches - hung) // (hung + 1))
    return row


def _power(before: list[float], regions: tuple[tuple[int, int], ...], launches: int, rate: float) -> float:
    after = [_binomial(launches, hung, rate) for hung in range(launches + 1)]
    return sum(
        chance * (sum(after[: low + 1]) + sum(after[high:]))
        for chance, (low, high) in zip(before, regions, strict=True)
        if chance > 0
    )


def _binomial(launches: int, hung: int, rate: float) -> float:
    if rate in (0, 1):
        return float(hung == launches * rate)
    logarithm = (
        math.lgamma(launches + 1) - math.lgamma(hung + 1) - math.lgamma(launches - hung + 1)
        + hung * math.log(rate) + (launches - hung) * math.log1p(-rate)
    )  # fmt: skip
    return math.exp(logarithm)
