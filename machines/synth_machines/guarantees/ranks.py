"""Ranks: how far a thread is from its next step, as tuples that are compared part by part.

Stages are listed with the nearest to the step last. Stages of one *round* follow each other, and share a variant: one
or more expressions. A predicate says when the thread is in the round, so it is in one of its stages then. A stage may
also have a variant of its own. The rank of a stage in a state has these parts:

1. the round: a later one is smaller. A stage without a round is one by itself.
2. the values of the round's variant, in their order,
3. the stage: a later one is smaller,
4. the values of its own variant, in their order.

The first part that differs decides, so the order is lexicographic. A value is an integer that gets smaller only if it
was not negative, or a truth value that gets smaller if it was true and no longer is. So a rank gets smaller only
finitely often. In a round, stages may come again and again, as long as the variant of the round gets smaller.

The rule of docs/understand/semantics.md with ranks is the rule WELL-J of Manna and Pnueli (Temporal verification of
reactive systems: progress) for one thread, with ranks of this form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_machines.formulas.formula import (
    FALSITY,
    FormulaConstant,
    FormulaName,
    FormulaNumber,
    FormulaOperation,
    conjunction,
)
from synth_machines.formulas.types import BOOLEAN, INTEGER
from synth_machines.guarantees.watched_machine import BEFORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

_TRUE, _FALSE = FormulaConstant("TRUE"), FormulaConstant("FALSE")


@dataclass(frozen=True, slots=True)
class VariantTerm:
    """An expression in a variant, and the name that stands for its old value."""

    now: Formula
    before: str
    type: Type

    @property
    def old_is_now(self) -> Formula:
        """The predicate that the name stands for the value of this state."""
        return FormulaOperation("=", (FormulaName(self.before), self.now))

    @property
    def is_smaller(self) -> Formula:
        """The predicate that the value is smaller than the old one, which it may be."""
        old = FormulaName(self.before)
        if self.type == BOOLEAN:
            return conjunction([FormulaOperation("=", (old, _TRUE)), FormulaOperation("=", (self.now, _FALSE))])
        return conjunction([FormulaOperation("<", (self.now, old)), FormulaOperation("≤", (FormulaNumber(0), old))])


@dataclass(frozen=True, slots=True)
class Round:
    """A round: the predicate that the thread is in one of its stages, and its variant.

    `name` is empty if the round is one stage that belongs to none.
    """

    name: str
    when: Formula
    values: tuple[VariantTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedStage:
    """A stage with its rank. `round` counts rounds, and `inside` says which stage of the round the thread is in.

    `when` says that the thread is in the round and in the stage.
    """

    when: Formula
    inside: Formula
    round: int
    own: tuple[VariantTerm, ...]


class StageRanks:
    """The ranks of the stages of a machine. The thread was in the stage at a place, and now it is somewhere."""

    def __init__(self, rounds: Sequence[Round], stages: Sequence[RankedStage]) -> None:
        self.rounds = rounds
        self.stages = stages

    @property
    def covered(self) -> Formula:
        """The predicate that the thread is in a stage."""
        return any_of([round_.when for round_ in self.rounds])

    def of_round(self, number: int) -> Formula:
        """Return the predicate that a thread of a round is in one of its stages."""
        return any_of([stage.inside for stage in self.stages if stage.round == number])

    def values(self, place: int) -> tuple[VariantTerm, ...]:
        """Return the values in the rank of a stage."""
        return (*self.rounds[self.stages[place].round].values, *self.stages[place].own)

    def smaller(self, place: int) -> Formula:
        """Return the predicate that the rank is smaller than it was."""
        was = self.stages[place]
        here = self.rounds[was.round]
        kept = [value.old_is_now for value in here.values]
        before = [stage for stage in self.stages[: place + 1] if stage.round == was.round]
        after = [stage.when for stage in self.stages[place + 1 :] if stage.round == was.round]
        parts = [round_.when for round_ in self.rounds[was.round + 1 :]]
        if here.values:
            parts.append(conjunction([here.when, _decreased(here.values)]))
        if after:  # who is in the round, but in none of its stages up to here, is in a later one
            others = conjunction(
                [here.when, *(FormulaOperation("¬", (stage_before.inside,)) for stage_before in before)]
            )
            parts.append(conjunction([any_of([*after, others]), *kept]))
        if was.own:
            parts.append(conjunction([was.when, *kept, _decreased(was.own)]))
        return any_of(parts)

    def same(self, place: int) -> Formula:
        """Return the predicate that the thread is still in the stage, with the same rank."""
        return conjunction([self.stages[place].when, *(value.old_is_now for value in self.values(place))])


def values_of(variant: Sequence[tuple[Formula, Type]], first: int = 0) -> tuple[VariantTerm, ...]:
    """Return the values of a variant; the names of old values are numbered from `first`."""
    return tuple(VariantTerm(now, f"{BEFORE}{number}", kind) for number, (now, kind) in enumerate(variant, first))


def is_value_type(kind: Type) -> bool:
    """Return whether variants may have values of a type."""
    return kind in (INTEGER, BOOLEAN)


def any_of(parts: Sequence[Formula]) -> Formula:
    """Return the disjunction of predicates; ⊥ is left out."""
    kept = [part for part in parts if part != FALSITY]
    if not kept:
        return FALSITY
    return kept[0] if len(kept) == 1 else FormulaOperation("∨", tuple(kept))


def _decreased(values: Sequence[VariantTerm]) -> Formula:
    """Return the predicate that the first value that has changed is smaller."""
    kept = [value.old_is_now for value in values]
    return any_of([conjunction([*kept[:place], value.is_smaller]) for place, value in enumerate(values)])
