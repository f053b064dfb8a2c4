"""What else users ask of the kernels of a file: the work behind the further options of `synth verify`.

`synth_kernels.analyses` decides; docs/questions.md explains the words. Each module here has a question, its answer
about a kernel, and the JSON of this answer. The verdicts of all of them decide the status with which the command exits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, Unpack

from synth_kernels.deadline import OverdueError
from synth_kernels.program import Kernel, SourcePlace, UnreadKernel
from synth_kernels.verification import prepared_kernels
from synth_kernels.verification.recorded import launches_in, prepared_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch import Launch
    from synth_kernels.launch_sizes import Sizing
    from synth_kernels.pair.options import Options
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
_Report_co = TypeVar("_Report_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Subject:
    """A kernel of a file and the launch that it is asked about. `origin` is the line of a recorded launch, or empty."""

    path: Path
    kernel: Kernel
    launch: Launch
    origin: str = ""

    def place(self, line: int) -> SourcePlace:
        """Return where the instruction with this line stands in the source."""
        return self.kernel.places.get(line) or SourcePlace(str(self.path), line)


@dataclass(frozen=True, slots=True)
class KernelAnswer(Generic[_Report_co]):
    """What a question has as its answer about a kernel, and what this rests on.

    Only a report that is `unknown` or `stopped` has no subject.
    """

    path: Path
    name: str
    subject: Subject | None
    verdict: str
    reason: str
    report: _Report_co | None = None
    rests_on: tuple[str, ...] = ()


class KernelQuestion(Protocol[_Report_co]):
    """A question about kernels."""

    def ask(self, subject: Subject, solver: Solver, options: Options) -> KernelAnswer[_Report_co]:
        """Return the answer about a kernel."""
        ...


def ask_file(  # noqa: PLR0913
    question: KernelQuestion[_Report_co],
    path: Path,
    sizing: Sizing,
    *,
    names: Sequence[str] = (),
    how: SourceOptions | None = None,
    options: Options,
    solver: str = "z3",
    memory: int = 0,
    seconds_left: Callable[[], float | None] = lambda: None,
) -> Iterator[KernelAnswer[_Report_co]]:
    """Yield the answer to a question about each kernel of a file. The parameters are those of `verify_file`."""
    ready = prepared_kernels(
        path, sizing, names=names, how=how, solver=solver, memory=memory, seconds_left=seconds_left
    )
    for task, peer in ready:
        if isinstance(task.kernel, UnreadKernel) or task.launch is None:
            yield _unread_answer(path, task.kernel)
        else:
            yield _answer(question, Subject(path, task.kernel, task.launch), peer, options, is_late=task.is_late)


def ask_recorded(
    question: KernelQuestion[_Report_co], path: Path, source: Path | None, **words: Unpack[VerificationRequest]
) -> Iterator[KernelAnswer[_Report_co]]:
    """Yield the answer to a question about each launch of a file, with the values that its scalars have there.

    `source` is the file of the kernels, if it is not that of the launches. The other parameters and the errors are
    those of `launches_in`.
    """
    for file, kernel, launched, solver in launches_in(path, source, **words):
        if isinstance(kernel, UnreadKernel):
            yield _unread_answer(file, kernel)
        else:
            whole, launch, values = prepared_for(launched, kernel, words)
            subject = Subject(file, whole, replace(launch, scalars=tuple(values.items())), launched.where)
            yield _answer(question, subject, solver, words["options"], is_late=solver.is_late)


def _unread_answer(path: Path, kernel: Kernel | UnreadKernel) -> KernelAnswer[_Report_co]:
    return KernelAnswer(path, kernel.name, None, "unknown", f"not supported: {getattr(kernel, 'reason', '')}")


def _answer(
    question: KernelQuestion[_Report_co], subject: Subject, solver: Solver, options: Options, *, is_late: bool
) -> KernelAnswer[_Report_co]:
    late: KernelAnswer[_Report_co] = KernelAnswer(subject.path, subject.kernel.name, subject, "stopped", "time limit")
    if is_late:
        return late
    try:
        answer = question.ask(subject, solver, options)
    except OverdueError:
        return late
    return late if answer.verdict == "unknown" and solver.is_late else answer
