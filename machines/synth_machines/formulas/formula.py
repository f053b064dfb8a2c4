"""The syntax tree of formulas, both predicates and expressions.

A formula is one of five classes:

- `FormulaName`: a variable, constant, carrier set, parameter or bound name. A name may end in `'`: the value after an
  event.
- `FormulaNumber`: a whole number.
- `FormulaConstant`: one of the words in `CONSTANTS`, such as ⊤, ℕ or ∅.
- `FormulaOperation`: an operator with its operands, such as `+` or `dom`. `operators` lists all operators.
- `Binding`: what binds names: ∀, ∃, ⋃, ⋂ and sets `{x·P∣E}`.

Reading yields formulas without types. `inference` then fills in the type of each bound name and of each constant that
has many types, such as ∅. Objects never change.

Equality compares trees, and types too. `comparing.same` compares up to names of bound variables and the like.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_machines.formulas.operators import PREDICATE_OPERATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.formulas.types import Type

#: The constants. Those in `GENERIC` have many types.
GENERIC = ("∅", "id", "prj1", "prj2")
CONSTANTS = ("⊤", "⊥", "TRUE", "FALSE", "ℤ", "ℕ", "ℕ1", "BOOL", "succ", "pred", *GENERIC)
Binder: TypeAlias = Literal["∀", "∃", "{}", "⋃", "⋂"]
#: How a set `{x·P∣E}` was written: as itself, as `{E∣P}`, or as `λ`.
Form: TypeAlias = Literal["explicit", "implicit", "lambda"]


@dataclass(frozen=True, slots=True)
class FormulaName:
    """A name, free or bound."""

    name: str


@dataclass(frozen=True, slots=True)
class FormulaNumber:
    """A whole number; it may be negative."""

    value: int


@dataclass(frozen=True, slots=True)
class FormulaConstant:
    """A word with a fixed meaning. `type` is the type of the whole constant, and only generic constants have it."""

    word: str
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class FormulaOperation:
    """An operator with its operands.

    `f(x)` is the operator `()`, `r[S]` is `[]`, and `{a, b}` is `{,}`. The operators ∧ ∨ + ∗ ∪ ∩ ; ∘ <+ may have more
    than two operands. The operator `−` with one operand changes the sign.
    """

    operator: str
    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class BoundName:
    """A name that a `Binding` binds, with its type if that is known."""

    name: str
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """A formula that binds names.

    `condition` is the predicate under ∀ and ∃, which have no `value`. In `{x·P∣E}`, `⋃x·P∣E` and `⋂x·P∣E`, `condition`
    is P and `value` is E. `λx↦y·P∣E` is the set `{x,y·P∣x↦y↦E}`.
    """

    binder: Binder
    bound: tuple[BoundName, ...]
    condition: Formula
    value: Formula | None = None
    form: Form = field(default="explicit", compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are bound."""
        return tuple(bound.name for bound in self.bound)


Formula: TypeAlias = FormulaName | FormulaNumber | FormulaConstant | FormulaOperation | Binding
TRUTH = FormulaConstant("⊤")
FALSITY = FormulaConstant("⊥")


def is_predicate(formula: Formula) -> bool:
    """Return whether a formula is a predicate and not an expression."""
    match formula:
        case FormulaConstant(word):
            return word in {"⊤", "⊥"}
        case FormulaOperation(operator):
            return operator in PREDICATE_OPERATORS
        case Binding(binder):
            return binder in {"∀", "∃"}
        case _:
            return False


def parts_of(formula: Formula) -> Iterator[Formula]:
    """Yield the formulas of which a formula directly consists."""
    match formula:
        case FormulaOperation(_, operands):
            yield from operands
        case Binding(_, _, condition, value):
            yield condition
            if value is not None:
                yield value


def binary(operator: str, left: Formula, right: Formula) -> FormulaOperation:
    """Return an operation with two operands."""
    return FormulaOperation(operator, (left, right))


def conjunction(parts: list[Formula]) -> Formula:
    """Return the conjunction of predicates. Conjunctions among them are taken apart, and ⊤ is left out."""
    kept = [conjunct for part in parts for conjunct in conjuncts(part) if conjunct != TRUTH]
    if len(kept) > 1:
        return FormulaOperation("∧", tuple(kept))
    return kept[0] if kept else TRUTH


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the predicates whose conjunction a predicate is."""
    if isinstance(formula, FormulaOperation) and formula.operator == "∧":
        for operand in formula.operands:
            yield from conjuncts(operand)
    else:
        yield formula
