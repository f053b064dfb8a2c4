"""The question whether kernels have bank conflicts, and how many turns each access takes at a launch."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_checker.errors import InputError, quoted
from synth_kernels.analyses.banks import KNOWN, Banks
from synth_kernels.analyses.conflicts import MOST_THREADS, BankReport, bank_conflicts
from synth_kernels.analyses.degrees import degrees, touches
from synth_kernels.launch import threads
from synth_kernels.premises import premise
from synth_kernels.questions import KernelAnswer
from synth_kernels.verdict_premises import question_premises
from synth_kernels.verification.answer import PlaceFields, place_fields

if TYPE_CHECKING:
    from synth_kernels.analyses.conflicts import Conflict
    from synth_kernels.analyses.degrees import Degree
    from synth_kernels.pair.options import Options
    from synth_kernels.questions import Subject
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
class BankAnswer:
    """The bank conflicts of a kernel, and the turns of its accesses if the launch has fixed numbers.

    `why_not` says why there are no turns, and `warning` what is wrong with them.
    """

    banks: Banks
    report: BankReport
    degrees: tuple[Degree, ...]
    why_not: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """Whether local accesses conflict in banks."""

    banks: Banks

    def ask(self, subject: Subject, solver: Solver, options: Options) -> KernelAnswer[BankAnswer]:
        """Return the bank conflicts of a kernel."""
        report = bank_conflicts(subject.kernel, subject.launch, self.banks, solver, options)
        turns, why_not, warning = _degrees(subject, self.banks)
        answer = BankAnswer(self.banks, report, turns, why_not, warning)
        more = (premise("no divergence"), premise("bank 0"))
        is_shown = report.verdict == "conflict"
        rests_on = question_premises(subject.kernel, subject.launch, options, *more, is_shown=is_shown)
        return KernelAnswer(
            subject.path, subject.kernel.name, subject, report.verdict, report.reason, answer, tuple(rests_on)
        )


def _degrees(subject: Subject, banks: Banks) -> tuple[tuple[Degree, ...], str, str]:
    sizes = subject.launch.sizes()
    fixed = {name: size for name, size in sizes.items() if size is not None}
    scalars = dict(subject.launch.scalars)
    if len(fixed) < len(sizes):
        return (), "fix --local-size and --num-groups to see how many turns each access takes", ""
    if missing := [name for name, _ in subject.kernel.scalars if name not in scalars]:
        return (), f"fix {', '.join(missing)} with --args to see how many turns each access takes", ""
    one_group = fixed | {f"groups.{number}": 1 for number in range(3)}
    chosen = list(itertools.islice(threads(one_group), MOST_THREADS + 1))
    if len(chosen) > MOST_THREADS:
        return (), f"the group has more than {MOST_THREADS:,} threads, so how many turns accesses take is not shown", ""
    touched, run = touches(subject.kernel, fixed, scalars, chosen)
    if not run.counts:
        return (), "how many turns accesses take is not shown, because the kernel excludes this launch", ""
    warning = "" if run.ends and not run.faults else "the run had a fault, or was too long: turns may be missing"
    return tuple(degrees(touched, fixed, banks)), "", warning


class BankConflictFields(TypedDict):
    """Two threads that conflict in an access. `addresses` are bytes of the array; without a run, there are none."""

    place: PlaceFields
    array: str
    confirmed: bool
    groups: list[list[int]]
    locals: list[list[int]]
    addresses: list[int]
    sizes: dict[str, int]
    scalars: dict[str, int]


class DegreeFields(TypedDict):
    """How many turns an access takes: at most for one batch, and in all its executions by batches."""

    place: PlaceFields
    array: str
    kind: str
    bytes: int
    most: int
    turns: int
    executions: int


class BankFields(TypedDict):
    """The bank conflicts of a kernel. The verdict is `free`, `conflict`, `contradiction`, `unknown` or `stopped`.

    `rests_on` is what it rests on.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    banks: int
    bytes: int
    lanes: int
    judged: int
    left_out: int
    conflicts: list[BankConflictFields]
    degrees: list[DegreeFields]
    rests_on: list[str]


def bank_fields(answer: KernelAnswer[BankAnswer], banks: Banks) -> BankFields:
    """Return the JSON form of an answer."""
    bank_answer, subject = answer.report, answer.subject
    return {
        "file": str(answer.path),
        "kernel": answer.name,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "banks": banks.banks,
        "bytes": banks.bytes,
        "lanes": banks.lanes,
        "judged": len(bank_answer.report.judged) if bank_answer else 0,
        "left_out": len(bank_answer.report.left_out) if bank_answer else 0,
        "conflicts": [_conflict(subject, item) for item in bank_answer.report.conflicts]
        if bank_answer and subject
        else [],
        "degrees": [_degree(subject, item) for item in bank_answer.degrees] if bank_answer and subject else [],
        "rests_on": list(answer.rests_on),
    }


def _conflict(subject: Subject, conflict: Conflict) -> BankConflictFields:
    return {
        "place": place_fields(subject.place(conflict.access.line)),
        "array": conflict.access.array,
        "confirmed": conflict.is_confirmed,
        "groups": [list(group) for group, _ in conflict.threads],
        "locals": [list(local) for _, local in conflict.threads],
        "addresses": list(conflict.addresses),
        "sizes": conflict.sizes,
        "scalars": conflict.scalars,
    }


def _degree(subject: Subject, degree: Degree) -> DegreeFields:
    return {
        "place": place_fields(subject.place(degree.access.line)),
        "array": degree.access.array,
        "kind": degree.access.kind,
        "bytes": degree.access.width // 8,
        "most": degree.most,
        "turns": degree.turns,
        "executions": degree.executions,
    }
