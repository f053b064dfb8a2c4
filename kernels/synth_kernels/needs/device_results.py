"""What the launches of a campaign say about the promises that a kernel needs from a device.

Only `synth kernel need --results` loads this module, because it loads all of campaigns.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_campaigns.answers.status import ClaimFields, campaign_answer, claim_fields
from synth_campaigns.claims import Status, claims_of
from synth_kernels.needs.answer import NeedAnswer
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from synth_campaigns.claims import Claim
    from synth_kernels.needs import Needs

#: The claims from the best to the worst, for a device of which one claim is enough.
_BEST_FIRST: tuple[Status, ...] = ("consistent with", "inconclusive", "not tested", "violates")


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """What a campaign says about the promises that a kernel needs from a device.

    Each of the verdicts of `claims` is enough for the kernel, so `claim` is the best of them.
    """

    device: str
    claim: Status = field(init=False)
    claims: list[ClaimFields] = field(init=False)
    found: tuple[Claim, ...] = field(metadata=HIDDEN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "claim", best_of(claim.status for claim in self.found))
        object.__setattr__(self, "claims", list(map(claim_fields, self.found)))


@dataclass(frozen=True, slots=True)
class NeedWithResults(NeedAnswer):
    """What a kernel needs, and the ids of the minimal litmus tests that have the kernel's verdicts, the smallest first.

    `results` has the devices of a campaign, if somebody asks for one.
    """

    results: Sequence[DeviceResult] = ()


def best_of(claims: Iterable[Status]) -> Status:
    """Return the best of claims about verdicts that are each enough for a kernel."""
    return min(claims, key=_BEST_FIRST.index)


def results_of(needs: Needs, campaign: Path) -> tuple[DeviceResult, ...]:
    """Return for each device of a campaign what is claimed about the promises that a kernel needs.

    There is nothing to claim if the kernel needs no promise, or if none is enough.

    Raises:
        InputError: the folder holds no campaign.
        ResourceError: reading the results failed.
    """
    devices = campaign_answer(campaign).devices
    if not needs.passed or "unfair" in needs.passed:
        return ()
    return tuple(
        DeviceResult(
            device.name,
            tuple(claim for claim in claims_of(device.cells, needs.query.models) if claim.verdict in needs.least),
        )
        for device in devices
    )
