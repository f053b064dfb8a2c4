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
    from synth_kernels.questions import Answered
    from synth_kernels.questions.assumptions import AssumeQuestion


def assumption_lines(one: Answered[Assumptions], asked: AssumeQuestion) -> Iterator[str]:
    """Yield lines about what a kernel assumes."""
    subject, found = one.subject, one.report
    if subject is None or found is None:
        yield f"{one.name}: {one.verdict}: {one.reason}"
        return
    goal = "verified" if asked.equals is None else f"equal to {asked.equals.name}"
    words = {
        "found": f"{goal} if {'this' if len(found.answers) == 1 else 'one of these'} holds",
        "nothing found": f"no precondition was found that makes it {goal}",
        "verified": f"{goal} without a precondition",
    }
    because = f": {one.reason}" if one.reason else ""
    yield f"{one.name}: {words.get(one.verdict, one.verdict)}{because}"
    widths = dict(subject.kernel.scalars)
    for answer in found.answers:
        yield ""
        for each in answer:
            yield from (f"  {line}" for line in precondition(subject, each.condition))
        for each in answer:
            if each.without:
                scalars = {name: value for name, value in each.without.items() if name in widths}
                needed = precondition(subject, each.condition)[-1]
                which = "this" if len(answer) == 1 else needed.removesuffix(";")
                yield f"      Without {which}, it fails with {launch_numbers(each.without, scalars, widths)}."
    if found.answers:
        yield ""
        yield f"  Tried: {count(found.tests, 'conjunction')}, the weakest first."
    yield f"  {premises_text(one.rests_on)}"
