"""Why nothing is known of a device: nothing was launched there, or no launch ended or hung.

A campaign sets a device aside that is missing, broken or another one than expected, and writes down why. The last such
reason counts, or else what the first launch was that went wrong.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_campaigns.cell_result import CellResult


def why_nothing(cells: Sequence[CellResult], events: Iterable[tuple[str, str, str]]) -> str:
    """Return why no launch of some cells ended or hung, or nothing if one did.

    Each event has a time, a kind and a text.
    """
    if any(cell.counted for cell in cells):
        return ""
    ends: Counter[str] = Counter()
    for cell in cells:
        ends.update(cell.outcomes)
    aside = [text for _, kind, text in events if kind == "set aside"]
    reasons = [*reversed(aside), *(reason for cell in cells for reason in cell.reasons.values())]
    why = f": {reasons[0].rstrip('.')}" if reasons else ""
    if not ends:
        return f"nothing was launched{why or ' yet'}"
    said = ", ".join(f"{number:,} {end}" for end, number in ends.items())
    return f"no launch ended or hung; {said}{why}"
