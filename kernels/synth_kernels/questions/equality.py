"""The questions whether kernels do the same as a sequential version, and whether assertions hold in all threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_checker.errors import InputError
from synth_kernels.analyses.assertions import AssertionReport, check_assertions, order_report
from synth_kernels.analyses.equality import EqualityReport, compare_programs
from synth_kernels.floats import float_of
from synth_kernels.operators import to_signed
from synth_kernels.premises import premise
from synth_kernels.program import Opaque
from synth_kernels.questions import KernelAnswer
from synth_kernels.verdict_premises import question_premises
from synth_kernels.verification.answer import PlaceFields, place_fields
from synth_kernels.word_functions import is_word_function

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.analyses.differences import Floats
    from synth_kernels.pair.options import Options
    from synth_kernels.premises import Premise
    from synth_kernels.program import Kernel
    from synth_kernels.questions import Subject
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
class EqualQuestion:
    """Whether a kernel leaves the same as a sequential version. `name` is how users named that."""

    sequential: Kernel
    name: str
    floats: Floats

    def ask(self, subject: Subject, solver: Solver, options: Options) -> KernelAnswer[EqualityReport]:
        """Return whether a kernel does the same."""
        sizes = sizes_of(subject, "--equals")
        verdict, reason = not_ordered(subject, solver, options)
        if verdict:
            more = [premise("run")] if verdict == "refuted" else []
            rests_on = self.rests_on(subject, options, *more, is_shown=bool(more))
            report = EqualityReport("unknown")
            return KernelAnswer(subject.path, subject.kernel.name, subject, verdict, reason, report, rests_on)
        scalars = dict(subject.launch.scalars)
        comparison = compare_programs(subject.kernel, self.sequential, sizes, scalars, solver, floats=self.floats)
        rests_on = self.rests_on(subject, options, is_shown=comparison.verdict == "different")
        return KernelAnswer(
            subject.path, subject.kernel.name, subject, comparison.verdict, comparison.reason, comparison, rests_on
        )

    def rests_on(self, subject: Subject, options: Options, *more: Premise, is_shown: bool = False) -> tuple[str, ...]:
        """Return what a comparison rests on."""
        both = (subject.kernel, self.sequential)
        premises = (*_number_premises(both, self.floats), *self.sequential.premises, *more)
        return tuple(
            question_premises(subject.kernel, subject.launch, options, *premises, is_run=True, is_shown=is_shown)
        )


def _number_premises(kernels: Iterable[Kernel], floats: Floats) -> list[Premise]:
    """Return what is taken of floating-point numbers, if a kernel computes with some."""
    functions = {
        step.function
        for kernel in kernels
        for block in kernel.blocks
        for step in block.instructions
        if isinstance(step, Opaque)
    }
    is_needed = any(not is_word_function(function) for function in functions)
    return [premise("numbers", _FLOATS[floats])] if is_needed else []


@dataclass(frozen=True, slots=True)
class AssertQuestion:
    """Whether assertions hold in all threads of a launch."""

    floats: Floats

    def ask(self, subject: Subject, solver: Solver, options: Options) -> KernelAnswer[AssertionReport]:
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
        return KernelAnswer(subject.path, subject.kernel.name, subject, verdict, reason, report, tuple(rests_on))


def shown_bits(bits: int, width: int, *, is_float: bool) -> float:
    """Return the number that bits stand for."""
    value = float_of(bits, width) if is_float else None
    return to_signed(bits, width) if value is None else value


class DifferenceFields(TypedDict):
    """An element that differs: what the kernel and the sequential version leave there, and the input.

    The input has the bits of elements by names such as `a[3]`, and of scalars.
    """

    array: str
    element: int
    kernel: float
    sequential: float
    inputs: dict[str, int]
    scalars: dict[str, int]


class EqualsFields(TypedDict):
    """Whether a kernel does the same as a sequential version: `equal`, `different`, `unknown`, or what hinders this.

    `refuted` says that the kernel has a race or a divergence, and `contradiction` that it excludes this launch. `by`
    says how this was decided. `floats` says what floating-point numbers count as, and `rests_on` what the answer rests
    on.
    """

    file: str
    kernel: str
    sequential: str
    verdict: str
    reason: str
    floats: str
    by: str
    compared: list[str]
    left_out: list[str]
    difference: DifferenceFields | None
    rests_on: list[str]


def equal_fields(answer: KernelAnswer[EqualityReport], question: EqualQuestion) -> EqualsFields:
    """Return the JSON form of an answer."""
    report = answer.report or EqualityReport("unknown")
    difference = report.difference
    return {
        "file": str(answer.path),
        "kernel": answer.name,
        "sequential": question.name,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "floats": question.floats,
        "by": report.by,
        "compared": list(report.compared),
        "left_out": list(report.left_out),
        "difference": None
        if difference is None
        else {
            "array": difference.array,
            "element": difference.element,
            "kernel": shown_bits(difference.ours, difference.width, is_float=difference.is_float),
            "sequential": shown_bits(difference.others, difference.width, is_float=difference.is_float),
            "inputs": {f"{place[0]}[{place[2]}]": value for place, value in difference.inputs.items()},
            "scalars": difference.scalars,
        },
        "rests_on": list(answer.rests_on),
    }


class AssertFields(TypedDict):
    """Whether assertions hold in all threads: `holds`, `failing`, `refuted`, `contradiction` or `unknown`.

    `count` is how often threads come to an assertion. If one fails, `inputs` has the bits with which it does.
    `rests_on` is what the answer rests on.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    count: int
    place: PlaceFields | None
    group: list[int] | None
    local: list[int] | None
    inputs: dict[str, int]
    rests_on: list[str]


def assert_fields(answer: KernelAnswer[AssertionReport]) -> AssertFields:
    """Return the JSON form of an answer."""
    report = answer.report or AssertionReport("unknown")
    return {
        "file": str(answer.path),
        "kernel": answer.name,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "count": report.count,
        "place": place_fields(answer.subject.place(report.line)) if report.line and answer.subject else None,
        "group": None if report.thread is None else list(report.thread[0]),
        "local": None if report.thread is None else list(report.thread[1]),
        "inputs": dict(report.inputs),
        "rests_on": list(answer.rests_on),
    }
