"""The options of `synth verify` that ask something else of kernels than whether they are verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import put_text
from synth.cli.shared.question_options import check_word
from synth_checker.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from synth_kernels.analyses.differences import Floats
    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.questions import Answered, Question
    from synth_kernels.questions.equality import EqualQuestion
    from synth_kernels.verification import Asked

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

EqualsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--equals",
        help="Does the kernel leave the same arrays as this sequential function, at this launch?",
        metavar="FILE:FUNCTION",
        rich_help_panel=PANEL,
    ),
]
AssertOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--assert",
        help="Do assertions hold if all threads of this launch run?",
        rich_help_panel=PANEL,
    ),
]
FloatOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--float",
        help="What floating-point numbers count as for --equals and --assert: real numbers, those of IEEE 754, or "
        "values of which nothing is known.",
        metavar="reals|bits|uninterpreted",
        rich_help_panel=PANEL,
    ),
]

AssumeOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--assume-least",
        help="Which preconditions make the kernel verified or, with --equals, equal? The weakest come first.",
        rich_help_panel=PANEL,
    ),
]


class Given(NamedTuple):
    """What the options ask."""

    banks: str = ""
    intervals: bool = False
    equals: str = ""
    asserts: bool = False
    floats: str = ""
    assumes: bool = False

    def any(self) -> bool:
        """Return whether they ask something."""
        return any(self)

    @property
    def is_of_barriers(self) -> bool:
        """Whether they only ask which barriers a kernel needs, to which unrolled loops give an answer, too."""
        return self == Given(intervals=True)

    def check(self, others: Mapping[str, object]) -> None:
        """Raise InputError if an option lacks the one that it belongs to.

        `others` are options that no question takes, with what they were given.
        """
        for name in (name for name, value in others.items() if value):
            msg = f"{name} belongs to the verification of kernels; leave it out to ask another question"
            raise InputError(msg)
        if self.floats and not (self.equals or self.asserts):
            msg = "--float needs --equals or --assert"
            raise InputError(msg)


class _Asking(NamedTuple):
    """A question, and what writes its answers: as lines of text, as JSON, and as a picture if there is one."""

    question: Question[object]
    lines: Callable[[Answered[object]], Iterator[str]]
    fields: Callable[[Answered[object]], Mapping[str, object]]
    picture: Callable[[Sequence[Answered[object]]], str] | None = None


def _asked(given: Given, how: SourceOptions) -> Iterator[_Asking]:
    """Yield the questions.

    Raises:
        InputError: an option is wrong.
    """
    if given.banks:
        yield _banks(given.banks)
    if given.intervals:
        yield _intervals()
    if given.assumes:
        yield _assumes(_compared(given.equals, _floats(given.floats), how) if given.equals else None)
    elif given.equals:
        yield _equals(_compared(given.equals, _floats(given.floats), how))
    if given.asserts:
        yield _asserts(_floats(given.floats))


def _banks(text: str) -> _Asking:
    from synth_kernels.questions.banks import BankQuestion, bank_fields, banks_of
    from synth_kernels.views.banks import bank_lines, bank_picture

    banks = banks_of(text)
    return _Asking(BankQuestion(banks), bank_lines, lambda one: bank_fields(one, banks), bank_picture)  # type: ignore[arg-type]


def _intervals() -> _Asking:
    from synth_kernels.questions.intervals import IntervalQuestion, interval_fields
    from synth_kernels.views.intervals import interval_lines

    return _Asking(IntervalQuestion(), interval_lines, interval_fields)  # type: ignore[arg-type]


def _floats(word: str) -> Floats:
    from synth_kernels.analyses.differences import FLOATS

    check_word("float", word or "reals", FLOATS)
    return next(float_ for float_ in FLOATS if float_ == (word or "reals"))


def _compared(text: str, floats: Floats, how: SourceOptions) -> EqualQuestion:
    from synth_kernels.analyses.sequential import read_sequential
    from synth_kernels.questions.equality import EqualQuestion

    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        msg = f"--equals: found {quoted(text)}, expected a file and a function, such as sums.c:sum"
        raise InputError(msg)
    return EqualQuestion(read_sequential(Path(file), name, how), f"{name} of {file}", floats)


def _assumes(equals: EqualQuestion | None) -> _Asking:
    from synth_kernels.questions.assumptions import AssumeQuestion, assumption_fields
    from synth_kernels.views.assumptions import assumption_lines

    asked = AssumeQuestion(equals)
    return _Asking(asked, lambda one: assumption_lines(one, asked), lambda one: assumption_fields(one, asked))  # type: ignore[arg-type]


def _equals(asked: EqualQuestion) -> _Asking:
    from synth_kernels.questions.equality import equal_fields
    from synth_kernels.views.equality import equal_lines

    return _Asking(asked, lambda one: equal_lines(one, asked), lambda one: equal_fields(one, asked))  # type: ignore[arg-type]


def _asserts(floats: Floats) -> _Asking:
    from synth_kernels.questions.equality import AssertQuestion, assert_fields
    from synth_kernels.views.equality import assert_lines

    return _Asking(AssertQuestion(floats), assert_lines, assert_fields)  # type: ignore[arg-type]


def answered(
    given: Given,
    source: Path | None,
    words: Asked,
    others: Mapping[str, object],
    *,
    launches: Path | None,
    form: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Print the answers to the questions about the kernels of a file, and return the exit code.

    `words` are the parameters of `ask_file`, and `others` are options that no question takes. If there is a file of
    `launches`, the questions are about these, and the kernels may be in the files that it names.

    Raises:
        InputError: an option is wrong.
    """
    from synth_kernels.questions import EXIT_CODES
    from synth_kernels.verification import exit_code

    given.check(others)
    asked = list(_asked(given, words["how"]))
    if form not in FORMATS or (form == "svg" and not all(asking.picture for asking in asked)):
        expected = "text or svg" if all(asking.picture for asking in asked) else "text"
        msg = f"--format: found {form}, expected {expected} for the question of these options"
        raise InputError(msg)
    verdicts, texts = [], []
    for asking in asked:
        answers = []
        for answer in _answers(asking.question, source, launches, words):
            verdicts.append(answer.verdict)
            if as_json:
                print_json(asking.fields(answer))
            elif form == "svg":
                answers.append(answer)
            elif out is None:
                print_lines(_lines(asking, answer))
            else:
                texts += [f"{line}\n" for line in _lines(asking, answer)]
        if form == "svg" and asking.picture:
            texts.append(asking.picture(answers))
    if texts:
        put_text("".join(texts), out, force=force)
    return exit_code(verdicts, EXIT_CODES)


def _answers(
    question: Question[object], source: Path | None, launches: Path | None, words: Asked
) -> Iterator[Answered[object]]:
    """Yield the answers about each kernel of a file, or about each launch of one."""
    from synth_kernels.questions import ask_file, ask_recorded

    if launches is not None:
        yield from ask_recorded(question, launches, source, **words)
    elif source is not None:
        yield from ask_file(question, source, **words)


def _lines(one: _Asking, answer: Answered[object]) -> Iterator[str]:
    """Yield an answer as text. Behind its first line, it says of which launch it is."""
    first, *others = one.lines(answer)
    yield first
    if answer.subject is not None and answer.subject.origin:
        values = ", ".join(f"{name} = {value}" for name, value in answer.subject.launch.scalars)
        yield f"  The launch of {answer.subject.origin}{values and ', with '}{values}."
    yield from others
