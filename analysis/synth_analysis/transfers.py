"""Which cells do not count for a verdict because the verdict does not hold of their launches, and why.

Only models of one's own need this: the verdicts of the six models hold of every launch (docs/understand/semantics.md,
section 10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.claims import passed_verdicts
from synth_campaigns.transfer import transfer_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_campaigns.cell_result import CellResult
    from synth_checker.models import Model


class Doubt(NamedTuple):
    """Cells whose test passes a verdict, but of whose launches it is not proven that the verdict holds.

    - `left_out` is how many cells do not count for the verdict, and `reason` is about the first of them.
    - `tried` is how many cells count because launches of a few instances were judged.
    """

    verdict: str
    left_out: int
    tried: int
    reason: str


def doubts_of(results: Sequence[CellResult], models: tuple[Model, ...]) -> list[Doubt]:
    """Return the doubts about each verdict for which there are some."""
    passes = passed_verdicts({result.cell.test for result in results}, models)
    doubts = []
    for model in models:
        for form, name in zip(model.forms, model.verdicts, strict=True):
            counted = [
                result.cell
                for result in results
                if result.cell.across == "workgroups" and name in passes[result.cell.test]
            ]
            answers = [transfer_of(cell, model, form) for cell in counted]
            refused = [answer.reason for answer in answers if not answer.holds]
            tried = [answer.reason for answer in answers if answer.holds and not answer.is_proven]
            if refused or tried:
                doubts.append(Doubt(name, len(refused), len(tried), (refused or tried)[0]))
    return doubts
