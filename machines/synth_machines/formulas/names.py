"""Free names, and substitution of expressions for names, which never binds a free name by accident."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Bound, Name, Operation, parts_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from synth_machines.formulas.formula import Formula


def free_names(*formulas: Formula) -> list[str]:
    """Return the free names of formulas, in the order in which they first occur."""
    found: dict[str, None] = {}
    for formula in formulas:
        _collect(formula, frozenset(), found)
    return list(found)


def _collect(formula: Formula, bound: frozenset[str], found: dict[str, None]) -> None:
    if isinstance(formula, Name):
        if formula.name not in bound:
            found[formula.name] = None
        return
    if isinstance(formula, Binding):
        bound |= set(formula.names)
        if formula.form in {"implicit", "lambda"} and formula.value is not None:
            _collect(formula.value, bound, found)
    for part in parts_of(formula):
        _collect(part, bound, found)


def substitute(formula: Formula, values: Mapping[str, Formula]) -> Formula:
    """Return the formula with expressions in place of free names, all at once.

    A bound name that is free in one of the expressions gets a new name.
    """
    if not values:
        return formula
    return _substituted(formula, values)


def _substituted(formula: Formula, values: Mapping[str, Formula]) -> Formula:
    match formula:
        case Name(name):
            return values.get(name, formula)
        case Operation(operator, operands):
            return Operation(operator, tuple(_substituted(operand, values) for operand in operands))
        case Binding(binder, bound, condition, value, form):
            free = free_names(formula)
            inner = {name: values[name] for name in free if name in values}
            if not inner:
                return formula
            taken = {*free_names(*inner.values()), *free, *formula.names}
            clashing = {*free_names(*inner.values())} & {*formula.names}
            renamed = []
            for name_ in bound:
                name = name_.name
                if name in clashing:
                    name = new_name(name, taken)
                    taken.add(name)
                    inner[name_.name] = Name(name)
                renamed.append(Bound(name, name_.type))
            condition = _substituted(condition, inner)
            value = None if value is None else _substituted(value, inner)
            return Binding(binder, tuple(renamed), condition, value, form)
        case _:
            return formula


def new_name(name: str, taken: Collection[str]) -> str:
    """Return a name like the given one that is not taken."""
    stem = name.rstrip("'").rstrip("0123456789") or "x"
    return next(candidate for number in itertools.count() if (candidate := f"{stem}{number}") not in taken)


def prime(name: str) -> str:
    """Return the name of a variable's value after an event."""
    return f"{name}'"
