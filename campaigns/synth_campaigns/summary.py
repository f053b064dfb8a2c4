"""The claims about a device in short.

If a verdict is violated, so are all that are at least as fair. So a few verdicts stand for all: the least fair
ones that the device violates, and the fairest that it may keep.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.claims import passed_verdicts
from synth_checker.relations.antichains import at_most_as_fair, fairest, least_fair, less_fair
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_campaigns.claims import Claim
    from synth_checker.models import Model


class Summary(NamedTuple):
    """The claims in short.

    - `violated` are the least fair verdicts that the device violates.
    - `consistent` are the fairest that it is consistent with.
    - `not_violated` are the fairest that it was not seen to violate, tested or not.
    """

    violated: tuple[str, ...]
    consistent: tuple[str, ...]
    not_violated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distinction:
    """What tests that were launched could have told about a verdict that the device was not seen to violate.

    - `told` are the fairest of the less fair verdicts from which some test tells it: the test passes the verdict and
      fails those.
    - `untold` are the least fair of those from which no test tells it.
    """

    verdict: str
    told: tuple[str, ...]
    untold: tuple[str, ...]
    #: Whether there are less fair ones than those in `told`.
    is_more: bool = field(metadata=HIDDEN)


def distinctions_of(
    claims: Sequence[Claim], summary: Summary, models: tuple[Model, ...] | None = None
) -> list[Distinction]:
    """Return what launched tests could have told about each of the fairest verdicts that are not violated.

    Without `models`, those of the paper are meant.
    """
    less, by_verdict = less_fair(models), {claim.verdict: claim for claim in claims}
    apart = []
    for verdict in summary.not_violated:
        tests = {cell.cell.test for cell in by_verdict[verdict].cells if cell.counted}
        passes = passed_verdicts(tests, models)
        others = [other for other in by_verdict if other in less[verdict]]
        refuted = [other for other in others if any(other not in passed for passed in passes.values())]
        untold = [other for other in others if other not in refuted]
        best = fairest(refuted, models)
        apart.append(Distinction(verdict, best, least_fair(untold, models), len(refuted) > len(best)))
    return apart


def summary_of(claims: Sequence[Claim], models: tuple[Model, ...] | None = None) -> Summary:
    """Return the claims about verdicts of some models in short. Without `models`, those of the paper are meant."""
    violated = [claim.verdict for claim in claims if claim.status == "violates"]
    consistent = [claim.verdict for claim in claims if claim.status == "consistent with"]
    at_most = at_most_as_fair(models)
    not_violated = [claim.verdict for claim in claims if at_most[claim.verdict].isdisjoint(violated)]
    return Summary(least_fair(violated, models), fairest(consistent, models), fairest(not_violated, models))
