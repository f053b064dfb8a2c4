"""The text of `synth verify --assume-least`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count
from synth_kernels.premises import premises_text
from synth_kernels.views.kernel import launch_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.questions.assumptions import AssumptionAnswer


def assumption_lines(answer: AssumptionAnswer) -> Iterator[str]:
    """Yield lines about what a kernel assumes."""
    goal = f"equal to {answer.sequential}" if answer.sequential else "verified"
    words = {
        "found": f"{goal} if {'this' if len(answer.answers) == 1 else 'one of these'} holds",
        "nothing found": f"no precondition was found that makes it {goal}",
        "verified": f"{goal} without a precondition",
    }
    because = f": {answer.reason}" if answer.reason else ""
    yield f"{answer.kernel}: {words.get(answer.verdict, answer.verdict)}{because}"
    for conditions in answer.answers:
        yield ""
        for needed in conditions:
            yield from (f"  {line}" for line in needed.lines)
        for needed in conditions:
            if needed.without:
                scalars = {name: value for name, value in needed.without.items() if name in answer.widths}
                left_out = "this" if len(conditions) == 1 else needed.lines[-1].removesuffix(";")
                numbers = launch_numbers(needed.without, scalars, answer.widths)
                yield f"      Without {left_out}, it fails with {numbers}."
    if answer.answers:
        yield ""
        yield f"  Tried: {count(answer.tests, 'conjunction')}, the weakest first."
    yield f"  {premises_text(answer.rests_on)}"
