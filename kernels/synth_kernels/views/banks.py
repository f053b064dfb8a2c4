"""The text and the picture of `synth verify --banks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, sentence
from synth_documents.readable import aligned
from synth_documents.svg import LINE, SvgPicture, width_of
from synth_kernels.analyses.banks import Banks
from synth_kernels.premises import premises_text
from synth_kernels.views.kernel import launch_numbers, source_excerpt, thread_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.questions.banks import AccessTurns, BankAnswer, BankConflict

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


def bank_lines(answer: BankAnswer) -> Iterator[str]:
    """Yield lines about the bank conflicts of a kernel."""
    because = f": {answer.reason}" if answer.reason else ""
    words = _WORDS.get(answer.verdict, answer.verdict)
    banks = f"{answer.banks} banks of {answer.bytes} bytes, {answer.lanes} lanes"
    yield f"{answer.kernel}: {words}{because} ({banks})"
    for conflict in answer.conflicts:
        yield ""
        yield from _conflict(conflict, answer)
    if answer.verdict == "free":
        yield f"  Judged: {count(answer.judged, 'local access')}."
    if answer.left_out:
        yield f"  Not judged: {count(answer.left_out, 'access')} of more than 16 bytes."
    yield ""
    if answer.degrees:
        yield from _table(answer.degrees)
    if answer.remark:
        yield f"  {sentence(answer.remark)}"
    yield f"  {premises_text(answer.rests_on)}"


def _conflict(conflict: BankConflict, banks: BankAnswer) -> Iterator[str]:
    place = conflict.place
    doubt = "confirmed by a run" if conflict.confirmed else "possible, but no run was found that shows it"
    yield f"  bank conflict in {conflict.array}; {doubt}"
    text = place.expression or f"array {conflict.array}"
    addresses: Sequence[int | None] = conflict.addresses or [None] * len(conflict.groups)
    for group, local, address in zip(conflict.groups, conflict.locals, addresses, strict=True):
        at = ""
        if address is not None:
            word = address // banks.bytes
            at = f", byte {address}: word {word} in bank {word % banks.banks}"
        yield f"  {place.file}:{place.line}: {thread_words(group, local)} {_VERBS[conflict.kind]} {text}{at}"
    yield from source_excerpt(place)
    yield f"  with {launch_numbers(conflict.sizes, conflict.scalars, conflict.widths)}"


def _table(turns: Sequence[AccessTurns]) -> Iterator[str]:
    yield "  turns of a batch in one group:"
    rows = [("access", "", "most", "all", "batches")]
    for access in turns:
        words = _access_words(access, _VERBS[access.kind])
        rows.append((words, f"{access.bytes} bytes", str(access.most), str(access.turns), str(access.executions)))
    yield from (f"  {line}" for line in aligned(rows))


def _access_words(access: AccessTurns, verb: str) -> str:
    place = access.place
    return f"{place.file}:{place.line} {verb} {place.expression or f'array {access.array}'}"


def bank_picture(answers: Sequence[BankAnswer]) -> str:
    """Return a picture of the slowest batch of each access: which lane touches which bank. Clashes are red."""
    parts = [
        (access, Banks(answer.banks, answer.bytes, answer.lanes)) for answer in answers for access in answer.degrees
    ]
    picture = SvgPicture(
        "Lanes and banks", "Which lanes touch which banks, for the slowest batch of each access.", _RULES
    )
    y, wide = float(_GAP), width_of("nothing was run: fix the launch")
    if not parts:
        picture.text(_GAP, y + LINE, "nothing was run: fix the launch")
        y += 2 * LINE
    for access, banks in parts:
        title = f"{_access_words(access, access.kind)}: {count(access.most, 'turn')}"
        picture.text(_GAP, y + LINE, title, "ink strong")
        y = _grid(picture, access, banks, y + 2 * LINE) + _GAP
        wide = max(wide, width_of(title), _SIDE * min(banks.banks, _MOST_SHOWN) + 60)
    return picture.written(wide + 2 * _GAP, y + _GAP)


def _grid(picture: SvgPicture, access: AccessTurns, banks: Banks, top: float) -> float:
    """Draw a square for each lane and bank, and return where the squares end."""
    touched: dict[int, set[int]] = {}
    lanes = {lane: banks.words(touch.address, touch.length) for lane, touch in access.worst.touches}
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
