"""The question what kernels assume: which preconditions make them verified, or equal to a sequential version."""

from __future__ import annotations

import itertools
from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.analyses.assumptions import (
    comparison_test,
    implication_test,
    verification_test,
    weakest_conjunctions,
)
from synth_kernels.analyses.equality import compare_programs
from synth_kernels.analyses.vocabulary import Vocabulary
from synth_kernels.candidates.annotation_texts import annotation, typed_lines
from synth_kernels.kernel_file import CUDA, TYPED
from synth_kernels.premises import premise
from synth_kernels.questions.equality import not_ordered
from synth_kernels.verdict_premises import question_premises
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.analyses.assumptions import Numbers, Test
    from synth_kernels.analyses.vocabulary import LaunchCondition
    from synth_kernels.pair.options import Options
    from synth_kernels.questions.equality import EqualQuestion
    from synth_kernels.subject import Subject
    from synth_solvers.client import Solver

#: A query gets so many seconds of the solver's work. After so many, no further answer is looked for if there is one.
_SECONDS, _ENOUGH = 20.0, 40.0
#: The values of open sizes and scalars if the kernel is compared with a sequential version, and how many launches.
_LOCAL, _OTHERS, _MOST = range(1, 13), (1, 2), 400
_SCALARS = (0, 1, 2, 3, 5, 8, 11)


class NeededPrecondition(NamedTuple):
    """A precondition as lines to paste, and numbers that satisfy the others but not this one, and go wrong."""

    lines: list[str]
    without: dict[str, int]


@dataclass(frozen=True, slots=True)
class AssumptionAnswer:
    """The preconditions of a kernel: `answers` are alternatives, each of several conditions.

    The verdict is `found`, `nothing found`, `unknown`, or `verified` if the kernel needs none. `contradiction` says
    that no launch satisfies what the kernel assumes. `refuted` says that its threads race and it was to be
    compared. `sequential` is empty, or what it is compared with. `tests` counts what was tried. `unknown` says that
    some test was not decided, or that not all were made. `rests_on` is what the answer rests on.
    """

    file: str
    kernel: str
    sequential: str
    verdict: str
    reason: str
    answers: Sequence[list[NeededPrecondition]] = ()
    tests: int = 0
    rests_on: Sequence[str] = ()
    widths: dict[str, int] = field(default_factory=dict, metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class AssumeQuestion:
    """Which preconditions make a kernel verified. With `equals`, they make it equal to a sequential version."""

    equals: EqualQuestion | None = None

    def unknown(self, file: str, kernel: str, verdict: str, reason: str) -> AssumptionAnswer:
        """Return the answer about a kernel of which nothing is known."""
        return AssumptionAnswer(file, kernel, self.equals.name if self.equals else "", verdict, reason)

    def ask(self, subject: Subject, solver: Solver, options: Options) -> AssumptionAnswer:
        """Return the weakest preconditions that were found."""
        file, name = str(subject.path), subject.kernel.name
        vocabulary = Vocabulary(subject.kernel, subject.launch)
        before, solver.seconds = solver.seconds, min(solver.seconds, _SECONDS)
        # Of small launches only, a second answer may fit by chance.
        enough = solver.worked + (_ENOUGH if self.equals is None else 0.0)
        try:
            if self.equals is None:
                test = verification_test(subject.kernel, subject.launch, solver, options)
            else:
                verdict, reason = not_ordered(subject, solver, options)
                if verdict:
                    return self.unknown(file, name, verdict, reason)
                test = self._same(subject, self.equals, solver)
            implies = implication_test(vocabulary.facts, solver)
            assumptions = weakest_conjunctions(vocabulary.conditions, test, implies, lambda: solver.worked >= enough)
        finally:
            solver.seconds = before
        if assumptions.passes or assumptions.answers:
            verdict, reason = "verified" if assumptions.passes else "found", ""
        elif assumptions.contradicts:
            verdict, reason = "contradiction", "no launch satisfies what the kernel assumes"
        else:
            verdict = "unknown" if assumptions.doubt else "nothing found"
            reason = f"no precondition was found, and {assumptions.doubt}" if assumptions.doubt else ""
        if self.equals is None:
            rests_on = question_premises(subject.kernel, subject.launch, options)
        else:
            rests_on = self.equals.rests_on(subject, options, premise("small launches"))
        return replace(
            self.unknown(file, name, verdict, reason),
            answers=[
                [NeededPrecondition(_precondition(subject, needed.condition), needed.without) for needed in conditions]
                for conditions in assumptions.answers
            ],
            tests=assumptions.tests,
            rests_on=rests_on,
            widths=dict(subject.kernel.scalars),
        )

    @staticmethod
    def _same(subject: Subject, equals: EqualQuestion, solver: Solver) -> Test:
        scalars = dict(subject.kernel.scalars)

        def is_right(point: Numbers) -> bool | str:
            sizes = {name: value for name, value in point.items() if name not in scalars}
            values = {name: value for name, value in point.items() if name in scalars}
            report = compare_programs(subject.kernel, equals.sequential, sizes, values, solver, floats=equals.floats)
            if report.verdict == "unknown":
                return report.reason or "it is not known whether both are equal"
            return report.verdict == "equal"

        return comparison_test(list(itertools.islice(_points(subject), _MOST)), is_right)


def _points(subject: Subject) -> Iterator[dict[str, int]]:
    """Yield small launches: the values of all sizes and scalars."""
    fixed = dict(subject.launch.scalars)
    choices: dict[str, tuple[int, ...] | range] = {}
    for name, size in subject.launch.sizes().items():
        small = _LOCAL if name == "lsize.0" else _OTHERS
        if not name.startswith("offset"):
            choices[name] = small if size is None else (size,)
    choices |= {name: (fixed[name],) if name in fixed else _SCALARS for name, _ in subject.kernel.scalars}
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _precondition(subject: Subject, condition: LaunchCondition) -> list[str]:
    """Return a condition as one can paste it: as an annotation of C, or as lines of a typed program."""
    text = None
    if subject.path.suffix != TYPED:
        text = annotation(condition.meaning, subject.kernel, (), cuda=subject.path.suffix in CUDA)
    if text is not None:
        return [f"{text.replace('__invariant', '__requires').replace('(int)(int)', '(int)')};"]
    return [line.replace("invariant ", "assume ") for line in typed_lines(condition.meaning, "required.")]
