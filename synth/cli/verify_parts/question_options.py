"""The options of `synth verify` that ask something else of kernels than whether they are verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import put_text
from synth_checker.errors import InputError, quoted
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth.cli.verify_parts.output_options import OutputOptions
    from synth_kernels.analyses.differences import Floats
    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.questions import Asked, KernelAnswer, KernelQuestion
    from synth_kernels.questions.assumptions import AssumptionAnswer
    from synth_kernels.questions.banks import BankAnswer
    from synth_kernels.questions.equality import AssertionAnswer, EqualityAnswer, EqualQuestion
    from synth_kernels.questions.intervals import IntervalsAnswer
    from synth_kernels.verification import VerificationRequest

_Answer = TypeVar("_Answer", bound="KernelAnswer")
PANEL = "Other questions about kernels (docs/do/questions.md)"
#: With a question, answers are text or, for banks, a picture.
FORMATS = ("text", "svg")


class QuestionOptions(NamedTuple):
    """What the options ask."""

    banks: Annotated[
        str,
        typer.Option(
            "--banks",
            help="Are local accesses free of bank conflicts? For devices of today (32 banks of 4 bytes, 32 lanes), for "
            "the oldest ones (16,4,16), or for others.",
            metavar="today|oldest|BANKS,BYTES,LANES",
            rich_help_panel=PANEL,
        ),
    ] = ""
    intervals: Annotated[
        bool,
        typer.Option(
            "--intervals",
            help="Which arrays are accessed between barriers? Which barriers are not needed?",
            rich_help_panel=PANEL,
        ),
    ] = False
    equals: Annotated[
        str,
        typer.Option(
            "--equals",
            help="Does the kernel leave the same arrays as this sequential function, at this launch?",
            metavar="FILE:FUNCTION",
            rich_help_panel=PANEL,
        ),
    ] = ""
    asserts: Annotated[
        bool,
        typer.Option(
            "--assert",
            help="Do assertions hold if all threads of this launch run?",
            rich_help_panel=PANEL,
        ),
    ] = False
    floats: Annotated[
        str,
        typer.Option(
            "--float",
            help="What floating-point numbers count as for --equals and --assert: real numbers, those of IEEE 754, or "
            "values of which nothing is known.",
            metavar="reals|bits|uninterpreted",
            rich_help_panel=PANEL,
        ),
    ] = ""
    assumes: Annotated[
        bool,
        typer.Option(
            "--assume-least",
            help="Which preconditions make the kernel verified or, with --equals, equal? The weakest come first.",
            rich_help_panel=PANEL,
        ),
    ] = False

    def any(self) -> bool:
        """Return whether they ask something."""
        return any(self)

    @property
    def is_of_barriers(self) -> bool:
        """Whether they only ask which barriers a kernel needs, to which unrolled loops give an answer, too."""
        return self == QuestionOptions(intervals=True)

    def check(self) -> None:
        """Raise InputError if an option lacks the one that it belongs to."""
        if self.floats and not (self.equals or self.asserts):
            raise InputError("--float needs --equals or --assert")


class _PrintedQuestion(NamedTuple, Generic[_Answer]):
    """A question, and what writes its answers: as lines of text, and as a picture if there is one."""

    question: KernelQuestion[_Answer]
    lines: Callable[[_Answer], Iterator[str]]
    picture: Callable[[Sequence[_Answer]], str] | None = None


def _questions(options: QuestionOptions, how: SourceOptions) -> Iterator[_PrintedQuestion[Any]]:
    """Yield the questions.

    Raises:
        InputError: an option is wrong.
    """
    if options.banks:
        yield _banks(options.banks)
    if options.intervals:
        yield _intervals()
    if options.assumes:
        yield _assumes(_compared(options.equals, _floats(options.floats), how) if options.equals else None)
    elif options.equals:
        yield _equals(_compared(options.equals, _floats(options.floats), how))
    if options.asserts:
        yield _asserts(_floats(options.floats))


def _banks(text: str) -> _PrintedQuestion[BankAnswer]:
    from synth_kernels.questions.banks import BankQuestion, banks_of
    from synth_kernels.views.banks import bank_lines, bank_picture

    return _PrintedQuestion(BankQuestion(banks_of(text)), bank_lines, bank_picture)


def _intervals() -> _PrintedQuestion[IntervalsAnswer]:
    from synth_kernels.questions.intervals import IntervalQuestion
    from synth_kernels.views.intervals import interval_lines

    return _PrintedQuestion(IntervalQuestion(), interval_lines)


def _floats(word: str) -> Floats:
    from synth_kernels.analyses.differences import FLOATS

    check_known("float", word or "reals", FLOATS)
    return next(float_ for float_ in FLOATS if float_ == (word or "reals"))


def _compared(text: str, floats: Floats, how: SourceOptions) -> EqualQuestion:
    from synth_kernels.analyses.sequential import read_sequential
    from synth_kernels.questions.equality import EqualQuestion

    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        raise InputError(f"--equals: found {quoted(text)}, expected a file and a function, such as sums.c:sum")
    return EqualQuestion(read_sequential(Path(file), name, how), f"{name} of {file}", floats)


def _assumes(equals: EqualQuestion | None) -> _PrintedQuestion[AssumptionAnswer]:
    from synth_kernels.questions.assumptions import AssumeQuestion
    from synth_kernels.views.assumptions import assumption_lines

    return _PrintedQuestion(AssumeQuestion(equals), assumption_lines)


def _equals(question: EqualQuestion) -> _PrintedQuestion[EqualityAnswer]:
    from synth_kernels.views.equality import equal_lines

    return _PrintedQuestion(question, equal_lines)


def _asserts(floats: Floats) -> _PrintedQuestion[AssertionAnswer]:
    from synth_kernels.questions.equality import AssertQuestion
    from synth_kernels.views.equality import assert_lines

    return _PrintedQuestion(AssertQuestion(floats), assert_lines)


def answer_questions(
    options: QuestionOptions,
    source: Path | None,
    words: VerificationRequest,
    output: OutputOptions,
    *,
    launches: Path | None,
) -> int:
    """Print the answers to the questions about the kernels of a file, and return the exit code.

    `words` are the parameters of `ask_file`. If there is a file of `launches`, the questions are about these, and the
    kernels may be in the files that it names.

    Raises:
        InputError: an option is wrong.
    """
    from synth_kernels.questions import EXIT_CODES
    from synth_kernels.verification import exit_code

    options.check()
    form = output.form
    questions = list(_questions(options, words["how"]))
    if form not in FORMATS or (form == "svg" and not all(question.picture for question in questions)):
        expected = "text or svg" if all(question.picture for question in questions) else "text"
        raise InputError(f"--format: found {form}, expected {expected} for the question of these options")
    verdicts, texts = [], []
    for question in questions:
        answers = []
        for asked in _answers(question.question, source, launches, words):
            verdicts.append(asked.answer.verdict)
            if output.as_json:
                print_json(asked.answer)
            elif form == "svg":
                answers.append(asked.answer)
            elif output.out is None:
                print_lines(_lines(question, asked))
            else:
                texts += [f"{line}\n" for line in _lines(question, asked)]
        if form == "svg" and question.picture:
            texts.append(question.picture(answers))
    if texts:
        put_text("".join(texts), output.out, force=output.force)
    return exit_code(verdicts, EXIT_CODES)


def _answers(
    question: KernelQuestion[_Answer], source: Path | None, launches: Path | None, words: VerificationRequest
) -> Iterator[Asked[_Answer]]:
    """Yield the answers about each kernel of a file, or about each launch of one."""
    from synth_kernels.questions import ask_file, ask_recorded

    if launches is not None:
        yield from ask_recorded(question, launches, source, **words)
    elif source is not None:
        yield from ask_file(question, source, **words)


def _lines(printed: _PrintedQuestion[_Answer], asked: Asked[_Answer]) -> Iterator[str]:
    """Yield an answer as text. Behind its first line, it says of which launch it is."""
    answer, subject = asked.answer, asked.subject
    if asked.is_known:
        first, *others = printed.lines(answer)
    else:
        first, others = f"{answer.kernel}: {answer.verdict}: {answer.reason}", []
    yield first
    if subject is not None and subject.origin:
        values = ", ".join(f"{name} = {value}" for name, value in subject.launch.scalars)
        yield f"  The launch of {subject.origin}{values and ', with '}{values}."
    yield from others
