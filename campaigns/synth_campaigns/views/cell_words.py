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


def hangs(result: CellResult) -> str:
    """Say how often a cell hung, and by what this was seen if its hangs count."""
    where = f"{result.cell.test} under {result.cell.setting.mapping}"
    if result.is_least:
        return f"{where} hung in at least one launch"
    return f"{where} hung in {result.hung} of {count(result.counted, 'launch')}{_EVIDENCE.get(result.evidence, '')}"


def grounds(result: CellResult) -> str:
    """Say why the hangs of a cell count. Nothing is said of a simulation that decides, or of a published table."""
    if result.evidence == "flags":
        return "Seen by flags: some thread had not finished, and no flag changed for at least half of the time-out."
    if result.by_time is None:
        return ""
    by_time, control = result.by_time, control_of(result.cell.test)
    sizes, least = instances_words(by_time.sizes), count(by_time.ended or 0, "instance")
    ended = f"; {least} ended in a moment" if by_time.ended else ""
    return (
        f"By time: without its waiting, {control} ended in at most {by_time.control_s:.2g} s. With {sizes} at once, it "
        f"hung, each time for at least {by_time.waited_s:.3g} s{ended}."
    )


def circumstances(result: CellResult) -> str:
    """Say what ran before a hang, how busy the machine was, when launches were given up, and how many instances ran.

    On a simulated device, only the number of instances matters.
    """
    known = result.circumstances
    before = (known and known.before) or "unknown"
    load = "unknown" if known is None or known.load is None else f"{known.load:g}"
    seconds = [f"{seconds:g}" for seconds in known.timeouts_s] if known else []
    after = f"after {' or '.join(seconds)} seconds" if seconds else "after an unknown time"
    instances = instances_words([result.cell.setting.instances]) if result.cell.setting.instances else "unknown"
    beside = "" if result.decides else f"Run before it: {before}. Load: {load}. Given up {after}. "
    return f"{beside}Run at once: {instances}."


def rate(result: CellResult) -> str:
    """Say what is known of the rate of hangs of a cell, as far as the end of the launches does not bias it."""
    if result.course is None or result.course.first_hang is None:
        return f"The rate is {_interval(result)} (95 %)." if result.interval else ""
    processes = f"Launches by {count(result.course.processes, 'process')}"
    first_hang = f"the first hang came at launch {result.course.first_hang}"
    if result.interval is None or result.sample is None:
        return f"{processes}: {first_hang}; no launch after it counts."
    if result.sample.launches == result.counted:
        return f"{processes}. The rate is {_interval(result)} (95 %)."
    after = f"then {result.sample.hung} of {count(result.sample.launches, 'launch')} hung"
    return f"{processes}: {first_hang}, {after}, a rate of {_interval(result)} (95 %)."


def _interval(result: CellResult) -> str:
    low, high = result.interval or (0.0, 1.0)
    return f"{low:.1%} to {high:.1%}"


def suspicion(result: CellResult) -> str:
    """Say in how many launches of a cell a watchdog may have ended a hang."""
    suspected = result.outcomes["suspected hang"]
    where = f"{result.cell.test} under {result.cell.setting.mapping}"
    launches = suspected + result.counted
    return f"{where}: {suspected} of {count(launches, 'launch')} ({suspected / launches:.1%})"


def unfinished(cells: Sequence[CellResult]) -> dict[str, str]:
    """Return for each campaign that is not finished how many of its cells are not done, by its folder."""
    words = {}
    for campaign in dict.fromkeys(cell.campaign for cell in cells):
        its = [cell for cell in cells if cell.campaign == campaign]
        undone = sum(not cell_result.is_finished for cell_result in its)
        if undone:
            words[campaign] = f"{undone} of {count(len(its), 'cell')} are not done"
    return words
