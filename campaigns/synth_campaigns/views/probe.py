"""The answer of `synth probe`, on one screen of 24 lines with 80 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_campaigns.summary import distinctions_of
from synth_documents.lines import printable
from synth_documents.phrases import count, listed, shown
from synth_documents.readable import duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_campaigns.answers.status import DeviceAnswer
    from synth_campaigns.claims import Claim
    from synth_campaigns.summary import Summary

COLUMNS = 80


@printable
def probe_lines(device: DeviceAnswer, summary: Summary, seconds: float, folder: Path) -> Iterator[str]:
    """Yield the lines of the screen: the device, the claims in short, each verdict, and what was not tested."""
    launches, hung = sum(cell.counted for cell in device.cells), sum(cell.hung > 0 for cell in device.cells)
    tests = len({cell.cell.test for cell in device.cells})
    mappings = len({cell.cell.setting.mapping for cell in device.cells})
    yield _cut(f"Device {device.name}: {device.driver}")
    launched = f"{count(launches, 'launch')} in {duration(seconds)}"
    cells = f"{hung} of {count(len(device.cells), 'cell')} hung"
    yield _cut(f"{count(tests, 'test')} under {count(mappings, 'mapping')}: {launched}; {cells}")
    yield ""
    if not launches:
        yield "No launch ended or hung, so nothing is known of the device."
    elif summary.violated:
        yield from _wrapped(f"It broke {listed(summary.violated)}, so it gives nothing stronger.")
    else:
        yield "It was not seen to violate a verdict by these tests."
    if summary.consistent:
        yield from _wrapped(f"What it did is consistent with {listed(summary.consistent)}.")
        pairs = [
            f"{apart.verdict} from {listed(apart.told)}"
            for apart in distinctions_of(device.claims, summary)
            if apart.told
        ]
        if pairs:
            yield from _wrapped(f"The tests could have told {listed(pairs)}.")
    yield ""
    width = max(len(claim.verdict) for claim in device.claims)
    for claim in device.claims:
        if claim.cells:
            yield _cut(f"  {claim.verdict:{width}}  {_evidence(claim)}")
    yield ""
    yield from _wrapped(
        "Not tested: other mappings and numbers of workgroups, stress, other load, and progress within a workgroup. No "
        "claim says that the device keeps a promise for sure."
    )
    yield _cut(f"Every launch is kept: synth campaign status {folder}")


def _evidence(claim: Claim) -> str:
    if claim.status == "violates":
        first = claim.witnesses[0]
        kind = {"time": "by time: ", "flags": "by flags: "}.get(first.evidence, "")
        where = f"{first.cell.test}, {first.cell.setting.mapping}"
        return f"violates    {kind}{where}: {first.hung} of {first.counted} hung"
    if claim.status == "consistent with":
        evidence = f"{count(claim.tests, 'test')}, {count(claim.launches, 'launch')}"
        return f"consistent  {evidence}; rate of hangs below {claim.bound:.1%}"
    if claim.status == "inconclusive":
        return f"unclear     {claim.because}"
    return f"not tested  {claim.because}".rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, COLUMNS)


def _cut(text: str) -> str:
    line = shown(text)
    return line if len(line) <= COLUMNS else f"{line[: COLUMNS - 4]} ..."
