"""The sentences about analysed campaigns. The text of `synth campaign analyse` and the report have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_analysis.unknown_devices import why_without_result
from synth_campaigns.views.cell_words import hangs
from synth_documents.phrases import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_analysis.answers.analysis import AnalysedDevice
    from synth_analysis.answers.witnesses import Witness
    from synth_analysis.transfers import Doubt
    from synth_campaigns.claims import Claim
    from synth_campaigns.summary import Distinction


def counts(device: AnalysedDevice) -> str:
    """Say how many launches of a device ended or hung, and how many of its cells hung."""
    cells = device.results.cells
    launches = sum(cell.counted for cell in cells)
    hung = sum(cell.hung > 0 for cell in cells)
    return f"{count(launches, 'launch')}; {count(hung, 'cell')} hung" if launches else "no launch ended or hung"


def evidence(claim: Claim) -> str:
    """Say what a claim rests on, or what went wrong. Nothing is said of a verdict for which nothing was launched."""
    published = ", as published" if claim.is_published else ""
    if claim.status == "violates" and not claim.witnesses:
        more = len(claim.pattern_witnesses) - 1
        others = f"; and {count(more, 'more cell')}" if more else ""
        return f"by who had finished: {hangs(claim.pattern_witnesses[0])}{others}"
    if claim.status == "violates":
        more = len(claim.witnesses) - 1
        others = f"; and {count(more, 'more cell')}" if more else ""
        return f"{hangs(claim.witnesses[0])}{others}{published}"
    if claim.status == "consistent with":
        launched = f"{count(claim.tests, 'test')}, {count(claim.launches, 'launch')}"
        bounds = f"rate of hangs below {claim.bound:.1%} per cell, {claim.simultaneous:.1%} in all cells at once (95 %)"
        return f"{launched}; {bounds}{published}"
    if claim.status == "inconclusive":
        more = len(claim.troubled) - 1
        others = f"; and {count(more, 'more cell')}" if more > 0 else ""
        return f"{claim.because}{others}{published}"
    return claim.because


def in_short(device: AnalysedDevice) -> Iterator[str]:
    """Yield sentences with the claims in short."""
    summary = device.summary
    status = {claim.verdict: claim.status for claim in device.claims}
    if why := why_without_result(device.results):
        yield why
        return
    if summary.violated:
        yield f"The least fair verdicts violated: {listed(summary.violated)}."
    else:
        yield "No verdict was seen to be violated by the tests that were launched."
    named = [f"{name} ({status[name]})" for name in summary.not_violated]
    if named:
        yield f"The fairest verdicts not violated: {listed(named)}."
    for apart in device.told_apart:
        yield from told_apart_words(apart)


def told_apart_words(group: Distinction) -> Iterator[str]:
    """Say from which less fair verdicts the launched tests could have told a verdict, and from which they could not."""
    if group.told:
        others = ", and from less fair ones" if group.is_more else ""
        yield f"The tests could have told {group.verdict} from {listed(group.told)}{others}."
    if group.untold:
        yield f"No test that was launched could tell {group.verdict} from {listed(group.untold)}."


def doubt_of(doubt: Doubt) -> str:
    """Say which cells do not count for a verdict, or count only because a few instances were judged."""
    if doubt.left_out:
        do = "does" if doubt.left_out == 1 else "do"
        cells = count(doubt.left_out, "cell")
        return f"{doubt.verdict} may not hold of launches, so {cells} {do} not count for it"
    return f"{doubt.verdict} is not proven to hold of launches, but was judged for a few instances"


def warnings(device: AnalysedDevice) -> Iterator[str]:
    """Warn if launches seem to depend on each other."""
    for difference, kind, others in (
        (device.first_launches, "first launches of processes", "later ones"),
        (device.after_hangs, "attempts after a hang", "others"),
    ):
        if difference and difference.is_worth_a_warning:
            first, rest = difference.some, difference.others
            rates = f"{first.hung} of {first.launches} {kind} hung, and {rest.hung} of {rest.launches} {others}"
            chance = f"by chance, this has a probability of {difference.chance:.1g}"
            yield f"Warning: launches seem to depend on each other. {rates}; {chance}."


def why_it_hung(witness: Witness) -> str:
    """Say how the test of a witness may hang, or that it may hang but not in this way."""
    if not witness.finished:
        one_way = "Here is one way, which may not be the one that was seen."
        return f"A scheduler that keeps only {witness.under} may let it hang. {one_way} {' '.join(witness.lasso)}"
    sets = ", and ".join(f"{_finished_words(names)} had finished in some instances" for names in witness.finished)
    verdicts = " or ".join(witness.verdicts)
    return f"In such a hang, {sets}. A scheduler that keeps {verdicts} may let this test hang, but not in this way."


def _finished_words(finished: str) -> str:
    """Say in words which threads had finished."""
    done = [str(thread) for thread, sign in enumerate(finished) if sign == "1"]
    return f"{'threads' if len(done) > 1 else 'only thread'} {listed(done)}" if done else "no thread"
