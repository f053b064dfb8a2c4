"""Compare formulas up to names of bound variables, associativity of ∧ and ∨, and types that are written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Bound, Constant, Name, Operation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.formulas.formula import Formula


def same(left: Formula, right: Formula) -> bool:
    """Return whether two formulas are literally equal, up to what the module says."""
    return canonical(left) == canonical(right)


def canonical(formula: Formula) -> Formula:
    """Return a formula that is equal for all formulas that are the same."""
    return _canonical(formula, {}, 0)


def _canonical(formula: Formula, renamed: Mapping[str, str], depth: int) -> Formula:
    match formula:
        case Name(name):
            return Name(renamed.get(name, name))
        case Constant(word):
            return Constant(word)
        case Operation(operator, operands):
            found = [_canonical(operand, renamed, depth) for operand in operands]
            if operator in {"∧", "∨"}:
                found = [part for operand in found for part in _parts(operand, operator)]
            return Operation(operator, tuple(found))
        case Binding(binder, bound, condition, value):
            # No name that is read begins with a bar.
            names = [f"|{depth + place}" for place in range(len(bound))]
            inner = {**renamed, **dict(zip(formula.names, names, strict=True))}
            below = depth + len(bound)
            condition = _canonical(condition, inner, below)
            value = None if value is None else _canonical(value, inner, below)
            return Binding(binder, tuple(map(Bound, names)), condition, value)
        case _:
            return formula


def _parts(formula: Formula, operator: str) -> tuple[Formula, ...]:
    is_same = isinstance(formula, Operation) and formula.operator == operator
    return formula.operands if is_same and isinstance(formula, Operation) else (formula,)
