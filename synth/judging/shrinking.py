"""What `synth shrink` says: a program, in normal form, and the minimal tests that it shrinks to; and its JSON.

Normal form forgets no-ops and what stores compare with. So the program as it was given may be no test where its normal
form is one, and may have other verdicts. What is shrunk is the normal form; what is otherwise is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth.inputs.named_tests import names_of
from synth.judging.checking import check_programs
from synth_checker.normal import normal_form, written_out
from synth_checker.rules import broken_rules, rule_names
from synth_checker.shrinking import shrink
from synth_corpus.record import Id, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth.inputs.programs import GivenProgram
    from synth_checker.models import Model
    from synth_checker.program import Program
    from synth_checker.shrinking import Shrunk


@dataclass(frozen=True, slots=True)
class ShrinkAnswer:
    """A program's normal form and what it shrinks to, each test with its name.

    `breaks` are the rules that the program as given breaks, and `form_breaks` those that its normal form does; `others`
    are the verdicts that the program as given has otherwise. `kept` are the verdicts that were to be kept, true for a
    pass; None means all of them.
    """

    name: str | None
    program: Program
    breaks: tuple[str, ...]
    form_breaks: tuple[str, ...]
    others: Mapping[str, Verdict]
    kept: Mapping[str, bool] | None
    minimal: tuple[Shrunk, ...]
    names: Mapping[str, str]


class ShrinkStepFields(TypedDict):
    """What is done to a program, and the id of what is left of it."""

    does: str
    left: Id


class MinimalFields(TypedDict):
    """A minimal test, its name, and the fewest steps that lead to it."""

    id: Id
    called: str
    steps: list[ShrinkStepFields]


class ShrinkFields(TypedDict):
    """A program in normal form, and the minimal tests that it shrinks to.

    `test` and `breaks` are of the program as given; `keep` is null where all verdicts are kept.
    """

    id: Id
    test: bool
    breaks: list[str]
    normal_form_breaks: list[str]
    keep: dict[str, Verdict] | None
    minimal: list[MinimalFields]


def shrink_given(
    given: GivenProgram,
    kept: Mapping[str, bool] | None,
    models: tuple[Model, ...],
    dropped: Sequence[str],
    corpus: str | None = None,
) -> ShrinkAnswer:
    """The minimal tests that a program shrinks to, without the dropped rules; names are those of a corpus.

    Raises:
        InputError: the program consists of no-ops.
        LimitError: it, or one of its sub-programs, is too large.
    """
    (check,) = check_programs([given.program], models=models)
    program = normal_form(given.program, keep_store_checks="meaningful-comparisons" in dropped)
    id_ = written_out(program)
    minimal = shrink(id_, kept, models, dropped)
    return ShrinkAnswer(
        name=given.name,
        program=program,
        breaks=tuple(rule for rule in check.breaks if rule not in dropped),
        form_breaks=tuple(rule for rule in rule_names(*broken_rules([id_])) if rule not in dropped),
        others={name: check.verdicts[name] for name in check.seen_no_ops},
        kept=kept,
        minimal=tuple(minimal),
        names=names_of([one.id for one in minimal], corpus),
    )


def shrink_fields(answer: ShrinkAnswer) -> ShrinkFields:
    """What `synth shrink` says, as JSON has it."""
    kept = answer.kept
    return {
        "id": written_out(answer.program),
        "test": not answer.breaks,
        "breaks": list(answer.breaks),
        "normal_form_breaks": list(answer.form_breaks),
        "keep": None if kept is None else {name: "pass" if passes else "fail" for name, passes in kept.items()},
        "minimal": [
            {
                "id": one.id,
                "called": answer.names[one.id],
                "steps": [{"does": str(step), "left": step.left} for step in one.steps],
            }
            for one in answer.minimal
        ],
    }
