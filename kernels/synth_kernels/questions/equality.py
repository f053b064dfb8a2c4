"""The questions whether kernels do the same as a sequential version, and whether assertions hold in all threads."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.analyses.assertions import AssertionReport, check_assertions, order_report
from synth_kernels.analyses.equality import compare_programs
from synth_kernels.floats import float_of
from synth_kernels.operators import to_signed
from synth_kernels.premises import premise
from synth_kernels.program import Opaque
from synth_kernels.source_place import SourcePlace  # noqa: TC001  (for its JSON Schema)
from synth_kernels.verdict_premises import question_premises
from synth_kernels.word_functions import is_word_function
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.analyses.differences import ElementDifference, Floats
    from synth_kernels.pair.options import Options
    from synth_kernels.premises import Premise
    from synth_kernels.program import Kernel
    from synth_kernels.subject import Subject
    from synth_solvers.client import Solver


#: What floating-point numbers count as.
_FLOATS = {
    "reals": "real numbers, whose sums may be in another order",
    "bits": "IEEE 754 has them",
    "uninterpreted": "values of which nothing is known",
}


def sizes_of(subject: Subject, option: str) -> dict[str, int]:
    """Return the sizes of a launch.

    Raises:
        InputError: a size is open.
    """
    sizes = {name: size for name, size in subject.launch.sizes().items() if size is not None}
    if len(sizes) < len(subject.launch.sizes()):
        raise InputError(f"{option} runs all threads; expected fixed sizes, such as --local-size 8 --num-groups 1")
    return sizes


def not_ordered(subject: Subject, solver: Solver, options: Options) -> tuple[str, str]:
    """Return a verdict and a reason if a kernel may have a race or a divergence at this launch, or else empty texts.

    The verdict is `contradiction` if the kernel excludes this launch.
    """
    report = order_report(subject.kernel, subject.launch, solver, options)
    if report.verdict == "verified":
        return "", ""
    if report.verdict == "contradiction":
        return report.verdict, report.reason
    is_sure = any(counterexample.is_confirmed for counterexample in report.counterexamples)
    reason = f"the order of threads may matter: without its assertions, the verdict on the kernel is {report.verdict}"
    return "refuted" if is_sure else "unknown", f"{reason}: {report.reason}" if report.reason else reason


@dataclass(frozen=True, slots=True)
class DifferentElement:
    """An element that differs: what the kernel and the sequential version leave there, and the input.

    The input has the bits of elements by names such as `a[3]`, and of scalars. For views, `found` has the types.
    """

    array: str
    element: int
    kernel: float
    sequential: float
    inputs: dict[str, int]
    scalars: dict[str, int]
    found: ElementDifference = field(metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class EqualityAnswer:
    """Whether a kernel does the same as a sequential version: `equal`, `different`, `unknown`, or what hinders this.

    `refuted` says that the kernel has a race or a divergence, and `contradiction` that it excludes this launch. `by`
    says how this was decided. `floats` says what floating-point numbers count as, and `rests_on` what the answer rests
    on. For views, `place` is that of the reason, if it has one.
    """

    file: str
    kernel: str
    sequential: str
    verdict: str
    reason: str
    floats: str
    by: str = ""
    compared: Sequence[str] = ()
    left_out: Sequence[str] = ()
    difference: DifferentElement | None = None
    rests_on: Sequence[str] = ()
    place: SourcePlace | None = field(default=None, metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class EqualQuestion:
    """Whether a kernel leaves the same as a sequential version. `name` is how users named that."""

    sequential: Kernel
    name: str
    floats: Floats

    def unknown(self, file: str, kernel: str, verdict: str, reason: str) -> EqualityAnswer:
        """Return the answer about a kernel of which nothing is known."""
        return EqualityAnswer(file, kernel, self.name, verdict, reason, self.floats)

    def ask(self, subject: Subject, solver: Solver, options: Options) -> EqualityAnswer:
        """Return whether a kernel does the same."""
        sizes = sizes_of(subject, "--equals")
        file, name = str(subject.path), subject.kernel.name
        verdict, reason = not_ordered(subject, solver, options)
        if verdict:
            more = [premise("run")] if verdict == "refuted" else []
            rests_on = self.rests_on(subject, options, *more, is_shown=bool(more))
            return replace(self.unknown(file, name, verdict, reason), rests_on=rests_on)
        scalars = dict(subject.launch.scalars)
        report = compare_programs(subject.kernel, self.sequential, sizes, scalars, solver, floats=self.floats)
        return replace(
            self.unknown(file, name, report.verdict, report.reason),
            by=report.by,
            compared=report.compared,
            left_out=report.left_out,
            difference=None if report.difference is None else _different(report.difference),
            rests_on=self.rests_on(subject, options, is_shown=report.verdict == "different"),
            place=subject.place(report.line) if report.line else None,
        )

    def rests_on(self, subject: Subject, options: Options, *more: Premise, is_shown: bool = False) -> list[str]:
        """Return what a comparison rests on."""
        both = (subject.kernel, self.sequential)
        premises = (*_number_premises(both, self.floats), *self.sequential.premises, *more)
        return question_premises(subject.kernel, subject.launch, options, *premises, is_run=True, is_shown=is_shown)


def _different(found: ElementDifference) -> DifferentElement:
    ours, others = (shown_bits(bits, found.width, is_float=found.is_float) for bits in (found.ours, found.others))
    inputs = {f"{array}[{number}]": value for (array, _, number), value in found.inputs.items()}
    return DifferentElement(found.array, found.element, ours, others, inputs, found.scalars, found)


def _number_premises(kernels: Iterable[Kernel], floats: Floats) -> list[Premise]:
    """Return what is taken of floating-point numbers, if a kernel computes with some."""
    functions = {step.function for kernel in kernels for step in kernel.steps if isinstance(step, Opaque)}
    is_needed = any(not is_word_function(function) for function in functions)
    return [premise("numbers", _FLOATS[floats])] if is_needed else []


@dataclass(frozen=True, slots=True)
class AssertionAnswer:
    """Whether assertions hold in all threads: `holds`, `failing`, `refuted`, `contradiction` or `unknown`.

    `count` is how often threads come to an assertion. If one fails, `inputs` has the bits with which it does.
    `rests_on` is what the answer rests on.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    count: int = 0
    place: SourcePlace | None = None
    group: tuple[int, ...] | None = None
    local: tuple[int, ...] | None = None
    inputs: dict[str, int] = field(default_factory=dict)
    rests_on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AssertQuestion:
    """Whether assertions hold in all threads of a launch."""

    floats: Floats

    @staticmethod
    def unknown(file: str, kernel: str, verdict: str, reason: str) -> AssertionAnswer:
        """Return the answer about a kernel of which nothing is known."""
        return AssertionAnswer(file, kernel, verdict, reason)

    def ask(self, subject: Subject, solver: Solver, options: Options) -> AssertionAnswer:
        """Return whether they hold."""
        sizes = sizes_of(subject, "--assert")
        verdict, reason = not_ordered(subject, solver, options)
        if verdict:
            report = AssertionReport("unknown")
        else:
            scalars, ieee = dict(subject.launch.scalars), self.floats != "uninterpreted"
            report = check_assertions(subject.kernel, sizes, scalars, solver, ieee=ieee)
            verdict, reason = report.verdict, report.reason
        more = _number_premises([subject.kernel], "uninterpreted" if self.floats == "uninterpreted" else "bits")
        more += [premise("run")] if verdict == "refuted" else []
        is_shown = verdict in {"failing", "refuted"}
        rests_on = question_premises(subject.kernel, subject.launch, options, *more, is_run=True, is_shown=is_shown)
        group, local = report.thread or (None, None)
        return AssertionAnswer(
            str(subject.path),
            subject.kernel.name,
            verdict,
            reason,
            report.count,
            subject.place(report.line) if report.line else None,
            group,
            local,
            dict(report.inputs),
            rests_on,
        )


def shown_bits(bits: int, width: int, *, is_float: bool) -> float:
    """Return the number that bits stand for."""
    value = float_of(bits, width) if is_float else None
    return to_signed(bits, width) if value is None else value
