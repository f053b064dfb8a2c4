"""The text of `synth verify --equals` and `--assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import listed
from synth_kernels.program import IS_NULL
from synth_kernels.questions.equality import shown_bits
from synth_kernels.verdict_premises import premises_text
from synth_kernels.views.kernel import source_excerpt, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.analyses.assertions import AssertionReport
    from synth_kernels.analyses.differences import ElementDifference
    from synth_kernels.analyses.equality import EqualityReport
    from synth_kernels.questions import KernelAnswer
    from synth_kernels.questions.equality import EqualQuestion

#: So many elements of an input are shown.
_MOST = 12


def equal_lines(answer: KernelAnswer[EqualityReport], question: EqualQuestion) -> Iterator[str]:
    """Yield lines about whether a kernel does the same as a sequential version."""
    if answer.subject is None or answer.report is None:
        yield f"{answer.name}: {answer.verdict}: {answer.reason}"
        return
    report, because = answer.report, f": {answer.reason}" if answer.reason else ""
    words = {"equal": f"equal to {question.name}", "different": f"different from {question.name}"}
    yield f"{answer.name}: {words.get(answer.verdict, answer.verdict)}{because}"
    if report.line:
        place = answer.subject.place(report.line)
        yield f"  {place.file}:{place.line}"
        yield from source_excerpt(place)
    if report.difference is not None:
        yield from _difference(report.difference, question)
    if answer.verdict == "equal":
        yield f"  Compared: {listed(list(report.compared))}, for all that arrays hold at first, by {report.by}."
    if report.left_out:
        yield f"  Not compared, because {question.name} does not write to them: {listed(list(report.left_out))}."
    yield f"  {premises_text(answer.rests_on)}"


def _difference(difference: ElementDifference, question: EqualQuestion) -> Iterator[str]:
    ours, others = (
        shown_bits(bits, difference.width, is_float=difference.is_float)
        for bits in (difference.ours, difference.others)
    )
    element = f"{difference.array}[{difference.element}]"
    yield f"  {element} is {ours} after the kernel, and {others} after {question.name}; both were run"
    shown = [
        f"{array}[{number}] = {shown_bits(value, difference.width, is_float=difference.is_float)}"
        for (array, owner, number), value in sorted(
            difference.inputs.items(), key=lambda item: (item[0][0], item[0][2])
        )
        if owner is None
    ]
    nulls = [
        name.removesuffix(IS_NULL) for name, value in difference.scalars.items() if name.endswith(IS_NULL) and value
    ]
    shown = [*(f"{name} = null" for name in nulls), *shown]
    more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    yield f"  with {', '.join(shown[:_MOST])}{more}"


def assert_lines(answer: KernelAnswer[AssertionReport]) -> Iterator[str]:
    """Yield lines about whether assertions hold in all threads."""
    if answer.subject is None or answer.report is None:
        yield f"{answer.name}: {answer.verdict}: {answer.reason}"
        return
    report, because = answer.report, f": {answer.reason}" if answer.reason else ""
    words = {"holds": "assertions hold in all threads", "failing": "an assertion fails"}
    yield f"{answer.name}: {words.get(answer.verdict, answer.verdict)}{because}"
    if report.line:
        place = answer.subject.place(report.line)
        thread = "" if report.thread is None else f"{thread_words(report.thread)} comes here"
        yield f"  {place.file}:{place.line}: {thread}".rstrip(": ")
        yield from source_excerpt(place)
    if report.inputs:
        shown = [f"{name} = {value}" for name, value in report.inputs]
        more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        yield f"  with {', '.join(shown[:_MOST])}{more}"
    if answer.verdict == "holds":
        yield f"  Threads come to assertions {report.count} times."
    yield f"  {premises_text(answer.rests_on)}"
