"""The options of `synth verify` that ask something else of kernels than whether they are verified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from synth.cli.output_files import put_text
from synth.cli.printing import print_json, print_lines
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from synth.questions import Answered, Question
    from synth.verification import Asked

PANEL = "Other questions about kernels (docs/questions.md)"
#: With a question, answers are text or, for banks, a picture.
FORMATS = ("text", "svg")
BanksOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--banks",
        help="Are local accesses free of bank conflicts? For devices of today (32 banks of 4 bytes, 32 lanes), for the "
        "oldest ones (16,4,16), or for others.",
        metavar="today|oldest|BANKS,BYTES,LANES",
        rich_help_panel=PANEL,
    ),
]

IntervalsOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--intervals",
        help="Which arrays are accessed between barriers? Which barriers are not needed?",
        rich_help_panel=PANEL,
    ),
]


class Given(NamedTuple):
    """What the options ask."""

    banks: str = ""
    intervals: bool = False

    def any(self) -> bool:
        """Return whether they ask something."""
        return any(self)


class _Asking(NamedTuple):
    """A question, and what writes its answers: as lines of text, as JSON, and as a picture if there is one."""

    question: Question[object]
    lines: Callable[[Answered[object]], Iterator[str]]
    fields: Callable[[Answered[object]], Mapping[str, object]]
    picture: Callable[[Sequence[Answered[object]]], str] | None = None


def _asked(given: Given) -> Iterator[_Asking]:
    """Yield the questions.

    Raises:
        InputError: an option is wrong.
    """
    if given.banks:
        yield _banks(given.banks)
    if given.intervals:
        yield _intervals()


def _banks(text: str) -> _Asking:
    from synth.questions.banks import BankQuestion, bank_fields, banks_of
    from synth.views.banks import bank_lines, bank_picture

    banks = banks_of(text)
    return _Asking(BankQuestion(banks), bank_lines, lambda one: bank_fields(one, banks), bank_picture)  # type: ignore[arg-type]


def _intervals() -> _Asking:
    from synth.questions.intervals import IntervalQuestion, interval_fields
    from synth.views.intervals import interval_lines

    return _Asking(IntervalQuestion(), interval_lines, interval_fields)  # type: ignore[arg-type]


def answered(
    given: Given,
    source: Path,
    words: Asked,
    *,
    form: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Print the answers to the questions about the kernels of a file, and return the exit code.

    `words` are the parameters of `ask_file`.

    Raises:
        InputError: an option is wrong.
    """
    from synth.questions import ask_file, exit_code

    asked = list(_asked(given))
    if form not in FORMATS or (form == "svg" and not all(one.picture for one in asked)):
        expected = "text or svg" if all(one.picture for one in asked) else "text"
        msg = f"--format: found {form}, expected {expected} for the question of these options"
        raise InputError(msg)
    verdicts, texts = [], []
    for one in asked:
        answers = []
        for answer in ask_file(one.question, source, **words):
            verdicts.append(answer.verdict)
            if as_json:
                print_json(one.fields(answer))
            elif form == "svg":
                answers.append(answer)
            elif out is None:
                print_lines(one.lines(answer))
            else:
                texts += [f"{line}\n" for line in one.lines(answer)]
        if form == "svg" and one.picture:
            texts.append(one.picture(answers))
    if texts:
        put_text("".join(texts), out, force=force)
    return exit_code(verdicts)
