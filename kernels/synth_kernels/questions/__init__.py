"""What else users ask of the kernels of a file: the work behind the further options of `synth verify`.

`synth_kernels.analyses` decides; docs/do/questions.md explains the words. Each module here has a question and its
answer about a kernel. The verdicts of all of them decide the status with which the command exits.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, Unpack

from synth_kernels.deadline import OverdueError
from synth_kernels.program import Kernel, UnreadKernel
from synth_kernels.subject import Subject
from synth_kernels.verification import prepared_kernels
from synth_kernels.verification.recorded_launches import launches_in, prepared_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_kernels.pair.options import Options
    from synth_kernels.questions.assumptions import AssumptionAnswer
    from synth_kernels.questions.banks import BankAnswer
    from synth_kernels.questions.equality import AssertionAnswer, EqualityAnswer
    from synth_kernels.questions.intervals import IntervalsAnswer
    from synth_kernels.verification import VerificationRequest
    from synth_solvers.client import Solver

#: The exit code of each verdict. Of several, the first in this order decides.
EXIT_CODES = {
    **dict.fromkeys(("conflict", "different", "failing", "refuted", "nothing found"), 1),
    "contradiction": 2,
    "unknown": 3,
    "stopped": 75,
    **dict.fromkeys(("free", "equal", "holds", "needed", "not needed", "found", "verified"), 0),
}


KernelAnswer: TypeAlias = "BankAnswer | IntervalsAnswer | AssumptionAnswer | EqualityAnswer | AssertionAnswer"
_Answer = TypeVar("_Answer", bound="KernelAnswer")
_Answer_co = TypeVar("_Answer_co", bound="KernelAnswer", covariant=True)


class KernelQuestion(Protocol[_Answer_co]):
    """A question about kernels."""

    def unknown(self, file: str, kernel: str, verdict: str, reason: str) -> _Answer_co:
        """Return the answer about a kernel of which nothing is known."""
        ...

    def ask(self, subject: Subject, solver: Solver, options: Options) -> _Answer_co:
        """Return the answer about a kernel."""
        ...


class Asked(NamedTuple, Generic[_Answer]):
    """The answer to a question about a kernel, and what was asked.

    Without `is_known`, the answer only says why there is none. A kernel that was not read is no subject.
    """

    answer: _Answer
    subject: Subject | None
    is_known: bool


def ask_file(
    question: KernelQuestion[_Answer], path: Path, **request: Unpack[VerificationRequest]
) -> Iterator[Asked[_Answer]]:
    """Yield the answer to a question about each kernel of a file. The parameters are those of `verify_file`."""
    for task, peer in prepared_kernels(path, request):
        if isinstance(task.kernel, UnreadKernel) or task.launch is None:
            yield _unread(question, path, task.kernel)
        else:
            subject = Subject(path, task.kernel, task.launch)
            yield _answer(question, subject, peer, request["options"], is_late=task.is_late)


def ask_recorded(
    question: KernelQuestion[_Answer], path: Path, source: Path | None, **words: Unpack[VerificationRequest]
) -> Iterator[Asked[_Answer]]:
    """Yield the answer to a question about each launch of a file, with the values that its scalars have there.

    `source` is the file of the kernels, if it is not that of the launches. The other parameters and the errors are
    those of `launches_in`.
    """
    for file, kernel, launched, solver in launches_in(path, source, **words):
        if isinstance(kernel, UnreadKernel):
            yield _unread(question, file, kernel)
        else:
            whole, launch, values = prepared_for(launched, kernel, words)
            subject = Subject(file, whole, replace(launch, scalars=tuple(values.items())), launched.where)
            yield _answer(question, subject, solver, words["options"], is_late=solver.is_late)


def _unread(question: KernelQuestion[_Answer], path: Path, kernel: Kernel | UnreadKernel) -> Asked[_Answer]:
    reason = f"not supported: {getattr(kernel, 'reason', '')}"
    return Asked(question.unknown(str(path), kernel.name, "unknown", reason), None, is_known=False)


def _answer(
    question: KernelQuestion[_Answer], subject: Subject, solver: Solver, options: Options, *, is_late: bool
) -> Asked[_Answer]:
    if not is_late:
        with contextlib.suppress(OverdueError):
            answer = question.ask(subject, solver, options)
            if answer.verdict != "unknown" or not solver.is_late:
                return Asked(answer, subject, is_known=True)
    late = question.unknown(str(subject.path), subject.kernel.name, "stopped", "time limit")
    return Asked(late, subject, is_known=False)
