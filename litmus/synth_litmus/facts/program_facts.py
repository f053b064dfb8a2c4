"""The answers about one program: its verdicts for `synth check`, and all known facts for `synth show`.

Rules and verdicts are those of the program as the user gave it. If it has no-ops, `with_no_ops` is the program written
out with them, and `normal_form` has the rules that its normal form breaks, and the verdicts of its normal form.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from synth_checker.idioms import annotated, reordered_idiom
from synth_checker.programs.normal import written_out
from synth_checker.verdicts import count_states
from synth_corpus.record import Id, ThreadsFields, Verdict, record_fields
from synth_litmus.facts.check import NormalForm, certify_verdict, check_programs
from synth_litmus.inputs.named_tests import names_of
from synth_storage.answer_json import HIDDEN, OPTIONAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_checker.models import Model
    from synth_litmus.facts.check import Check
    from synth_litmus.inputs.programs import GivenProgram

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """A program in normal form, as a record; with its no-ops, if it has some.

    The verdicts, and the rules that it breaks, are those of the program as the user gave it.
    """

    id: Id
    threads: ThreadsFields
    verdicts: dict[str, Verdict]
    name: str | None
    test: bool
    breaks: tuple[str, ...]
    with_no_ops: Id | None = field(metadata=OPTIONAL)
    normal_form: NormalForm | None = field(metadata=OPTIONAL)
    given: GivenProgram = field(metadata=HIDDEN)
    check: Check = field(metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class CheckAnswer(ProgramAnswer):
    """The JSON of `synth check`: a program in normal form, its verdicts, and the rules that it breaks.

    Verdicts and rules are those of the program as it was given.
    """

    certified: Literal[True] | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True, slots=True)
class ShowAnswer(ProgramAnswer):
    """The JSON of `synth show`: that of `synth check`, with the name and the idioms of the normal form.

    `idiom` is the idiom that the program is, and `contains` are the idioms among its sub-programs.
    """

    called: str
    idiom: str | None = field(metadata=OPTIONAL)
    contains: list[str] | None = field(metadata=OPTIONAL)
    #: How many states the program reaches.
    states: int = field(metadata=HIDDEN)
    #: The idiom that the program would be with its threads in another order. That idiom has other verdicts.
    reordered: str | None = field(metadata=HIDDEN)


def check_given(
    programs_given: Sequence[GivenProgram],
    verdicts: Sequence[str] | None = None,
    models: tuple[Model, ...] | None = None,
    *,
    to_certify: bool = False,
    tell: Callable[[str], None] | None = None,
) -> list[CheckAnswer]:
    """Return, for each program, which rules it breaks and which verdicts it passes.

    The arguments, from the second on, are those of `check_programs`.

    Raises:
        InputError: a program has only no-ops.
        LimitError: a program is too large to decide.
    """
    programs = [program.program for program in programs_given]
    checks = check_programs(programs, verdicts, models, to_certify=to_certify, tell=tell)
    return [_answer(CheckAnswer, given, check) for given, check in zip(programs_given, checks, strict=True)]


def certify_answer(answer: CheckAnswer, models: tuple[Model, ...] | None = None) -> CheckAnswer:
    """Certify each verdict of a program, and return the answer about it with the note that its verdicts are certified.

    Raises:
        LimitError: the program has too many states for a certificate.
        InternalError: a certificate is refused, or it proves the opposite verdict.
    """
    for verdict in answer.check.verdicts:
        certify_verdict(answer.check, verdict, models)
    return replace(answer, certified=True)


def describe_program(program: GivenProgram, corpus: str | None = None) -> ShowAnswer:
    """Return all known facts about a program; its name is the one that it has in a corpus, or in those that ship.

    Raises:
        LimitError: the program is too large to decide.
        InputError: the program has only no-ops, or there is no such corpus.
    """
    (check,) = check_programs([program.program])
    (idioms,) = annotated([check.id])
    return _answer(
        ShowAnswer,
        program,
        check,
        called=names_of([check.id], corpus)[check.id],
        idiom=idioms.get("idiom"),
        contains=idioms.get("contains") or None,
        states=count_states(check.id),
        reordered=reordered_idiom(check.id),
    )


def _answer(kind: Callable[..., T], given: GivenProgram, check: Check, **more: object) -> T:
    """Return an answer about a program; `more` are the fields that only this kind of answer has."""
    return kind(
        **record_fields(check.program, check.verdicts),
        name=given.name,
        test=check.is_test,
        breaks=check.breaks,
        with_no_ops=written_out(check.judged) if check.has_no_ops else None,
        normal_form=check.normal_form if check.has_no_ops else None,
        given=given,
        check=check,
        **more,
    )
