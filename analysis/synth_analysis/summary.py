"""The claims about a device in short.

Whatever is at least as fair as a violated verdict is violated, too. So a few verdicts stand for all: the least fair
ones that the device violates, and the fairest that it may keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.relations.antichains import at_most_as_fair, fairest, least_fair

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


def summary_of(claims: Sequence[Claim], models: tuple[Model, ...] | None = None) -> Summary:
    """Return the claims about verdicts of some models in short. Without `models`, those of the paper are meant."""
    violated = [claim.verdict for claim in claims if claim.status == "violates"]
    consistent = [claim.verdict for claim in claims if claim.status == "consistent with"]
    at_most = at_most_as_fair(models)
    not_violated = [claim.verdict for claim in claims if at_most[claim.verdict].isdisjoint(violated)]
    return Summary(least_fair(violated, models), fairest(consistent, models), fairest(not_violated, models))
