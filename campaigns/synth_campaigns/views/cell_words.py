"""The sentences about the results of a cell: how often it hung, why its hangs count, and what is not done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_campaigns.time_evidence import control_of, instances_words
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_campaigns.cell_result import CellResult

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


def suspicion(one: CellResult) -> str:
    """Say in how many launches of a cell a watchdog may have ended a hang."""
    suspected = one.outcomes["suspected hang"]
    where = f"{one.cell.test} under {one.cell.setting.mapping}"
    launches = suspected + one.counted
    return f"{where}: {suspected} of {count(launches, 'launch')} ({suspected / launches:.1%})"


def unfinished(cells: Sequence[CellResult]) -> dict[str, str]:
    """Return for each campaign that is not finished how many of its cells are not done, by its folder."""
    found = {}
    for campaign in dict.fromkeys(cell.campaign for cell in cells):
        its = [cell for cell in cells if cell.campaign == campaign]
        left = sum(not cell_result.is_finished for cell_result in its)
        if left:
            found[campaign] = f"{left} of {count(len(its), 'cell')} are not done"
    return found
