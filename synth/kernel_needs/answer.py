"""The answer of `synth kernel`: what a kernel needs, and the steps of an execution that does not end. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth_kernels.program import Place
from synth_kernels.progress.space import step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.kernel_needs import Judged, Needs
    from synth_kernels.progress.machine import Deed, Machine
    from synth_kernels.progress.verdicts import Hang


class Row(NamedTuple):
    """A step of an execution: the group and the local id of its thread, where, and what it does."""

    group: tuple[int, ...]
    local: tuple[int, ...]
    place: Place
    does: str


def rows_of(judged: Judged, found: Hang) -> tuple[list[Row], list[Row]]:
    """Return the steps before the cycle of an execution, and those of its cycle."""
    machine = judged.space.machine
    state = judged.space.states[0]
    rows = []
    for thread in (*found.before, *found.cycle):
        local = state[1][thread]
        state, deed = step(machine, state, thread)
        line = machine.line_of(local)
        place = machine.kernel.places.get(line) or Place("", line)
        rows.append(
            Row(*machine.threads[thread], place, "arrives at a barrier" if deed is None else _did(machine, deed))
        )
    return rows[: len(found.before)], rows[len(found.before) :]


def waiting_in(judged: Judged, found: Hang) -> list[Row]:
    """Return where the threads wait that have not ended when an execution without a cycle is stuck."""
    machine = judged.space.machine
    state = judged.space.states[0]
    for thread in found.before:
        state = step(machine, state, thread).after
    rows = []
    for thread, local in enumerate(state[1]):
        if local.status == "waiting":
            line = machine.line_of(local)
            place = machine.kernel.places.get(line) or Place("", line)
            rows.append(Row(*machine.threads[thread], place, "waits at a barrier for ever"))
    return rows


def _did(machine: Machine, deed: Deed) -> str:
    array, _, number = machine.names[deed.elements[0]]
    element = f"{array}[{number}]"
    if deed.after is None:
        return f"reads {element}, which is {deed.before}"
    if deed.after == deed.before:
        return f"writes {element}, which stays {deed.before}"
    return f"changes {element} from {deed.before} to {deed.after}"


class RowFields(TypedDict):
    """A step: the group and the local id of its thread, where, and what it does. The line is that of the source."""

    group: list[int]
    local: list[int]
    file: str
    line: int
    does: str


class HangFields(TypedDict):
    """An execution that does not end, of the smallest launch that fails a verdict.

    Its steps are those before its cycle, and those of the cycle, which go on for ever. Without a cycle, no thread can
    take a step after the first part, and `waiting` says where threads wait.
    """

    verdict: str
    workgroups: int
    before: list[RowFields]
    cycle: list[RowFields]
    waiting: list[RowFields]


class LaunchFields(TypedDict):
    """A launch with so many workgroups: its number of states, and whether it passes each verdict."""

    workgroups: int
    states: int
    passes: dict[str, bool]


class NeedsFields(TypedDict):
    """What a kernel needs: the least fair verdicts that all launches pass. Each of them is enough.

    `needs` is empty if no verdict passes. `notes` are what the answer rests on.
    """

    kernel: str
    local_size: list[int]
    arguments: dict[str, list[int]]
    needs: list[str]
    launches: list[LaunchFields]
    hangs: list[HangFields]
    notes: list[str]


def needs_fields(found: Needs, verdicts: tuple[str, ...]) -> NeedsFields:
    """Return the answer as JSON has it, with an execution for each of some verdicts that fails."""
    return {
        "kernel": found.kernel.name,
        "local_size": list(found.local),
        "arguments": {
            name: [one.value] if one.count is None else [one.value, one.count]
            for name, one in found.asked.given.items()
        },
        "needs": list(found.least),
        "launches": [
            {"workgroups": one.workgroups, "states": len(one.space.states), "passes": one.passes}
            for one in found.launches
        ],
        "hangs": [_hang_fields(name, *hang) for name in verdicts if (hang := found.hang(name)) is not None],
        "notes": list(notes_of(found)),
    }


def _hang_fields(verdict: str, judged: Judged, found: Hang) -> HangFields:
    before, cycle = rows_of(judged, found)
    waiting = [] if cycle else waiting_in(judged, found)
    return {
        "verdict": verdict,
        "workgroups": judged.workgroups,
        "before": [_row_fields(row) for row in before],
        "cycle": [_row_fields(row) for row in cycle],
        "waiting": [_row_fields(row) for row in waiting],
    }


def _row_fields(row: Row) -> RowFields:
    return {
        "group": list(row.group),
        "local": list(row.local),
        "file": row.place.file,
        "line": row.place.line,
        "does": row.does,
    }


def notes_of(found: Needs) -> Iterator[str]:
    """Yield the sentences that say what an answer rests on."""
    yield "The answer is about these launches only. Memory is taken to be sequentially consistent."
    raced = sorted(
        {machine.names[element][::2] for machine, elements in _raced(found) for element in elements}, key=str
    )
    if raced:
        first = ", ".join(f"{array}[{number}]" for array, number in raced[:3])
        more = f" and {len(raced) - 3} more" if len(raced) > 3 else ""
        yield f"Plain accesses race for {first}{more}. The answer takes them as if they were atomic."
    for line in sorted({line for one in found.launches for line in one.space.spun}):
        place = found.kernel.places.get(line)
        where = f"line {line}" if place is None else f"{place.file}:{place.line}"
        yield f"{where}: a loop spins on a plain access, which a compiler may read only once."


def _raced(found: Needs) -> Iterator[tuple[Machine, set[int]]]:
    return ((one.space.machine, one.space.raced) for one in found.launches)
