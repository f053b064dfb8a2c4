"""The steps of an execution in few rows, for people: what only one order of threads makes long is told in one row.

Two steps may change places if they are of different threads and neither is at a barrier where the other thread may
wait. Besides, they must not touch the same element, or both must only read it. So the steps before a cycle are put into
an order in which a workgroup goes on for as long as it can, and its threads do the same one after the other. This is
done only if it changes nothing: each step still does the same, and the launch comes to the same state. The steps of a
cycle keep their order, because a promise may rest on each of its states. A cycle that reads the same twice is shown
once.

A row then tells what the threads of a workgroup do at one place. A barrier that a workgroup passes is told in the row
of what the workgroup did before.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from synth_documents.phrases import listed
from synth_kernels.needs.answer import replayed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.needs import Judged
    from synth_kernels.needs.answer import Done
    from synth_kernels.program import SourcePlace
    from synth_kernels.progress.verdicts import Hang

#: Executions with more steps keep their order, and a row tells of at most so many steps.
_MOST_STEPS, _TOLD = 400, 3


class Folded(NamedTuple):
    """What some threads of a workgroup do at one place. `locals` are their local ids."""

    group: tuple[int, ...]
    locals: tuple[tuple[int, ...], ...]
    place: SourcePlace
    does: str


def folded(judged: Judged, found: Hang) -> tuple[list[Folded], list[Folded]]:
    """Return the rows before the cycle of an execution, and those of its cycle."""
    before = in_order(judged, found.before)
    steps, _ = replayed(judged, (*(done.thread for done in before), *found.cycle))
    return rows_of_steps(steps[: len(before)]), rows_of_steps(_once(steps[len(before) :]))


def in_order(judged: Judged, threads: Sequence[int]) -> list[Done]:
    """Return the steps of some threads from the start, in an order that needs few rows."""
    steps, end = replayed(judged, threads)
    if len(steps) > _MOST_STEPS or not judged.space.machine.rules.merges:  # a model may tell the orders apart
        return steps
    order = _ordered(steps)
    threads = [steps[one].thread for one in order]
    again, state = replayed(judged, threads)
    does_the_same = [done.does for done in again] == [steps[one].does for one in order]
    return again if state == end and does_the_same else steps


def _ordered(steps: Sequence[Done]) -> list[int]:
    """Return the places of the steps in the new order."""
    waits_for = [
        {earlier for earlier in range(one) if _depend(steps[earlier], steps[one])} for one in range(len(steps))
    ]
    keys = _keys(steps)
    left = list(range(len(steps)))
    order: list[int] = []
    done: set[int] = set()
    while left:
        ready = [one for one in left if waits_for[one] <= done]
        partly = {keys[one] for one in left if one not in ready}
        last = steps[order[-1]].group if order else None
        first = min(ready, key=lambda one: (keys[one] in partly, steps[one].group != last, one))
        chosen = [one for one in ready if keys[one] == keys[first]]
        order += chosen
        done.update(chosen)
        left = [one for one in left if one not in done]
    return order


def _keys(steps: Iterable[Done]) -> list[tuple[object, ...]]:
    """Return for each step its workgroup and place, and how often its thread was there before."""
    been: Counter[tuple[object, ...]] = Counter()
    found: list[tuple[object, ...]] = []
    for step in steps:
        here = (step.group, step.place)
        found.append((*here, been[*here, step.thread]))
        been[*here, step.thread] += 1
    return found


def _depend(one: Done, other: Done) -> bool:
    if one.thread == other.thread or (one.group == other.group and (one.is_barrier or other.is_barrier)):
        return True
    if one.is_barrier or other.is_barrier:
        return one.is_grid or other.is_grid
    return (one.writes or other.writes) and not set(one.elements).isdisjoint(other.elements)


def _once(steps: list[Done]) -> list[Done]:
    """Return one round of a cycle that goes the same rounds again, whatever the order of threads at one place."""
    rounds = _runs(steps)
    told = [sorted((one.local, one.place, one.does) for one in run) for run in rounds]
    for length in range(1, len(told)):
        if len(told) % length == 0 and told == told[:length] * (len(told) // length):
            return [done for run in rounds[:length] for done in run]
    return steps


def _runs(steps: Iterable[Done]) -> list[list[Done]]:
    """Divide steps into runs of those of one workgroup at one place, each of another thread."""
    found: list[list[Done]] = []
    for step in steps:
        if found and step.is_like(found[-1][0]) and all(step.thread != other.thread for other in found[-1]):
            found[-1].append(step)
        else:
            found.append([step])
    return found


def rows_of_steps(steps: Iterable[Done]) -> list[Folded]:
    """Return the rows that tell some steps."""
    rows: list[Folded] = []
    passed: list[list[int]] = []  # the lines of the barriers that the workgroup of a row passes
    for run in _runs(steps):
        first, passes = run[0], any(done.passes for done in run)
        if passes and rows and rows[-1].group == first.group and rows[-1].place.file == first.place.file:
            passed[-1].append(first.place.line)
            continue
        run.sort(key=lambda one: one.thread)
        does = "" if passes else "; ".join(dict.fromkeys(done.does for done in run[:_TOLD]))
        does += f"; and {len(run) - _TOLD} more" if len(run) > _TOLD and not first.is_barrier else ""
        rows.append(Folded(first.group, tuple(done.local for done in run), first.place, does))
        passed.append([first.place.line] if passes else [])
    return [row._replace(does=_also(row.does, lines)) for row, lines in zip(rows, passed, strict=True)]


def _also(does: str, lines: Sequence[int]) -> str:
    """Return what a row tells, with the barriers that its workgroup passes."""
    if not lines:
        return does
    several = len(set(lines)) > 1
    barriers = f"passes the barrier{'s' * (len(lines) > 1)} of line{'s' * several}"
    return f"{does}{'; ' if does else ''}{barriers} {listed([str(line) for line in dict.fromkeys(lines)])}"
