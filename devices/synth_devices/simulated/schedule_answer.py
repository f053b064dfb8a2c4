"""The answers of `synth sim attack` and `synth sim replay`: a schedule of a test, and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.programs.normal import written_out
from synth_corpus.record import Id  # noqa: TC001  (for its JSON Schema)

if TYPE_CHECKING:
    from synth_checker.programs.program import Program
    from synth_devices.sim.adversary import Attack
    from synth_devices.sim.simulation import LaunchResult


class AttackAnswer(NamedTuple):
    """Whether a schedule that keeps the promise of a verdict makes a test hang.

    The threads of `stem` step first, and then those of `cycle` without end. Both are empty if there is no such
    schedule.
    """

    test: Id
    verdict: str
    hangs: bool
    stem: list[int]
    cycle: list[int]


@dataclass(frozen=True, slots=True)
class ReplayedSchedule:
    """What a schedule does, each line of which keeps the rules of the scheduler.

    For the schedule of an attack, `cycle` is the number of steps that are repeated without end, and 0 for another one.
    `keeps` says whether it keeps the promise of the verdict, and `reason` why not. `keeps` is null if no verdict was
    asked for.
    """

    test: Id
    hangs: bool
    steps: int
    cycle: int = 0
    verdict: str = ""
    keeps: bool | None = None
    reason: str = ""


def attack_answer(program: Program, verdict: str, schedule: Attack | None) -> AttackAnswer:
    """Return the answer about a test for which an attack was looked for."""
    id_ = written_out(program)
    if schedule is None:
        return AttackAnswer(id_, verdict, False, [], [])  # noqa: FBT003  (a field)
    return AttackAnswer(id_, verdict, True, list(schedule.stem), list(schedule.cycle))  # noqa: FBT003  (a field)


def replay_answer(program: Program, result: LaunchResult) -> ReplayedSchedule:
    """Return the answer about the replayed schedule of a launch."""
    return ReplayedSchedule(written_out(program), result.is_hung, result.steps)


def replayed_attack(program: Program, schedule: Attack, verdict: str | None, why: str | None) -> ReplayedSchedule:
    """Return the answer about the replayed schedule of an attack; `why` says why it breaks a promise."""
    return ReplayedSchedule(
        test=written_out(program),
        hangs=True,
        steps=len(schedule.stem),
        cycle=len(schedule.cycle),
        verdict=verdict or "",
        keeps=None if verdict is None else why is None,
        reason=why or "",
    )
