"""Well-definedness: the predicate that says where a formula has a meaning.

The rules are those of Rodin. Conjuncts ⊤ are left out. A connective guards what stands to its right: in `P ∧ Q`, the
part Q must be well defined only where P holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import (
    TRUTH,
    Binding,
    BoundName,
    FormulaConstant,
    FormulaName,
    FormulaNumber,
    FormulaOperation,
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
        case FormulaOperation("∧" | "⇒", (first, *others)):
            return _guarded(formula.operator, first, others, types)
        case FormulaOperation("∨", (first, *others)):
            return _guarded("∨", first, others, types)
        case FormulaOperation(operator, operands):
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
    zero = FormulaNumber(0)
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
            is_inside = binary("∈", argument, FormulaOperation("dom", (function,)))
            return conjunction([is_inside, binary("∈", function, functions)])
        case "min" | "max", (numbers,):
            return conjunction([_not_empty(numbers, types), _bounded(operator, numbers)])
        case "card", (members,):
            return FormulaOperation("finite", (members,))
        case "inter", (sets,):
            return _not_empty(sets, types)
        case _:
            return TRUTH


def _not_empty(members: Formula, types: Mapping[str, Type]) -> Formula:
    return binary("≠", members, FormulaConstant("∅", type_of(members, types)))


def _bounded(operator: str, numbers: Formula) -> Formula:
    """Return `∃b·∀x·x∈S ⇒ b≤x`, or `b≥x` for max."""
    free = free_names(numbers)
    bound = "b" if "b" not in free else new_name("b", free)
    name_ = "x" if "x" not in free else new_name("x", [*free, bound])
    order = binary("≤" if operator == "min" else "≥", FormulaName(bound), FormulaName(name_))
    inner = Binding("∀", (BoundName(name_, INTEGER),), binary("⇒", binary("∈", FormulaName(name_), numbers), order))
    return Binding("∃", (BoundName(bound, INTEGER),), inner)


def bounded_set(formula: Formula) -> tuple[str, Formula] | None:
    """Return `min` and S if a formula is `∃b·∀x·x∈S ⇒ b≤x`, or `max` and S if it has ≥."""
    match formula:
        case Binding("∃", (bound,), Binding("∀", (element,), FormulaOperation("⇒", (member, order)))):
            match member, order:
                case FormulaOperation("∈", (FormulaName(x), members)), FormulaOperation(
                    "≤" | "≥" as order_word, (FormulaName(b), FormulaName(y))
                ):
                    names = (element.name, bound.name)
                    if (x, b, y) == (*names, element.name) and not set(names) & set(free_names(members)):
                        return "min" if order_word == "≤" else "max", members
    return None


def _binding(formula: Binding, types: Mapping[str, Type]) -> Formula:
    inner = {**types, **{name.name: name.type for name in formula.bound if name.type is not None}}
    condition = well_definedness(formula.condition, inner)
    if formula.value is not None:
        of_value = well_definedness(formula.value, inner)
        if of_value != TRUTH:
            of_value = binary("⇒", formula.condition, of_value)
        condition = _joined(condition, of_value)
    if condition != TRUTH:
        condition = Binding("∀", formula.bound, condition)
    if formula.binder == "⋂":
        condition = _joined(condition, Binding("∃", formula.bound, formula.condition))
    return condition
