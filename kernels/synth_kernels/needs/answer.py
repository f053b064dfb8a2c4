"""The answer of `synth kernel`: what a kernel needs, and the steps of an execution that does not end. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, NotRequired, TypedDict

from synth_documents.phrases import count
from synth_kernels.needs.notes import notes_of, reason_of
from synth_kernels.needs.premises import premises_of
from synth_kernels.program import SourcePlace
from synth_kernels.progress.launch_steps import step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.needs import Judged, Needs
    from synth_kernels.needs.device_results import DeviceResultFields, NeedFields
    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.steps import Deed, Local
    from synth_kernels.progress.verdicts import Hang


class Row(NamedTuple):
    """A step of an execution: the group and the local id of its thread, where, and what it does."""

    group: tuple[int, ...]
    local: tuple[int, ...]
    place: SourcePlace
    does: str


class Done(NamedTuple):
    """A step that was taken: its thread, what a row has, the elements that its accesses touch, and whether it writes.

    At a barrier it `passes` if it lets the thread go on; otherwise the thread waits.
    """

    thread: int
    group: tuple[int, ...]
    local: tuple[int, ...]
    place: SourcePlace
    does: str
    elements: range = range(0)
    writes: bool = False
    is_barrier: bool = False
    is_grid: bool = False
    passes: bool = False

    @property
    def row(self) -> Row:
        """Return what is shown of it."""
        return Row(self.group, self.local, self.place, self.does)

    def is_like(self, other: Done) -> bool:
        """Return whether both are of one workgroup at one place."""
        return (self.group, self.place) == (other.group, other.place)


class Held(NamedTuple):
    """What a variable that is not set holds: its name and place, and the thread or the workgroup whose it is."""

    name: str
    place: SourcePlace
    group: tuple[int, ...]
    local: tuple[int, ...] | None
    holds: int


def unset_in(judged: Judged) -> list[Held]:
    """Return what variables hold in a case that they decide."""
    machine = judged.space.machine
    found = []
    for one, value in judged.unset:
        first = machine.members[one.group][0] if one.thread is None else one.thread
        group, local = machine.threads[first]
        where = machine.place(one.line) if one.line else SourcePlace("", 0)
        found.append(Held(one.name or "a variable", where, group, None if one.thread is None else local, value))
    return found


class Trace(NamedTuple):
    """The steps of an execution before its cycle, and those of its cycle.

    If there is no cycle, `waiting` says where threads wait, and `ended` has the threads of the same groups that have
    ended.
    """

    before: list[Row]
    cycle: list[Row]
    waiting: list[Row]
    ended: list[Row]


def trace_of(judged: Judged, found: Hang) -> Trace:
    """Return what the threads do in an execution."""
    machine = judged.space.machine
    steps, (_, threads) = replayed(judged, (*found.before, *found.cycle))
    rows = [one.row for one in steps]
    waiting, ended = [], []
    if not found.cycle:
        stuck = {machine.group_of[thread] for thread, local in enumerate(threads) if local.status == "waiting"}
        for thread, local in enumerate(threads):
            if local.status == "waiting":
                waiting.append(_row(machine, local, thread, "waits at a barrier for ever"))
            elif machine.group_of[thread] in stuck:
                ended.append(Row(*machine.threads[thread], SourcePlace("", 0), "has ended"))
    return Trace(rows[: len(found.before)], rows[len(found.before) :], waiting, ended)


def rows_of(judged: Judged, threads: Iterable[int]) -> list[Row]:
    """Return what threads do that step in this order from the start."""
    return [done.row for done in replayed(judged, threads)[0]]


def replayed(judged: Judged, threads: Iterable[int]) -> tuple[list[Done], State]:
    """Return the steps of threads that step in this order from the start, and the state behind them."""
    machine = judged.space.machine
    state = judged.space.states[0]
    steps = []
    for thread in threads:
        after, deed, lanes = step(machine, state, thread)
        others = f", together with {count(len(lanes) - 1, 'other lane')}" if len(lanes) > 1 else ""
        local = state[1][thread]
        row = _row(machine, local, thread, did(machine, deed) + others)
        if deed is None:
            is_grid = machine.barrier_of(local).scope == "grid"
            passes = after[1][thread] != local._replace(status="waiting")
            steps.append(Done(thread, *row, is_barrier=True, is_grid=is_grid, passes=passes))
        else:
            steps.append(Done(thread, *row, elements=deed.elements, writes=deed.after is not None))
        state = after
    return steps, state


def _row(machine: Machine, local: Local, thread: int, does: str) -> Row:
    return Row(*machine.threads[thread], machine.place(machine.line_of(local)), does)


def element_name(machine: Machine, element: int) -> str:
    """Return the name of an element of memory, such as `out[3]`."""
    array, group, number = machine.layout.names[element]
    return f"{array}[{number}]" if group is None else f"{array}[{number}] of group {group}"


def did(machine: Machine, deed: Deed | None) -> str:
    """Return what a step does in words."""
    if deed is None:
        return "arrives at a barrier"
    array, _, number = machine.layout.names[deed.elements[0]]
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


class UnsetFields(TypedDict):
    """What a variable of a thread, or of a workgroup, holds that is not set. Without a thread, `local` is null."""

    name: str
    group: list[int]
    local: list[int] | None
    file: str
    line: int
    holds: int


class HangFields(TypedDict):
    """An execution that does not end, of the smallest launch that fails a verdict.

    If variables that are not set decide something, `unset` has values of theirs with which it does not end. Its steps
    are those before its cycle, and those of the cycle, which go on for ever. Without a cycle, no thread can take a step
    after the first part, and `waiting` says where threads wait.
    """

    verdict: str
    workgroups: int
    unset: list[UnsetFields]
    before: list[RowFields]
    cycle: list[RowFields]
    waiting: list[RowFields]


class FinalFields(TypedDict):
    """Whether an assertion holds wherever all threads have ended, and whether a launch can end at all.

    `holds` is null if this is unknown. If it does not hold, there is the number of workgroups, the steps after which
    it does not, and what memory then holds.
    """

    assertion: str
    holds: bool | None
    ends: bool
    workgroups: NotRequired[int]
    steps: NotRequired[list[RowFields]]
    memory: NotRequired[str]


class LaunchFields(TypedDict):
    """The launch with so many workgroups: its number of states, and whether it passes each verdict.

    Null says that this is not known, because of the scopes of atomic accesses.
    """

    workgroups: int
    states: int
    passes: dict[str, bool | None]


class NeedsFields(TypedDict):
    """What a kernel needs: the least fair verdicts that all launches pass. Each of them is enough.

    `only_in_lockstep` are the verdicts that the launches pass only because lanes run in lockstep; it is null if this is
    not known. `needs` is empty if no verdict is known to pass, and `reason` says why some are not known. `rests_on` is
    what the answer rests on, and `notes` are remarks. `certified` says that a checker has accepted a proof of each
    verdict.
    """

    kernel: str
    local_size: list[int]
    arguments: dict[str, str]
    lanes: Literal["independent", "lockstep"]
    subgroup: int
    barrier: Literal["strict", "leave"]
    only_in_lockstep: list[str] | None
    needs: list[str]
    reason: str
    launches: list[LaunchFields]
    hangs: list[HangFields]
    notes: list[str]
    rests_on: list[str]
    certified: NotRequired[Literal[True]]
    final: NotRequired[FinalFields]


def need_fields(found: Needs, tests: list[str], results: list[DeviceResultFields]) -> NeedFields:
    """Return the answer of `synth kernel need` as JSON has it. `results` has the devices of a campaign, if any."""
    return {**needs_fields(found, found.not_enough[:1]), "tests": tests, "results": results}


def needs_fields(found: Needs, verdicts: tuple[str, ...], *, certified: bool = False) -> NeedsFields:
    """Return the answer as JSON has it, with an execution for each of some verdicts that fails."""
    fields: NeedsFields = {
        "kernel": found.kernel.name,
        "local_size": list(found.local),
        "arguments": {name: one.text for name, one in found.asked.given.items()},
        "lanes": "lockstep" if found.asked.rules.lockstep else "independent",
        "subgroup": found.asked.rules.subgroup,
        "barrier": "leave" if found.asked.rules.leave else "strict",
        "only_in_lockstep": found.lost,
        "needs": list(found.least),
        "reason": reason_of(found),
        "launches": [
            {"workgroups": size.workgroups, "states": size.states, "passes": size.passes} for size in found.sizes
        ],
        "hangs": [_hang_fields(name, *hang) for name in verdicts if (hang := found.hang(name)) is not None],
        "notes": list(notes_of(found)),
        "rests_on": premises_of(found),
    }
    if certified:
        fields["certified"] = True
    return fields


def _hang_fields(verdict: str, judged: Judged, found: Hang) -> HangFields:
    trace = trace_of(judged, found)
    return {
        "verdict": verdict,
        "workgroups": judged.workgroups,
        "unset": list(map(_unset_fields, unset_in(judged))),
        "before": [row_fields(row) for row in trace.before],
        "cycle": [row_fields(row) for row in trace.cycle],
        "waiting": [row_fields(row) for row in trace.waiting],
    }


def _unset_fields(one: Held) -> UnsetFields:
    return {
        "name": one.name,
        "group": list(one.group),
        "local": None if one.local is None else list(one.local),
        "file": one.place.file,
        "line": one.place.line,
        "holds": one.holds,
    }


def row_fields(row: Row) -> RowFields:
    """Return a step as JSON has it."""
    return {
        "group": list(row.group),
        "local": list(row.local),
        "file": row.place.file,
        "line": row.place.line,
        "does": row.does,
    }
