"""The answer of `synth shrink`: the normal form of a program, the minimal tests that it shrinks to.

A normal form has no no-ops, and does not say what stores compare with. So the program as the user gave it may be no
test although its normal form is one, and it may have other verdicts. The normal form is shrunk, and the differences are
reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.programs.normal import normal_form, written_out
from synth_checker.programs.rules import broken_rules, rule_names
from synth_checker.reductions.shrink import shrink
from synth_corpus.record import Id, Verdict
from synth_litmus.facts.check import check_programs
from synth_litmus.inputs.named_tests import names_of
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_checker.models import Model
    from synth_checker.programs.program import Program
    from synth_litmus.inputs.programs import GivenProgram


class ShrinkStep(NamedTuple):
    """One relaxation on the way to a minimal test: what it changes, and the id of the program after it (`left`)."""

    does: str
    left: Id


class MinimalTest(NamedTuple):
    """A minimal test, its name, and a shortest list of relaxations that make this test of the given program."""

    id: Id
    called: str
    steps: list[ShrinkStep]


@dataclass(frozen=True, slots=True)
class ShrinkAnswer:
    """A program in normal form, and the minimal tests that it shrinks to.

    `test` and `breaks` are about the program as the user gave it. `keep` is null if each smaller test keeps all
    verdicts.
    """

    id: Id
    test: bool
    breaks: list[str]
    normal_form_breaks: list[str]
    keep: dict[str, Verdict] | None
    minimal: list[MinimalTest]
    name: str | None = field(metadata=HIDDEN)
    program: Program = field(metadata=HIDDEN)
    #: The verdicts of the program as given that differ from those of its normal form.
    others: Mapping[str, Verdict] = field(metadata=HIDDEN)


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
    breaks = [rule for rule in check.breaks if rule not in dropped]
    names = names_of([shrunk.id for shrunk in minimal], corpus)
    return ShrinkAnswer(
        id_,
        not breaks,
        breaks,
        [rule for rule in rule_names(*broken_rules([id_])) if rule not in dropped],
        None if kept is None else {name: "pass" if passes else "fail" for name, passes in kept.items()},
        [
            MinimalTest(shrunk.id, names[shrunk.id], [ShrinkStep(str(step), step.left) for step in shrunk.steps])
            for shrunk in minimal
        ],
        start.name,
        program,
        {name: check.verdicts[name] for name in check.seen_no_ops},
    )
