"""What is said of one program: by `synth check` its verdicts, by `synth show` all that is known, and both as JSON.

Rules and verdicts are those of the program given. If it has no-ops, `with_no_ops` writes it out with them, and
`normal_form` says which rules its normal form breaks and which verdicts that has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from synth.inputs.named_tests import names_of
from synth.judging.checking import certify_verdict, check_programs
from synth_checker.idioms import annotated, reordered_idiom
from synth_checker.normal import written_out
from synth_checker.verdicts import count_states
from synth_corpus.record import Id, RecordFields, Verdict, record_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth.inputs.programs import GivenProgram
    from synth.judging.checking import Check
    from synth_checker.models import Model


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """A program as it was given, what is decided of it, and whether each of its verdicts was certified."""

    given: GivenProgram
    check: Check
    certified: bool = False


@dataclass(frozen=True, slots=True)
class ShowAnswer:
    """A program, what is decided of it, its name and its idioms, and how many states it reaches.

    `idiom` is the idiom that it is, `contains` are those among its sub-programs. `reordered` is the idiom that it is
    except for the order of its threads and its verdicts.
    """

    checked: CheckAnswer
    called: str
    states: int
    idiom: str | None
    contains: tuple[str, ...]
    reordered: str | None


class NormalFormFields(TypedDict):
    """The rules that the normal form breaks, and its verdicts."""

    breaks: list[str]
    verdicts: dict[str, Verdict]


class ProgramFields(RecordFields):
    """A program in normal form, as a record with the verdicts of the program given, and the rules that it breaks."""

    name: str | None
    test: bool
    breaks: list[str]


class NoOpsFields(TypedDict):
    """The program given with its no-ops, if it has some, and what is decided of its normal form."""

    with_no_ops: NotRequired[Id]
    normal_form: NotRequired[NormalFormFields]


class CertifiedFields(TypedDict):
    """That each verdict is certified."""

    certified: NotRequired[Literal[True]]


class IdiomFields(TypedDict):
    """The idiom that a program is, and those among its sub-programs."""

    idiom: NotRequired[str]
    contains: NotRequired[list[str]]


class CheckFields(ProgramFields, NoOpsFields, CertifiedFields):
    """A program in normal form, as a record with the verdicts of the program given, and the rules that it breaks."""


class ShowFields(ProgramFields, NoOpsFields, IdiomFields):
    """A program as `synth check` says it, with the name and the idioms of its normal form."""

    called: str


def check_given(
    given: Sequence[GivenProgram],
    verdicts: Sequence[str] | None = None,
    models: tuple[Model, ...] | None = None,
    *,
    to_certify: bool = False,
    tell: Callable[[str], None] | None = None,
) -> list[CheckAnswer]:
    """What is decided of programs. Arguments and exceptions are those of `check_programs`."""
    programs = [one.program for one in given]
    checks = check_programs(programs, verdicts, models, to_certify=to_certify, tell=tell)
    return [CheckAnswer(one, check) for one, check in zip(given, checks, strict=True)]


def certify_answer(answer: CheckAnswer, models: tuple[Model, ...] | None = None) -> CheckAnswer:
    """The same, with each verdict certified. Raises as `certify_verdict` does."""
    for verdict in answer.check.verdicts:
        certify_verdict(answer.check, verdict, models)
    return replace(answer, certified=True)


def describe_program(given: GivenProgram, corpus: str | None = None) -> ShowAnswer:
    """All that is known of a program; its name is that in a corpus, or in those that ship.

    Raises:
        LimitError: the program is too large to be decided.
        InputError: it consists of no-ops, or there is no such corpus.
    """
    (answer,) = check_given([given])
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
    """What `synth check` says, as JSON has it."""
    proven: CertifiedFields = {"certified": True} if answer.certified else {}
    return {**_program(answer), **_no_ops(answer), **proven}


def show_fields(answer: ShowAnswer) -> ShowFields:
    """What `synth show` says, as JSON has it."""
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
