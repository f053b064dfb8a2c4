"""The sentences about analysed campaigns. The text of `synth campaign analyse` and the report have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.phrases import count, listed
from synth_analysis.without_result import why_without_result
from synth_campaigns.timing import control_of, instances_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.campaigning.analysing import AnalysedDevice
    from synth.campaigning.witnesses import Witness
    from synth_analysis.summary import ToldApart
    from synth_analysis.transfers import Doubt
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim


def counts(device: AnalysedDevice) -> str:
    """Say how many launches of a device ended or hung, and how many of its cells hung."""
    cells = device.results.cells
    launches = sum(one.counted for one in cells)
    hung = sum(one.hung > 0 for one in cells)
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


#: What confirmed hangs rest on, where more than one thing is possible.
_EVIDENCE = {"flags": ", seen by flags", "time": ", by time"}


def hangs(one: CellResult) -> str:
    """Say how often a cell hung, and by what this was seen if its hangs count."""
    where = f"{one.cell.test} under {one.cell.setting.mapping}"
    if one.is_least:
        return f"{where} hung in at least one launch"
    return f"{where} hung in {one.hung} of {count(one.counted, 'launch')}{_EVIDENCE.get(one.evidence, '')}"


def grounds(one: CellResult) -> str:
    """Say why the hangs of a cell count. Nothing is said of a simulation that decides, or of a published table."""
    if one.evidence == "flags":
        return "Seen by flags: some thread had not finished, and no flag changed for at least half of the time-out."
    if one.by_time is None:
        return ""
    found, control = one.by_time, control_of(one.cell.test)
    sizes, least = instances_words(found.sizes), count(found.ended or 0, "instance")
    return (
        f"By time: without its waiting, {control} ended in at most {found.control_s:.2g} s. With {sizes} at once, it "
        f"hung, each time for at least {found.waited_s:.3g} s{f'; {least} ended in a moment' if found.ended else ''}."
    )


def circumstances(one: CellResult) -> str:
    """Say what ran before a hang, how busy the machine was, when launches were given up, and how many instances ran.

    On a simulated device, only the number of instances matters.
    """
    known = one.circumstances
    before = (known and known.before) or "unknown"
    load = "unknown" if known is None or known.load is None else f"{known.load:g}"
    seconds = [f"{seconds:g}" for seconds in known.timeouts_s] if known else []
    after = f"after {' or '.join(seconds)} seconds" if seconds else "after an unknown time"
    instances = instances_words([one.cell.setting.instances]) if one.cell.setting.instances else "unknown"
    beside = "" if one.decides else f"Run before it: {before}. Load: {load}. Given up {after}. "
    return f"{beside}Run at once: {instances}."


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
    named = [f"{one} ({status[one]})" for one in summary.not_violated]
    if named:
        yield f"The fairest verdicts not violated: {listed(named)}."
    for one in device.told_apart:
        yield from told_apart_words(one)


def told_apart_words(one: ToldApart) -> Iterator[str]:
    """Say from which less fair verdicts the launched tests could have told a verdict, and from which they could not."""
    if one.told:
        others = ", and from less fair ones" if one.is_more else ""
        yield f"The tests could have told {one.verdict} from {listed(one.told)}{others}."
    if one.untold:
        yield f"No test that was launched could tell {one.verdict} from {listed(one.untold)}."


def doubt_of(doubt: Doubt) -> str:
    """Say which cells do not count for a verdict, or count only because a few instances were judged."""
    if doubt.left_out:
        do = "does" if doubt.left_out == 1 else "do"
        cells = count(doubt.left_out, "cell")
        return f"{doubt.verdict} may not hold of launches, so {cells} {do} not count for it"
    return f"{doubt.verdict} is not proven to hold of launches, but was judged for a few instances"


def warnings(device: AnalysedDevice) -> Iterator[str]:
    """Warn if launches seem to depend on each other."""
    for found, some, others in (
        (device.first_launches, "first launches of processes", "later ones"),
        (device.after_hangs, "attempts after a hang", "others"),
    ):
        if found and found.is_worth_a_warning:
            rates = f"{found.some.hung} of {found.some.launches} {some} hung, and {found.others.hung} of "
            chance = f"by chance, this has a probability of {found.chance:.1g}"
            yield f"Warning: launches seem to depend on each other. {rates}{found.others.launches} {others}; {chance}."


def suspicion(one: CellResult) -> str:
    """Say in how many launches of a cell a watchdog may have ended a hang."""
    suspected = one.outcomes["suspected hang"]
    where = f"{one.cell.test} under {one.cell.setting.mapping}"
    launches = suspected + one.counted
    return f"{where}: {suspected} of {count(launches, 'launch')} ({suspected / launches:.1%})"


def why_it_hung(witness: Witness) -> str:
    """Say how the test of a witness may hang, or that it may hang but not in this way."""
    if not witness.finished:
        return f"A scheduler that keeps only {witness.under} may let it hang. {' '.join(witness.lasso)}"
    sets = ", and ".join(f"{_finished_words(one)} had finished in some instances" for one in witness.finished)
    verdicts = " or ".join(witness.verdicts)
    return f"In such a hang, {sets}. A scheduler that keeps {verdicts} may let this test hang, but not in this way."


def _finished_words(finished: str) -> str:
    """Say in words which threads had finished."""
    done = [str(thread) for thread, sign in enumerate(finished) if sign == "1"]
    return f"{'threads' if len(done) > 1 else 'only thread'} {listed(done)}" if done else "no thread"


def unfinished(cells: Sequence[CellResult]) -> dict[str, str]:
    """Return for each campaign that is not finished how many of its cells are not done, by its folder."""
    found = {}
    for campaign in dict.fromkeys(one.campaign for one in cells):
        its = [one for one in cells if one.campaign == campaign]
        left = sum(not one.is_finished for one in its)
        if left:
            found[campaign] = f"{left} of {count(len(its), 'cell')} are not done"
    return found
