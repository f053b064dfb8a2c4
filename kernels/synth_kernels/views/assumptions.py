"""The text of `synth verify --assume-least`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count
from synth_kernels.questions.assumptions import precondition
from synth_kernels.verdict_premises import premises_text
from synth_kernels.views.kernel import launch_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.analyses.assumptions import Assumptions
    from synth_kernels.questions import KernelAnswer
    from synth_kernels.questions.assumptions import AssumeQuestion


def assumption_lines(answer: KernelAnswer[Assumptions], question: AssumeQuestion) -> Iterator[str]:
    """Yield lines about what a kernel assumes."""
    subject, assumptions = answer.subject, answer.report
    if subject is None or assumptions is None:
        yield f"{answer.name}: {answer.verdict}: {answer.reason}"
        return
    goal = "verified" if question.equals is None else f"equal to {question.equals.name}"
    words = {
        "found": f"{goal} if {'this' if len(assumptions.answers) == 1 else 'one of these'} holds",
        "nothing found": f"no precondition was found that makes it {goal}",
        "verified": f"{goal} without a precondition",
    }
    because = f": {answer.reason}" if answer.reason else ""
    yield f"{answer.name}: {words.get(answer.verdict, answer.verdict)}{because}"
    widths = dict(subject.kernel.scalars)
    for conditions in assumptions.answers:
        yield ""
        for each in conditions:
            yield from (f"  {line}" for line in precondition(subject, each.condition))
        for each in conditions:
            if each.without:
                scalars = {name: value for name, value in each.without.items() if name in widths}
                needed = precondition(subject, each.condition)[-1]
                left_out = "this" if len(conditions) == 1 else needed.removesuffix(";")
                yield f"      Without {left_out}, it fails with {launch_numbers(each.without, scalars, widths)}."
    if assumptions.answers:
        yield ""
        yield f"  Tried: {count(assumptions.tests, 'conjunction')}, the weakest first."
    yield f"  {premises_text(answer.rests_on)}"
