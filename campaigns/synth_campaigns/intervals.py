"""Bounds for a rate of hangs, from how many of some launches hung.

Wilson's interval is that of E. B. Wilson (1927), without correction for continuity. It is right on average over rates,
and is what the claims give for each cell. The interval of C. J. Clopper and E. S. Pearson (1934) is right for every
rate. With Bonferroni's correction it bounds the rates of several cells at once.
"""

from __future__ import annotations

import math
from statistics import NormalDist

#: How sure the intervals are.
CONFIDENCE = 0.95
#: The quantile of the normal distribution that belongs to an interval of 95 %.
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def wilson(hung: int, launches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for the rate of hangs, if so many of some launches hung.

    >>> low, high = wilson(1, 20)
    >>> f"{low:.3f} to {high:.3f}"
    '0.009 to 0.236'
    """
    z2 = Z * Z
    centre = (hung + z2 / 2) / (launches + z2)
    half = Z * math.sqrt(hung * (launches - hung) / launches + z2 / 4) / (launches + z2)
    low = 0.0 if hung == 0 else centre - half
    high = 1.0 if hung == launches else centre + half
    return low, high


def upper_end(launches: int) -> float:
    """Return the upper end of Wilson's 95 % interval for the rate of hangs, if none of so many launches hung.

    >>> round(upper_end(73), 2)
    0.05
    """
    return Z * Z / (launches + Z * Z)


def simultaneous_end(launches: int, cells: int) -> float:
    """Return a bound for the rates of several cells at once, with 95 % confidence, if no launch hung.

    `launches` is the number of launches of the cell that has the fewest. The bound is the upper end of the interval of
    Clopper and Pearson, whose error of 5 % is shared out among the cells.
    """
    error = (1 - CONFIDENCE) / 2 / cells
    return -math.expm1(math.log(error) / launches)


def clean_launches(until: float) -> int:
    """Return how many launches without a hang bring the upper end of Wilson's 95 % interval below `until`.

    >>> clean_launches(0.05)
    73
    """
    return math.floor(Z * Z * (1 - until) / until) + 1
