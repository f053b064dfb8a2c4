"""The text of `synth campaign analyse`: what is claimed of each device, and the evidence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth.phrases import count, listed
from synth.views.lines import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.campaigning.analysing import AnalysedDevice, Analysis
    from synth.campaigning.witnesses import Witness
    from synth_campaigns.claims import Claim
    from synth_campaigns.results import CellResult

_COLUMNS = 100
#: The most cells that a claim names. --json has all.
_MOST_CELLS = 3


@printable
def analysis_lines(analysis: Analysis) -> Iterator[str]:
    """Yield lines about each device: a claim for each verdict, the claims in short, and the witnesses."""
    for number, device in enumerate(analysis.devices):
        if number:
            yield ""
        yield from _device_lines(device)


def _device_lines(device: AnalysedDevice) -> Iterator[str]:
    yield device_title(device)
    yield launched(device)
    yield ""
    width = max(len(claim.verdict) for claim in device.claims)
    for claim in device.claims:
        yield f"  {claim.verdict:{width}}  {claim.status:15}  {evidence(claim)}".rstrip()
    yield ""
    yield from in_short(device)
    yield from note_lines(device)
    for witness in device.witnesses:
        yield ""
        yield from witness_lines(witness)


def device_title(device: AnalysedDevice) -> str:
    """Say which device it is."""
    return f"{device.results.name}: {device.results.driver or 'nothing was launched yet'}"


def launched(device: AnalysedDevice) -> str:
    """Say how much was launched on a device."""
    cells = device.results.cells
    launches = sum(one.counted for one in cells)
    folders = sorted({str(place.folder) for place in device.results.places})
    hung = sum(one.hung > 0 for one in cells)
    return f"{count(len(cells), 'cell')} in {listed(folders)}: {count(launches, 'launch')}; {count(hung, 'cell')} hung"


def evidence(claim: Claim) -> str:
    """Say in words what a claim rests on; nothing if no launch tells of the verdict."""
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
        evidence = f"{count(claim.tests, 'test')}, {count(claim.launches, 'launch')}"
        bounds = f"rate of hangs below {claim.bound:.1%} per cell, {claim.simultaneous:.1%} in all cells at once (95 %)"
        return f"{evidence}; {bounds}{published}"
    if claim.status == "inconclusive":
        more = len(claim.troubled) - 1
        others = f"; and {count(more, 'more cell')}" if more > 0 else ""
        return f"{claim.because}{others}{published}"
    return ""


def hangs(one: CellResult) -> str:
    """Say how often a cell hung."""
    where = f"{one.cell.test} under {one.cell.setting.mapping}"
    if one.is_least:
        return f"{where} hung in at least one launch"
    return f"{where} hung in {one.hung} of {count(one.counted, 'launch')}"


def rate(one: CellResult) -> str:
    """Say what is known of the rate of hangs of a cell, as far as the end of the launches does not bias it."""
    if one.course is None or one.course.first_hang is None:
        return f"The rate is {_interval(one)} (95 %)." if one.interval else ""
    made = f"Launches by {count(one.course.processes, 'process')}"
    if one.interval is None or one.sample is None:
        return f"{made}: the first hang came at launch {one.course.first_hang}, and no later launch ended or hung."
    if one.sample.launches == one.counted:
        return f"{made}. The rate is {_interval(one)} (95 %)."
    after = f"then {one.sample.hung} of {count(one.sample.launches, 'launch')} hung"
    return f"{made}: the first hang came at launch {one.course.first_hang}, {after}, a rate of {_interval(one)} (95 %)."


def _interval(one: CellResult) -> str:
    low, high = one.interval or (0.0, 1.0)
    return f"{low:.1%} to {high:.1%}"


def in_short(device: AnalysedDevice) -> Iterator[str]:
    """Yield the claims about a device in short."""
    summary = device.summary
    status = {claim.verdict: claim.status for claim in device.claims}
    if summary.violated:
        yield f"The least fair verdicts violated: {listed(summary.violated)}."
    else:
        yield "No verdict was seen to be violated."
    named = [f"{one} ({status[one]})" for one in summary.not_violated]
    if named:
        yield f"The fairest verdicts not violated: {listed(named)}."


def note_lines(device: AnalysedDevice) -> Iterator[str]:
    """Yield what a reader must know besides the claims. A line that begins with spaces belongs to the one above it."""
    yield from _doubt_lines(device)
    yield from _memory_lines(device)
    yield from _suspected_lines(device)
    yield from _dependence_lines(device)


def _doubt_lines(device: AnalysedDevice) -> Iterator[str]:
    for doubt in device.doubts:
        if doubt.left_out:
            do = "does" if doubt.left_out == 1 else "do"
            cells = count(doubt.left_out, "cell")
            yield f"{doubt.verdict} may not hold of launches, so {cells} {do} not count for it:"
        else:
            yield f"{doubt.verdict} is not proven to hold of launches, but was judged for a few instances:"
        yield f"  {doubt.reason}"


def _memory_lines(device: AnalysedDevice) -> Iterator[str]:
    of_memory = {(one.campaign, one.number): one for claim in device.claims for one in claim.relaxed_witnesses}
    if of_memory:
        yield "Hung, but perhaps because of the relaxed memory:"
        yield from _some([hangs(one) for one in of_memory.values()])


def _suspected_lines(device: AnalysedDevice) -> Iterator[str]:
    found = device.suspected
    if found:
        yield "Suspected hangs, where the device was lost at the time of a watchdog:"
        yield from _some([_suspicion(one) for one in found])


def _dependence_lines(device: AnalysedDevice) -> Iterator[str]:
    """Warn if launches seem to depend on each other."""
    for found, some, others in (
        (device.first_launches, "first launches of processes", "later ones"),
        (device.after_hangs, "attempts after a hang", "others"),
    ):
        if found and found.is_worth_a_warning:
            rates = f"{found.some.hung} of {found.some.launches} {some} hung, and {found.others.hung} of "
            chance = f"by chance, this has a probability of {found.chance:.1g}"
            yield f"Warning: launches seem to depend on each other. {rates}{found.others.launches} {others}; {chance}."


def _suspicion(one: CellResult) -> str:
    suspected = one.outcomes["suspected hang"]
    where = f"{one.cell.test} under {one.cell.setting.mapping}"
    launches = suspected + one.counted
    return f"{where}: {suspected} of {count(launches, 'launch')} ({suspected / launches:.1%})"


def _some(texts: Sequence[str]) -> Iterator[str]:
    yield from (f"  {text}" for text in texts[:_MOST_CELLS])
    if len(texts) > _MOST_CELLS:
        yield f"  and {len(texts) - _MOST_CELLS} more (see --json)"


def _finished_words(finished: str) -> str:
    """Say in words which threads had finished."""
    done = [str(thread) for thread, sign in enumerate(finished) if sign == "1"]
    return f"{'threads' if len(done) > 1 else 'only thread'} {listed(done)}" if done else "no thread"


def witness_lines(witness: Witness) -> Iterator[str]:
    """Yield all about a witness: how often it hung, its program, how it may run for ever, and how to run it again."""
    yield f"Witness against {listed(witness.verdicts)}: {hangs(witness.result)}"
    if known := rate(witness.result):
        yield known
    yield from (f"  {line}".rstrip() for line in witness.program.strip().splitlines())
    if witness.finished:
        sets = ", and ".join(f"{_finished_words(one)} had finished in some instances" for one in witness.finished)
        verdicts = " or ".join(witness.verdicts)
        yield from _wrapped(
            f"In such a hang, {sets}. A scheduler that keeps {verdicts} may let this test hang, but not in this way."
        )
    else:
        yield from _wrapped(f"A scheduler that keeps only {witness.under} may let it hang. {' '.join(witness.lasso)}")
    if witness.command:
        yield f"Run it again: {witness.command}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _COLUMNS, break_on_hyphens=False)
