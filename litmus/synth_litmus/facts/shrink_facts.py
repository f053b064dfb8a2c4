"""The answer of `synth shrink`: the normal form of a program, the minimal tests that it shrinks to, and its JSON.

A normal form has no no-ops, and does not say what stores compare with. So the program as the user gave it may be no
test although its normal form is one, and it may have other verdicts. The normal form is shrunk, and the differences are
reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_checker.programs.normal import normal_form, written_out
from synth_checker.programs.rules import broken_rules, rule_names
from synth_checker.reductions.shrink import shrink
from synth_corpus.record import Id, Verdict
from synth_litmus.facts.check import check_programs
from synth_litmus.inputs.named_tests import names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_checker.models import Model
    from synth_checker.programs.program import Program
    from synth_checker.reductions.shrink import Shrunk
    from synth_litmus.inputs.programs import GivenProgram


@dataclass(frozen=True, slots=True)
class ShrinkAnswer:
    """The normal form of a program and the minimal tests that it shrinks to, each with its name.

    `breaks` are the rules that the program as given breaks, and `form_breaks` those that its normal form breaks.
    `others` are the verdicts of the program as given that differ from those of its normal form. `kept` are the verdicts
    that each smaller test must keep, with True for a pass; None means all of them.
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
    """One relaxation on the way to a minimal test: what it changes, and the id of the program after it (`left`)."""

    does: str
    left: Id


class MinimalFields(TypedDict):
    """A minimal test, its name, and a shortest list of relaxations that make this test of the given program."""

    id: Id
    called: str
    steps: list[ShrinkStepFields]


class ShrinkFields(TypedDict):
    """A program in normal form, and the minimal tests that it shrinks to.

    `test` and `breaks` are about the program as the user gave it. `keep` is null if each smaller test keeps all
    verdicts.
    """

    id: Id
    test: bool
    breaks: list[str]
    normal_form_breaks: list[str]
    keep: dict[str, Verdict] | None
    minimal: list[MinimalFields]


def shrink_given(
    start: GivenProgram,
    kept: Mapping[str, bool] | None,
    models: tuple[Model, ...],
    dropped: Sequence[str],
    corpus: str | None = None,
) -> ShrinkAnswer:
    """Return the minimal tests that a program shrinks to.

    `kept` has the verdicts that these tests must have, with True for a pass; None stands for all verdicts of the
    program. `dropped` names the rules that need not hold. The names of the tests are those that they have in `corpus`,
    or in the corpora that ship.

    Raises:
        InputError: the program has only no-ops.
        LimitError: the program or one of its sub-programs is too large.
    """
    (check,) = check_programs([start.program], models=models)
    program = normal_form(start.program, keep_store_checks="meaningful-comparisons" in dropped)
    id_ = written_out(program)
    minimal = shrink(id_, kept, models, dropped)
    return ShrinkAnswer(
        name=start.name,
        program=program,
        breaks=tuple(rule for rule in check.breaks if rule not in dropped),
        form_breaks=tuple(rule for rule in rule_names(*broken_rules([id_])) if rule not in dropped),
        others={name: check.verdicts[name] for name in check.seen_no_ops},
        kept=kept,
        minimal=tuple(minimal),
        names=names_of([shrunk.id for shrunk in minimal], corpus),
    )


def shrink_fields(answer: ShrinkAnswer) -> ShrinkFields:
    """Return the minimal tests of a program as the JSON object that `synth shrink --json` prints."""
    kept = answer.kept
    return {
        "id": written_out(answer.program),
        "test": not answer.breaks,
        "breaks": list(answer.breaks),
        "normal_form_breaks": list(answer.form_breaks),
        "keep": None if kept is None else {name: "pass" if passes else "fail" for name, passes in kept.items()},
        "minimal": [
            {
                "id": shrunk.id,
                "called": answer.names[shrunk.id],
                "steps": [{"does": str(step), "left": step.left} for step in shrunk.steps],
            }
            for shrunk in answer.minimal
        ],
    }
