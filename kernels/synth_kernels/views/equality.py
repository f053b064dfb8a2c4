"""The text of `synth verify --equals` and `--assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import listed
from synth_kernels.program import IS_NULL
from synth_kernels.questions.equality import shown_bits
from synth_kernels.verdict_premises import rests_on
from synth_kernels.views.kernel import shown_source, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.analyses.assertions import AssertReport
    from synth_kernels.analyses.differences import Difference
    from synth_kernels.analyses.equality import EqualReport
    from synth_kernels.questions import KernelAnswer
    from synth_kernels.questions.equality import EqualQuestion

#: So many elements of an input are shown.
_MOST = 12


def equal_lines(answered: KernelAnswer[EqualReport], asked: EqualQuestion) -> Iterator[str]:
    """Yield lines about whether a kernel does the same as a sequential version."""
    if answered.subject is None or answered.report is None:
        yield f"{answered.name}: {answered.verdict}: {answered.reason}"
        return
    found, because = answered.report, f": {answered.reason}" if answered.reason else ""
    words = {"equal": f"equal to {asked.name}", "different": f"different from {asked.name}"}
    yield f"{answered.name}: {words.get(answered.verdict, answered.verdict)}{because}"
    if found.line:
        place = answered.subject.place(found.line)
        yield f"  {place.file}:{place.line}"
        yield from shown_source(place)
    if found.difference is not None:
        yield from _difference(found.difference, asked)
    if answered.verdict == "equal":
        yield f"  Compared: {listed(list(found.compared))}, for all that arrays hold at first, by {found.by}."
    if found.left_out:
        yield f"  Not compared, because {asked.name} does not write to them: {listed(list(found.left_out))}."
    yield f"  {rests_on(answered.rests_on)}"


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


def assert_lines(answered: KernelAnswer[AssertReport]) -> Iterator[str]:
    """Yield lines about whether assertions hold in all threads."""
    if answered.subject is None or answered.report is None:
        yield f"{answered.name}: {answered.verdict}: {answered.reason}"
        return
    found, because = answered.report, f": {answered.reason}" if answered.reason else ""
    words = {"holds": "assertions hold in all threads", "failing": "an assertion fails"}
    yield f"{answered.name}: {words.get(answered.verdict, answered.verdict)}{because}"
    if found.line:
        place = answered.subject.place(found.line)
        who = "" if found.thread is None else f"{thread_words(found.thread)} comes here"
        yield f"  {place.file}:{place.line}: {who}".rstrip(": ")
        yield from shown_source(place)
    if found.inputs:
        shown = [f"{name} = {value}" for name, value in found.inputs]
        more = f", and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        yield f"  with {', '.join(shown[:_MOST])}{more}"
    if answered.verdict == "holds":
        yield f"  Threads come to assertions {found.count} times."
    yield f"  {rests_on(answered.rests_on)}"
