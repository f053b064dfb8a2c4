"""What the launches of a campaign say about the promises that a kernel needs from a device.

Only `synth kernel need --results` loads this module, because it loads all of campaigns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_campaigns.answers.status import ClaimFields, campaign_answer, claim_fields
from synth_campaigns.claims import claims_of
from synth_kernels.needs.answer import NeedsFields

if TYPE_CHECKING:
    from pathlib import Path

    from synth_campaigns.claims import Claim, Status
    from synth_kernels.needs import Needs

#: The claims from the best to the worst, for a device of which one claim is enough.
_BEST_FIRST: tuple[Status, ...] = ("consistent with", "inconclusive", "not tested", "violates")


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """What a campaign says about the promises that a kernel needs from a device.

    `claims` are those about the least fair verdicts that the kernel passes, each of which is enough for it. `status` is
    the best of them.
    """

    device: str
    claims: tuple[Claim, ...]

    @property
    def status(self) -> Status:
        """Return the claim about what the kernel needs."""
        return min((claim.status for claim in self.claims), key=_BEST_FIRST.index)


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


class DeviceResultFields(TypedDict):
    """What a campaign says about the promises that a kernel needs from a device.

    Each of the verdicts of `claims` is enough for the kernel, so `claim` is the best of them.
    """

    device: str
    claim: Literal["violates", "consistent with", "inconclusive", "not tested"]
    claims: list[ClaimFields]


class NeedFields(NeedsFields):
    """What a kernel needs, and the ids of the minimal litmus tests that have the kernel's verdicts, the smallest first.

    `results` has the devices of a campaign, if one is given.
    """

    tests: list[str]
    results: list[DeviceResultFields]


def result_fields(result: DeviceResult) -> DeviceResultFields:
    """Return what a campaign says of one device as JSON has it."""
    return {"device": result.device, "claim": result.status, "claims": list(map(claim_fields, result.claims))}
