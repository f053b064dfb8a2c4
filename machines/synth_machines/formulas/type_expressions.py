"""Types as expressions: `ℙ(ℤ×S)` is both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InternalError
from synth_machines.formulas.formula import FormulaConstant, FormulaName, FormulaOperation
from synth_machines.formulas.types import (
    BOOLEAN,
    INTEGER,
    BooleanType,
    CarrierType,
    IntegerType,
    PowerType,
    ProductType,
    relation,
)

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type


def as_type(formula: Formula) -> Type | None:
    """Return the type that an expression denotes, or None. Each name counts as a carrier set."""
    match formula:
        case FormulaConstant("ℤ"):
            return INTEGER
        case FormulaConstant("BOOL"):
            return BOOLEAN
        case FormulaName(name):
            return CarrierType(name)
        case FormulaOperation("ℙ", (of,)) if (inner := as_type(of)) is not None:
            return PowerType(inner)
        case FormulaOperation("×" | "↔" as operator, (left, right)):
            first, second = as_type(left), as_type(right)
            if first is None or second is None:
                return None
            return ProductType(first, second) if operator == "×" else relation(first, second)
        case _:
            return None


def type_expression(type_: Type) -> Formula:
    """Return the expression that denotes a type."""
    match type_:
        case IntegerType():
            return FormulaConstant("ℤ")
        case BooleanType():
            return FormulaConstant("BOOL")
        case CarrierType(name):
            return FormulaName(name)
        case PowerType(of):
            return FormulaOperation("ℙ", (type_expression(of),))
        case ProductType(left, right):
            return FormulaOperation("×", (type_expression(left), type_expression(right)))
        case _:
            raise InternalError("a type is not known")
