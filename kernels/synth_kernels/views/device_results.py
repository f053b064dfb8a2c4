"""The text about devices of `synth kernel need --results`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_campaigns.views.campaign import claim_words
from synth_kernels.views.needs import why_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_campaigns.claims import Status
    from synth_kernels.needs import Needs
    from synth_kernels.needs.device_results import DeviceResult

#: What is said of a device, by the claim about the promises that a kernel needs.
_GIVES: Mapping[Status, str] = {
    "violates": "{device} violates what {kernel} needs:",
    "consistent with": "{device} is consistent with what {kernel} needs:",
    "inconclusive": "It is inconclusive whether {device} gives what {kernel} needs:",
    "not tested": "It was not tested whether {device} gives what {kernel} needs:",
}


def results_lines(needs: Needs, results: Sequence[DeviceResult]) -> Iterator[str]:
    """Yield for each device of a campaign whether it was seen to give what a kernel needs."""
    name = needs.kernel.name
    if not results:
        yield f"{name} {why_nothing(needs)}, so no device is judged."
    for result in results:
        yield _GIVES[result.claim].format(device=result.device, kernel=name)
        width = max(len(claim.verdict) for claim in result.found)
        yield from (f"  {claim.verdict:{width}}  {claim_words(claim)}" for claim in result.found)
