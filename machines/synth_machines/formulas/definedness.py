"""Well-definedness: the predicate that says where a formula has a meaning.

The rules are those of Rodin. Conjuncts ⊤ are left out. A connective guards what stands to its right: in `P ∧ Q`, the
part Q must be well defined only where P holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import (
    TRUTH,
    Binding,
    Bound,
    Constant,
    Name,
    Number,
    Operation,
    binary,
    conjunction,
)
from synth_machines.formulas.inference import type_of
from synth_machines.formulas.names import free_names, new_name
from synth_machines.formulas.type_expressions import type_expression
from synth_machines.formulas.types import INTEGER, PowerType, ProductType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type


def well_definedness(formula: Formula, types: Mapping[str, Type]) -> Formula:
    """Return the predicate that says where a formula is well defined; `types` are those of its free names."""
    match formula:
        case Operation("∧" | "⇒", (first, *others)):
            return _guarded(formula.operator, first, others, types)
        case Operation("∨", (first, *others)):
            return _guarded("∨", first, others, types)
        case Operation(operator, operands):
            inner = conjunction([well_definedness(operand, types) for operand in operands])
            return _joined(inner, _own(operator, operands, types))
        case Binding():
            return _binding(formula, types)
        case _:
            return TRUTH


def _guarded(operator: str, first: Formula, others: list[Formula], types: Mapping[str, Type]) -> Formula:
    if not others:
        return well_definedness(first, types)
    rest = _guarded(operator, others[0], others[1:], types)
    if rest != TRUTH:
        rest = binary("∨" if operator == "∨" else "⇒", first, rest)
    return _joined(well_definedness(first, types), rest)


def _joined(left: Formula, right: Formula) -> Formula:
    return conjunction([left, right])


def _own(operator: str, operands: tuple[Formula, ...], types: Mapping[str, Type]) -> Formula:
    """Return what an operator asks of its operands."""
    zero = Number(0)
    match operator, operands:
        case "÷", (_, divisor):
            return binary("≠", divisor, zero)
        case "mod", (number, divisor):
            return conjunction([binary("≤", zero, number), binary("<", zero, divisor)])
        case "^", (base, exponent):
            return conjunction([binary("≤", zero, base), binary("≤", zero, exponent)])
        case "()", (function, argument):
            kind = type_of(function, types)
            assert isinstance(kind, PowerType)  # noqa: S101  (the formula is well typed)
            assert isinstance(kind.of, ProductType)  # noqa: S101  (as above)
            functions = binary("⇸", type_expression(kind.of.left), type_expression(kind.of.right))
            is_inside = binary("∈", argument, Operation("dom", (function,)))
            return conjunction([is_inside, binary("∈", function, functions)])
        case "min" | "max", (numbers,):
            return conjunction([_not_empty(numbers, types), _bounded(operator, numbers)])
        case "card", (members,):
            return Operation("finite", (members,))
        case "inter", (sets,):
            return _not_empty(sets, types)
        case _:
            return TRUTH


def _not_empty(members: Formula, types: Mapping[str, Type]) -> Formula:
    return binary("≠", members, Constant("∅", type_of(members, types)))


def _bounded(operator: str, numbers: Formula) -> Formula:
    """Return `∃b·∀x·x∈S ⇒ b≤x`, or `b≥x` for max."""
    free = free_names(numbers)
    bound = "b" if "b" not in free else new_name("b", free)
    name_ = "x" if "x" not in free else new_name("x", [*free, bound])
    order = binary("≤" if operator == "min" else "≥", Name(bound), Name(name_))
    inner = Binding("∀", (Bound(name_, INTEGER),), binary("⇒", binary("∈", Name(name_), numbers), order))
    return Binding("∃", (Bound(bound, INTEGER),), inner)


def bounded_set(formula: Formula) -> tuple[str, Formula] | None:
    """Return `min` and S if a formula is `∃b·∀x·x∈S ⇒ b≤x`, or `max` and S if it has ≥."""
    match formula:
        case Binding("∃", (bound,), Binding("∀", (one,), Operation("⇒", (member, order)))):
            match member, order:
                case Operation("∈", (Name(x), members)), Operation("≤" | "≥" as order_word, (Name(b), Name(y))):
                    names = (one.name, bound.name)
                    if (x, b, y) == (*names, one.name) and not set(names) & set(free_names(members)):
                        return "min" if order_word == "≤" else "max", members
    return None


def _binding(formula: Binding, types: Mapping[str, Type]) -> Formula:
    inner = {**types, **{name.name: name.type for name in formula.bound if name.type is not None}}
    found = well_definedness(formula.condition, inner)
    if formula.value is not None:
        of_value = well_definedness(formula.value, inner)
        if of_value != TRUTH:
            of_value = binary("⇒", formula.condition, of_value)
        found = _joined(found, of_value)
    if found != TRUTH:
        found = Binding("∀", formula.bound, found)
    if formula.binder == "⋂":
        found = _joined(found, Binding("∃", formula.bound, formula.condition))
    return found
