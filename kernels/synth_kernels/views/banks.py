"""The text and the picture of `synth verify --banks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, sentence
from synth_documents.readable import aligned
from synth_documents.svg import LINE, SvgPicture, width_of
from synth_kernels.verdict_premises import premises_text
from synth_kernels.views.kernel import launch_numbers, source_excerpt, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.analyses.banks import Banks
    from synth_kernels.analyses.conflicts import Conflict
    from synth_kernels.analyses.degrees import Degree
    from synth_kernels.questions import KernelAnswer, Subject
    from synth_kernels.questions.banks import BankAnswer

_WORDS = {"free": "no bank conflicts", "conflict": "bank conflicts"}
_VERBS = {"read": "reads", "write": "writes", "atomic": "updates"}
#: The side of a square of the picture, in pixels, and what is left free around it.
_SIDE, _GAP = 10, 20
#: A picture has at most so many lanes and banks.
_MOST_SHOWN = 128
_RULES = {
    "free": ("", "fill: #eef1f4", "fill: #21262d"),
    "alone": ("", "fill: #1a7f37", "fill: #3fb950"),
    "clash": ("", "fill: #cf222e", "fill: #f85149"),
}


def bank_lines(answer: KernelAnswer[BankAnswer]) -> Iterator[str]:
    """Yield lines about the bank conflicts of a kernel."""
    if answer.subject is None or answer.report is None:
        yield f"{answer.name}: {answer.verdict}: {answer.reason}"
        return
    bank_answer, because = answer.report, f": {answer.reason}" if answer.reason else ""
    words = _WORDS.get(answer.verdict, answer.verdict)
    yield f"{answer.name}: {words}{because} ({banks_words(bank_answer.banks)})"
    for conflict in bank_answer.report.conflicts:
        yield ""
        yield from _conflict(answer.subject, conflict, bank_answer.banks)
    if answer.verdict == "free":
        yield f"  Judged: {count(len(bank_answer.report.judged), 'local access')}."
    if left_out := bank_answer.report.left_out:
        yield f"  Not judged: {count(len(left_out), 'access')} of more than 16 bytes."
    yield ""
    if bank_answer.degrees:
        yield from _table(answer.subject, bank_answer.degrees)
    if bank_answer.warning or bank_answer.why_not:
        yield f"  {sentence(bank_answer.warning or bank_answer.why_not)}"
    yield f"  {premises_text(answer.rests_on)}"


def banks_words(banks: Banks) -> str:
    """Return the numbers of banks."""
    return f"{banks.banks} banks of {banks.bytes} bytes, {banks.lanes} lanes"


def _conflict(subject: Subject, conflict: Conflict, banks: Banks) -> Iterator[str]:
    place = subject.place(conflict.access.line)
    doubt = "confirmed by a run" if conflict.is_confirmed else "possible, but no run was found that shows it"
    yield f"  bank conflict in {conflict.access.array}; {doubt}"
    text = place.text or f"array {conflict.access.array}"
    addresses: Sequence[int | None] = conflict.addresses or [None] * len(conflict.threads)
    for thread, address in zip(conflict.threads, addresses, strict=True):
        at = ""
        if address is not None:
            word = address // banks.bytes
            at = f", byte {address}: word {word} in bank {word % banks.banks}"
        yield f"  {place.file}:{place.line}: {thread_words(thread)} {_VERBS[conflict.access.kind]} {text}{at}"
    yield from source_excerpt(place)
    yield f"  with {launch_numbers(conflict.sizes, conflict.scalars, dict(subject.kernel.scalars))}"


def _table(subject: Subject, degrees: Sequence[Degree]) -> Iterator[str]:
    yield "  turns of a batch in one group:"
    rows = [("access", "", "most", "all", "batches")]
    for degree in degrees:
        place = subject.place(degree.access.line)
        text = place.text or f"array {degree.access.array}"
        where = f"{place.file}:{place.line} {_VERBS[degree.access.kind]} {text}"
        rows.append(
            (where, f"{degree.access.width // 8} bytes", str(degree.most), str(degree.turns), str(degree.executions))
        )
    yield from (f"  {line}" for line in aligned(rows))


def bank_picture(answers: Sequence[KernelAnswer[BankAnswer]]) -> str:
    """Return a picture of the slowest batch of each access: which lane touches which bank. Clashes are red."""
    parts = [
        (answer.subject, degree, answer.report.banks)
        for answer in answers
        if answer.subject is not None and answer.report is not None
        for degree in answer.report.degrees
    ]
    picture = SvgPicture(
        "Lanes and banks", "Which lanes touch which banks, for the slowest batch of each access.", _RULES
    )
    y, wide = float(_GAP), width_of("nothing was run: fix the launch")
    if not parts:
        picture.text(_GAP, y + LINE, "nothing was run: fix the launch")
        y += 2 * LINE
    for subject, degree, banks in parts:
        place = subject.place(degree.access.line)
        text = place.text or f"array {degree.access.array}"
        title = f"{place.file}:{place.line} {degree.access.kind} {text}: {count(degree.most, 'turn')}"
        picture.text(_GAP, y + LINE, title, "ink strong")
        y = _grid(picture, degree, banks, y + 2 * LINE) + _GAP
        wide = max(wide, width_of(title), _SIDE * min(banks.banks, _MOST_SHOWN) + 60)
    return picture.written(wide + 2 * _GAP, y + _GAP)


def _grid(picture: SvgPicture, degree: Degree, banks: Banks, top: float) -> float:
    """Draw a square for each lane and bank, and return where the squares end."""
    touched: dict[int, set[int]] = {}
    lanes = {lane: banks.words(touch.address, touch.length) for lane, touch in degree.worst.touches}
    for words in lanes.values():
        for word in words:
            touched.setdefault(word % banks.banks, set()).add(word)
    left, most = _GAP + 60, min(banks.banks, _MOST_SHOWN)
    picture.text(left, top - 4, f"banks 0 to {most - 1}")
    for lane, words in sorted(lanes.items())[:_MOST_SHOWN]:
        y = top + lane * _SIDE
        if lane % 8 == 0:
            picture.text(_GAP, y + _SIDE, f"lane {lane}")
        picture.rect(left, y, most * _SIDE - 1, _SIDE - 1, "free")
        for word in words:
            bank = word % banks.banks
            if bank < most:
                picture.rect(
                    left + bank * _SIDE, y, _SIDE - 1, _SIDE - 1, "clash" if len(touched[bank]) > 1 else "alone"
                )
    return top + (max(lanes) + 1) * _SIDE
