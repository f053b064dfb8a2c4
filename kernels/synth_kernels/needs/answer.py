"""The answer of `synth kernel`: what a kernel needs, and the steps of an execution that does not end."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from synth_kernels.needs import SizeVerdicts
from synth_kernels.needs.premises import notes_of, premises_of, reason_of
from synth_kernels.needs.steps import ThreadRow, replay_steps
from synth_kernels.source_place import NOWHERE, Placed
from synth_storage.answer_json import HIDDEN, OPTIONAL, answer_from

if TYPE_CHECKING:
    from synth_kernels.needs import JudgedLaunch, Needs
    from synth_kernels.needs.steps import FoldedStep
    from synth_kernels.progress.verdicts import Hang


@dataclass(frozen=True, slots=True)
class UnsetVariable(Placed):
    """What a variable of a thread, or of a workgroup, holds that is not set. Without a thread, `local` is null."""

    name: str
    group: tuple[int, ...]
    local: tuple[int, ...] | None
    file: str = field(init=False)
    line: int = field(init=False)
    holds: int


def unset_in(judged: JudgedLaunch) -> list[UnsetVariable]:
    """Return what variables hold in a case that they decide."""
    machine = judged.space.machine
    variables = []
    for instruction, value in judged.unset:
        first = machine.members[instruction.group][0] if instruction.thread is None else instruction.thread
        group, local = machine.threads[first]
        where = machine.place(instruction.line) if instruction.line else NOWHERE
        of_thread = None if instruction.thread is None else local
        variables.append(UnsetVariable(where, instruction.name or "a variable", group, of_thread, value))
    return variables


@dataclass(frozen=True, slots=True)
class KernelHang:
    """An execution that does not end, of the smallest launch that fails a verdict.

    If variables that are not set decide something, `unset` has values of theirs with which it does not end. Its steps
    are those before its cycle, and those of the cycle, which go on without end. Without a cycle, no thread can take a
    step after the first part, and `waiting` says where threads wait. Views also tell which threads of their groups
    `ended`.
    """

    verdict: str
    workgroups: int
    unset: list[UnsetVariable]
    before: Sequence[ThreadRow]
    cycle: Sequence[ThreadRow]
    waiting: list[ThreadRow]
    ended: list[ThreadRow] = field(metadata=HIDDEN)


def hang_of(verdict: str, judged: JudgedLaunch, execution: Hang) -> KernelHang:
    """Return what the threads do in an execution that does not end."""
    machine = judged.space.machine
    steps, (_, threads) = replay_steps(judged, (*execution.before, *execution.cycle))
    waiting, ended = [], []
    if not execution.cycle:
        stuck = {machine.group_of[thread] for thread, local in enumerate(threads) if local.status == "waiting"}
        for thread, local in enumerate(threads):
            if local.status == "waiting":
                place = machine.place(machine.line_of(local))
                waiting.append(ThreadRow(place, *machine.threads[thread], "waits at a barrier that never opens"))
            elif machine.group_of[thread] in stuck:
                ended.append(ThreadRow(NOWHERE, *machine.threads[thread], "has ended"))
    first = len(execution.before)
    return KernelHang(verdict, judged.workgroups, unset_in(judged), steps[:first], steps[first:], waiting, ended)


@dataclass(frozen=True, slots=True)
class FinalReport:
    """Whether an assertion holds wherever all threads have ended, and whether a launch can end at all.

    `holds` is null if this is unknown. If it does not hold, there is the number of workgroups, the steps after which
    it does not, and what memory then holds. `rows` are the same steps in few rows, for views.
    """

    assertion: str
    holds: bool | None
    ends: bool
    workgroups: int | None = field(default=None, metadata=OPTIONAL)
    steps: Sequence[ThreadRow] | None = field(default=None, metadata=OPTIONAL)
    memory: str | None = field(default=None, metadata=OPTIONAL)
    rows: Sequence[FoldedStep] = field(default=(), metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class NeedsAnswer:
    """What a kernel needs: the least fair verdicts that all launches pass. Each of them is enough.

    `launches` has the launch with each number of workgroups. `only_in_lockstep` are the verdicts that the launches pass
    only because lanes run in lockstep; it is null if this is not known. `needs` is empty if no verdict is known to
    pass, and `reason` says why some are not known. `rests_on` is what the answer rests on, and `notes` are remarks.
    `certified` says that a checker has accepted a proof of each verdict.
    """

    kernel: str
    local_size: tuple[int, ...]
    arguments: dict[str, str]
    lanes: Literal["independent", "lockstep"]
    subgroup: int
    barrier: Literal["strict", "leave"]
    only_in_lockstep: list[str] | None
    needs: tuple[str, ...]
    reason: str
    launches: list[SizeVerdicts]
    hangs: list[KernelHang]
    notes: list[str]
    rests_on: list[str]
    certified: Literal[True] | None = field(default=None, metadata=OPTIONAL)
    final: FinalReport | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class NeedAnswer(NeedsAnswer):
    """What a kernel needs, and the ids of the minimal litmus tests that have the kernel's verdicts, the smallest first.

    `results` has the devices of a campaign, if somebody asks for one. Their class is that of `device_results`, which
    this module can't name, because that one loads campaigns.
    """

    tests: Sequence[str] = ()
    results: Sequence[Any] = ()


def needs_answer(needs: Needs, verdicts: Sequence[str]) -> NeedsAnswer:
    """Return what a kernel needs, with an execution for each of some verdicts that fails."""
    rules = needs.query.rules
    return NeedsAnswer(
        kernel=needs.kernel.name,
        local_size=needs.local,
        arguments={name: argument.text for name, argument in needs.query.arguments.items()},
        lanes="lockstep" if rules.lockstep else "independent",
        subgroup=rules.subgroup,
        barrier="leave" if rules.leave else "strict",
        only_in_lockstep=needs.lost,
        needs=needs.least,
        reason=reason_of(needs),
        launches=needs.sizes,
        hangs=[hang_of(name, *hang) for name in verdicts if (hang := needs.hang(name)) is not None],
        notes=list(notes_of(needs)),
        rests_on=premises_of(needs),
    )


def need_answer(needs: Needs, tests: list[str], results: Sequence[object]) -> NeedAnswer:
    """Return what a kernel needs, with an execution for the first verdict that is not enough."""
    return answer_from(NeedAnswer, needs_answer(needs, needs.not_enough[:1]), tests=tests, results=results)
