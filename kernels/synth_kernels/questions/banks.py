"""The question whether kernels have bank conflicts, and how many turns each access takes at a launch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_kernels.analyses.banks import KNOWN, Banks
from synth_kernels.analyses.conflicts import MOST_THREADS, bank_conflicts
from synth_kernels.analyses.degrees import degrees, touches
from synth_kernels.launch import threads
from synth_kernels.premises import premise
from synth_kernels.source_place import SourcePlace  # noqa: TC001  (for its JSON Schema)
from synth_kernels.verdict_premises import question_premises
from synth_storage.answer_json import HIDDEN, answer_from

if TYPE_CHECKING:
    from synth_kernels.analyses.conflicts import Conflict
    from synth_kernels.analyses.degrees import LaneBatch
    from synth_kernels.pair.options import Options
    from synth_kernels.subject import Subject
    from synth_solvers.client import Solver

#: Numbers of banks, bytes and lanes are at most this.
_MOST = 1 << 16


def banks_of(text: str) -> Banks:
    """Read banks: a name, or the number of banks, the bytes of a word and the lanes.

    Raises:
        InputError: the text is neither.
    """
    if text in KNOWN:
        return KNOWN[text]
    numbers = [int(word) for word in text.split(",") if word.isascii() and word.isdigit()]
    if len(numbers) != 3 or len(text.split(",")) != 3 or any(not _is_power(number) for number in numbers):
        raise InputError(
            f"--banks: found {quoted(text)}, expected {' or '.join(KNOWN)}, or three powers of two: banks, bytes of a "
            "word, and lanes, such as 32,4,32"
        )
    return Banks(*numbers)


def _is_power(number: int) -> bool:
    return 0 < number <= _MOST and number & (number - 1) == 0


@dataclass(frozen=True, slots=True)
class BankConflict:
    """Two threads that conflict in an access. `addresses` are bytes of the array; without a run, there are none."""

    place: SourcePlace
    array: str
    confirmed: bool
    groups: list[tuple[int, ...]]
    locals: list[tuple[int, ...]]
    addresses: tuple[int, ...]
    sizes: dict[str, int]
    scalars: dict[str, int]
    kind: str = field(metadata=HIDDEN)
    widths: dict[str, int] = field(metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class AccessTurns:
    """How many turns an access takes: at most for one batch, and in all its executions by batches.

    For the picture, `worst` is the batch that takes most.
    """

    place: SourcePlace
    array: str
    kind: str
    bytes: int
    most: int
    turns: int
    executions: int
    worst: LaneBatch = field(metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class BankAnswer:
    """The bank conflicts of a kernel. The verdict is `free`, `conflict`, `contradiction`, `unknown` or `stopped`.

    `rests_on` is what it rests on. `remark` says why there are no turns, or what is wrong with them.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    banks: int
    bytes: int
    lanes: int
    judged: int = 0
    left_out: int = 0
    conflicts: Sequence[BankConflict] = ()
    degrees: Sequence[AccessTurns] = ()
    rests_on: Sequence[str] = ()
    remark: str = field(default="", metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """Whether local accesses conflict in banks."""

    banks: Banks

    def unknown(self, file: str, kernel: str, verdict: str, reason: str) -> BankAnswer:
        """Return the answer about a kernel of which nothing is known."""
        return BankAnswer(file, kernel, verdict, reason, self.banks.banks, self.banks.bytes, self.banks.lanes)

    def ask(self, subject: Subject, solver: Solver, options: Options) -> BankAnswer:
        """Return the bank conflicts of a kernel."""
        report = bank_conflicts(subject.kernel, subject.launch, self.banks, solver, options)
        turns, remark = _turns(subject, self.banks)
        more = (premise("no divergence"), premise("bank 0"))
        is_shown = report.verdict == "conflict"
        return replace(
            self.unknown(str(subject.path), subject.kernel.name, report.verdict, report.reason),
            judged=len(report.judged),
            left_out=len(report.left_out),
            conflicts=[_conflict(subject, conflict) for conflict in report.conflicts],
            degrees=turns,
            rests_on=question_premises(subject.kernel, subject.launch, options, *more, is_shown=is_shown),
            remark=remark,
        )


def _conflict(subject: Subject, conflict: Conflict) -> BankConflict:
    return answer_from(
        BankConflict,
        conflict,
        conflict.access,
        place=subject.place(conflict.access.line),
        confirmed=conflict.is_confirmed,
        groups=[group for group, _ in conflict.threads],
        locals=[local for _, local in conflict.threads],
        widths=dict(subject.kernel.scalars),
    )


def _turns(subject: Subject, banks: Banks) -> tuple[list[AccessTurns], str]:
    """Return the turns of accesses, and a remark on them or on why there are none."""
    sizes = subject.launch.sizes()
    fixed = {name: size for name, size in sizes.items() if size is not None}
    scalars = dict(subject.launch.scalars)
    if len(fixed) < len(sizes):
        return [], "fix --local-size and --num-groups to see how many turns each access takes"
    if missing := [name for name, _ in subject.kernel.scalars if name not in scalars]:
        return [], f"fix {', '.join(missing)} with --args to see how many turns each access takes"
    one_group = fixed | {f"groups.{number}": 1 for number in range(3)}
    chosen = list(itertools.islice(threads(one_group), MOST_THREADS + 1))
    if len(chosen) > MOST_THREADS:
        return [], f"the group has more than {MOST_THREADS:,} threads, so how many turns accesses take is not shown"
    touched, run = touches(subject.kernel, fixed, scalars, chosen)
    if not run.counts:
        return [], "how many turns accesses take is not shown, because the kernel excludes this launch"
    warning = "" if run.ends and not run.faults else "the run had a fault, or was too long: turns may be missing"
    turns = [
        answer_from(
            AccessTurns,
            degree,
            degree.access,
            place=subject.place(degree.access.line),
            bytes=degree.access.width // 8,
        )
        for degree in degrees(touched, fixed, banks)
    ]
    return turns, warning
