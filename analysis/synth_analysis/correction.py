"""Correct p-values for their number: among many tests of a hypothesis that holds, some have a low p-value by chance.

`holm` is the method of S. Holm (1979). It holds for values that depend on each other. `least_p` tells which comparisons
can have a low p-value at all. R. E. Tarone (1990) proposed to leave out the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_analysis.significance import fisher
from synth_campaigns.cell_result import Rate

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that are corrected for their number.

    The probability that any corrected value is at most 0.05 by chance is at most 0.05, however the values depend on
    each other.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [1.0] * len(p_values), 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = highest
    return corrected


def least_p(launches: int, other_launches: int, hung: int) -> float:
    """Return the least p-value of Fisher's test if so many of the launches of two cells hung in all."""
    extremes = {max(0, hung - other_launches), min(launches, hung)}
    return min(fisher(Rate(extreme, launches), Rate(hung - extreme, other_launches)) for extreme in extremes)
