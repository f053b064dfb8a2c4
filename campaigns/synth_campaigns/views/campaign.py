"""The texts of `synth campaign`: how far a campaign has come, and what is claimed of each device."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_campaigns.views.cell_words import hangs
from synth_documents.lines import printable
from synth_documents.phrases import count, listed
from synth_documents.readable import duration, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_campaigns.answers.plan import CampaignPlan
    from synth_campaigns.answers.status import CampaignAnswer, DeviceAnswer
    from synth_campaigns.claims import Claim


@printable
def campaign_lines(answer: CampaignAnswer) -> Iterator[str]:
    """Yield lines about each device: what it is, how far it has come, a claim for each verdict, and what went wrong."""
    for number, device in enumerate(answer.devices):
        if number:
            yield ""
        yield from device_lines(device)
    for time, kind, text in answer.events:
        yield f"{time} {kind}: {text}"


@printable
def plan_lines(plan: CampaignPlan) -> Iterator[str]:
    """Yield lines about each device: how many cells and launches it has, and how long these may take."""
    for device in plan.devices:
        mappings = listed(device.mappings)
        yield f"{device.device}: {count(device.cells, 'cell')}, {count(device.tests, 'test')} under {mappings}"
        longest = f"; if every launch hangs, {duration(device.longest_s)}" if device.longest_s else ""
        yield f"  {count(device.launches, 'launch')} if nothing hangs{longest}"
        if device.usual_s is None:
            yield "  The usual time is unknown before the first launches. Run it for a minute, and plan again."
        else:
            yield f"  By the {count(device.tried, 'cell')} tried so far, usually {duration(device.usual_s)}"
    yield f"Results take about {size(plan.disk)}, and the programs of the tests more. Nothing was run."


@printable
def device_lines(device: DeviceAnswer) -> Iterator[str]:
    """Yield lines about one device."""
    launches = sum(cell.counted for cell in device.cells)
    hung = sum(cell.hung > 0 for cell in device.cells)
    yield f"{device.name}: {device.driver or 'nothing was launched yet'}"
    yield (
        f"{device.finished:,} of {count(len(device.cells), 'cell')} done, {count(launches, 'launch')}; "
        f"{count(hung, 'cell')} hung"
    )
    wrong = _wrong(device)
    if wrong:
        yield "besides: " + ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(wrong.items()))
    width = max(len(claim.verdict) for claim in device.claims)
    for claim in device.claims:
        yield f"  {claim.verdict:{width}}  {claim_words(claim)}"


def claim_words(claim: Claim) -> str:
    """Return a claim in words, with its evidence in short."""
    if claim.status == "violates":
        first = claim.witnesses[0]
        more = f", and {count(len(claim.witnesses) - 1, 'more cell')}" if len(claim.witnesses) > 1 else ""
        return f"violates         {hangs(first)}{more}{_published(claim)}"
    if claim.status == "consistent with":
        evidence = f"{count(claim.tests, 'test')}, {count(claim.launches, 'launch')}"
        rate = f"rate of hangs below {claim.bound:.1%} per cell (95 %)"
        return f"consistent with  {evidence}; {rate}{_published(claim)}"
    if claim.status == "inconclusive":
        return f"inconclusive     {claim.because}{_published(claim)}"
    return f"not tested       {claim.because}".rstrip()


def _published(claim: Claim) -> str:
    return ", as published" if claim.is_published else ""


def _wrong(device: DeviceAnswer) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    for cell in device.cells:
        outcomes.update({str(o): n for o, n in cell.outcomes.items() if o not in ("ended", "hung")})
    return outcomes
