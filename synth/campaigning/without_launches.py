"""Why no launch of a campaign ended or hung, so that it says nothing about any device."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_campaigns.results import CellResult


def why_nothing(cells: Sequence[CellResult], events: Iterable[tuple[str, str, str]]) -> str:
    """Say why no launch of some cells ended or hung; nothing if one did. Each event has a time, a kind and a text."""
    if any(one.counted for one in cells):
        return ""
    reasons = [text for _, kind, text in events if kind in {"set aside", "refused", "wedged"}]
    troubles = [f"{one.cell.test}: {', '.join(one.trouble)}" for one in cells if one.went_wrong]
    return f"no launch ended or hung: {([*reversed(reasons), *troubles] or ['nothing was launched yet'])[0]}"
