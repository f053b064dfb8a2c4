"""The text of `synth verify --equals` and `--assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import listed
from synth_kernels.premises import premises_text
from synth_kernels.program import IS_NULL
from synth_kernels.questions.equality import shown_bits
from synth_kernels.views.kernel import source_excerpt, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.questions.equality import AssertionAnswer, DifferentElement, EqualityAnswer

#: So many elements of an input are shown.
_MOST = 12


def equal_lines(answer: EqualityAnswer) -> Iterator[str]:
    """Yield lines about whether a kernel does the same as a sequential version."""
    name, because = answer.sequential, f": {answer.reason}" if answer.reason else ""
    words = {"equal": f"equal to {name}", "different": f"different from {name}"}
    yield f"{answer.kernel}: {words.get(answer.verdict, answer.verdict)}{because}"
    if answer.place is not None:
        yield f"  {answer.place.file}:{answer.place.line}"
        yield from source_excerpt(answer.place)
    if answer.difference is not None:
        yield from _difference(answer.difference, name)
    if answer.verdict == "equal":
        yield f"  Compared: {listed(list(answer.compared))}, for all that arrays hold at first, by {answer.by}."
    if answer.left_out:
        yield f"  Not compared, because {name} does not write to them: {listed(list(answer.left_out))}."
    yield f"  {premises_text(answer.rests_on)}"


def _difference(difference: DifferentElement, name: str) -> Iterator[str]:
    element = f"{difference.array}[{difference.element}]"
    left = f"{difference.kernel} after the kernel, and {difference.sequential} after {name}"
    yield f"  {element} is {left}; both were run"
    case = difference.found
    shown = [f"{word.removesuffix(IS_NULL)} = null" for word, value in case.scalars.items() if _is_null(word, value)]
    shown += [
        f"{array}[{number}] = {shown_bits(value, case.width, is_float=case.is_float)}"
        for (array, owner, number), value in sorted(case.inputs.items(), key=lambda item: (item[0][0], item[0][2]))
        if owner is None
    ]
    yield _inputs(shown)


def _is_null(name: str, value: int) -> bool:
    return name.endswith(IS_NULL) and bool(value)


def _inputs(shown: list[str]) -> str:
    more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    return f"  with {', '.join(shown[:_MOST])}{more}"


def assert_lines(answer: AssertionAnswer) -> Iterator[str]:
    """Yield lines about whether assertions hold in all threads."""
    because = f": {answer.reason}" if answer.reason else ""
    words = {"holds": "assertions hold in all threads", "failing": "an assertion fails"}
    yield f"{answer.kernel}: {words.get(answer.verdict, answer.verdict)}{because}"
    if (place := answer.place) is not None:
        thread = f"{thread_words(answer.group, answer.local)} comes here" if answer.group and answer.local else ""
        yield f"  {place.file}:{place.line}: {thread}".rstrip(": ")
        yield from source_excerpt(place)
    if answer.inputs:
        yield _inputs([f"{name} = {value}" for name, value in answer.inputs.items()])
    if answer.verdict == "holds":
        yield f"  Threads come to assertions {answer.count} times."
    yield f"  {premises_text(answer.rests_on)}"
