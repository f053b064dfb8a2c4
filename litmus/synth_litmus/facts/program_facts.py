"""The answers about one program: its verdicts for `synth check`, all known facts for `synth show`, and their JSON.

Rules and verdicts are those of the program as the user gave it. If it has no-ops, `with_no_ops` is the program written
out with them, and `normal_form` has the rules that its normal form breaks, and the verdicts of its normal form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from synth_checker.idioms import annotated, reordered_idiom
from synth_checker.programs.normal import written_out
from synth_checker.verdicts import count_states
from synth_corpus.record import Id, RecordFields, Verdict, record_fields
from synth_litmus.facts.check import certify_verdict, check_programs
from synth_litmus.inputs.named_tests import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_checker.models import Model
    from synth_litmus.facts.check import Check
    from synth_litmus.inputs.programs import GivenProgram


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """A program as the user gave it, its rules and verdicts, and whether each of its verdicts was certified."""

    given: GivenProgram
    check: Check
    certified: bool = False


@dataclass(frozen=True, slots=True)
class ShowAnswer:
    """A program, its rules and verdicts, its name and its idioms, and how many states it reaches.

    `idiom` is the idiom that the program is, or None. `contains` are the idioms among its sub-programs. `reordered` is
    the idiom that it would be with its threads in another order; that idiom has other verdicts.
    """

    checked: CheckAnswer
    called: str
    states: int
    idiom: str | None
    contains: tuple[str, ...]
    reordered: str | None


class NormalFormFields(TypedDict):
    """The rules that the normal form of a program breaks, and the verdicts of the normal form."""

    breaks: list[str]
    verdicts: dict[str, Verdict]


class ProgramFields(RecordFields):
    """A program in normal form, as a record.

    The verdicts, and the rules that it breaks, are those of the program as the user gave it.
    """

    name: str | None
    test: bool
    breaks: list[str]


class NoOpsFields(TypedDict):
    """A program with its no-ops, if it has some, and the rules and verdicts of its normal form."""

    with_no_ops: NotRequired[Id]
    normal_form: NotRequired[NormalFormFields]


class CertifiedFields(TypedDict):
    """Whether each verdict is certified."""

    certified: NotRequired[Literal[True]]


class IdiomFields(TypedDict):
    """The idiom that a program is, and the idioms among its sub-programs."""

    idiom: NotRequired[str]
    contains: NotRequired[list[str]]


class CheckFields(ProgramFields, NoOpsFields, CertifiedFields):
    """The JSON of `synth check`: a program in normal form, its verdicts, and the rules that it breaks.

    Verdicts and rules are those of the program as it was given.
    """


class ShowFields(ProgramFields, NoOpsFields, IdiomFields):
    """The JSON of `synth show`: that of `synth check`, with the name and the idioms of the normal form."""

    called: str


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
    return [CheckAnswer(program, check) for program, check in zip(programs_given, checks, strict=True)]


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
    (answer,) = check_given([program])
    id_ = answer.check.id
    called = names_of([id_], corpus)[id_]
    (idioms,) = annotated([id_])
    return ShowAnswer(
        checked=answer,
        called=called,
        states=count_states(id_),
        idiom=idioms.get("idiom"),
        contains=tuple(idioms.get("contains", ())),
        reordered=reordered_idiom(id_),
    )


def check_fields(answer: CheckAnswer) -> CheckFields:
    """Return the rules and verdicts of a program as the JSON object that `synth check --json` prints."""
    proven: CertifiedFields = {"certified": True} if answer.certified else {}
    return {**_program(answer), **_no_ops(answer), **proven}


def show_fields(answer: ShowAnswer) -> ShowFields:
    """Return the facts about a program as the JSON object that `synth show --json` prints."""
    idioms: IdiomFields = {}
    if answer.idiom is not None:
        idioms["idiom"] = answer.idiom
    if answer.contains:
        idioms["contains"] = list(answer.contains)
    return {**_program(answer.checked), **_no_ops(answer.checked), "called": answer.called, **idioms}


def _program(answer: CheckAnswer) -> ProgramFields:
    check = answer.check
    return {
        **record_fields(check.program, check.verdicts),
        "name": answer.given.name,
        "test": check.is_test,
        "breaks": list(check.breaks),
    }


def _no_ops(answer: CheckAnswer) -> NoOpsFields:
    check, form = answer.check, answer.check.normal_form
    if not check.has_no_ops:
        return {}
    return {
        "with_no_ops": written_out(check.judged),
        "normal_form": {"breaks": list(form.breaks), "verdicts": dict(form.verdicts)},
    }
