"""The text of `synth verify --equals` and `--assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import listed
from synth_kernels.program import IS_NULL
from synth_kernels.questions.equality import shown_bits
from synth_kernels.verdict_premises import premises_text
from synth_kernels.views.kernel import shown_source, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.analyses.assertions import AssertReport
    from synth_kernels.analyses.differences import Difference
    from synth_kernels.analyses.equality import EqualReport
    from synth_kernels.questions import Answered
    from synth_kernels.questions.equality import EqualQuestion

#: So many elements of an input are shown.
_MOST = 12


def equal_lines(one: Answered[EqualReport], asked: EqualQuestion) -> Iterator[str]:
    """Yield lines about whether a kernel does the same as a sequential version."""
    if one.subject is None or one.report is None:
        yield f"{one.name}: {one.verdict}: {one.reason}"
        return
    found, because = one.report, f": {one.reason}" if one.reason else ""
    words = {"equal": f"equal to {asked.name}", "different": f"different from {asked.name}"}
    yield f"{one.name}: {words.get(one.verdict, one.verdict)}{because}"
    if found.line:
        place = one.subject.place(found.line)
        yield f"  {place.file}:{place.line}"
        yield from shown_source(place)
    if found.difference is not None:
        yield from _difference(found.difference, asked)
    if one.verdict == "equal":
        yield f"  Compared: {listed(list(found.compared))}, for all that arrays hold at first, by {found.by}."
    if found.left_out:
        yield f"  Not compared, because {asked.name} does not write to them: {listed(list(found.left_out))}."
    yield f"  {premises_text(one.rests_on)}"


def _difference(found: Difference, asked: EqualQuestion) -> Iterator[str]:
    ours, others = (shown_bits(bits, found.width, is_float=found.is_float) for bits in (found.ours, found.others))
    yield f"  {found.array}[{found.element}] is {ours} after the kernel, and {others} after {asked.name}; both were run"
    shown = [
        f"{array}[{number}] = {shown_bits(value, found.width, is_float=found.is_float)}"
        for (array, owner, number), value in sorted(found.inputs.items(), key=lambda item: (item[0][0], item[0][2]))
        if owner is None
    ]
    nulls = [name.removesuffix(IS_NULL) for name, value in found.scalars.items() if name.endswith(IS_NULL) and value]
    shown = [*(f"{name} = null" for name in nulls), *shown]
    more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
    yield f"  with {', '.join(shown[:_MOST])}{more}"


def assert_lines(one: Answered[AssertReport]) -> Iterator[str]:
    """Yield lines about whether assertions hold in all threads."""
    if one.subject is None or one.report is None:
        yield f"{one.name}: {one.verdict}: {one.reason}"
        return
    found, because = one.report, f": {one.reason}" if one.reason else ""
    words = {"holds": "assertions hold in all threads", "failing": "an assertion fails"}
    yield f"{one.name}: {words.get(one.verdict, one.verdict)}{because}"
    if found.line:
        place = one.subject.place(found.line)
        who = "" if found.thread is None else f"{thread_words(found.thread)} comes here"
        yield f"  {place.file}:{place.line}: {who}".rstrip(": ")
        yield from shown_source(place)
    if found.inputs:
        shown = [f"{name} = {value}" for name, value in found.inputs]
        more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        yield f"  with {', '.join(shown[:_MOST])}{more}"
    if one.verdict == "holds":
        yield f"  Threads come to assertions {found.count} times."
    yield f"  {premises_text(one.rests_on)}"
