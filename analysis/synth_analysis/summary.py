"""The claims about a device in short.

Whatever is at least as fair as a violated verdict is violated, too. So a few verdicts stand for all: the least fair
ones that the device violates, and the fairest that it may keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.models import library
from synth_checker.relations.fairness_order import is_implied, verdicts_of

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
    verdicts = {one.name: one for one in verdicts_of(library() if models is None else models)}

    def is_at_most(one: str, other: str) -> bool:
        return one != other and is_implied(verdicts[one], verdicts[other])

    def is_less(one: str, other: str) -> bool:
        return is_at_most(one, other) and not is_at_most(other, one)

    def fairest(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(one for one in names if not any(is_less(one, other) for other in names))

    known = [claim for claim in claims if claim.verdict in verdicts]
    violated = [claim.verdict for claim in known if claim.status == "violates"]
    implied = {one for one in verdicts if any(is_implied(verdicts[other], verdicts[one]) for other in violated)}
    return Summary(
        tuple(one for one in violated if not any(is_less(other, one) for other in violated)),
        fairest([claim.verdict for claim in known if claim.status == "consistent with"]),
        fairest([claim.verdict for claim in known if claim.verdict not in implied]),
    )
