"""Sets of relations and functions: `f ∈ A → B`, as what it says about f."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.operators import FUNCTIONS, RELATION_SETS
from synth_machines.formulas.types import ProductType
from synth_machines.sequents.terms import TRUE, conj, implies
from synth_machines.sequents.values import UnsupportedError

if TYPE_CHECKING:
    from synth_machines.sequents.sets import Sets
    from synth_machines.sequents.values import SetValue


def is_between(sets: Sets, relation: SetValue, arrow: str, left: SetValue, right: SetValue) -> str:
    """Return the term for `relation ∈ left arrow right`."""
    is_function = arrow in FUNCTIONS
    total, injective, surjective = FUNCTIONS[arrow] if is_function else (False, False, False)
    if not is_function:
        total, surjective = RELATION_SETS[arrow]
    symbols = sets.symbols
    typed = sets.is_subset(relation, sets.product(left, right))
    domain, values = sets.domain(relation), sets.range(relation)
    return conj(
        [
            typed,
            _functional(sets, relation) if is_function else TRUE,
            symbols.for_all(left.element, lambda element: implies(left.contains(element), domain.contains(element)))
            if total
            else TRUE,
            _injective(sets, relation) if injective else TRUE,
            symbols.for_all(right.element, lambda element: implies(right.contains(element), values.contains(element)))
            if surjective
            else TRUE,
        ]
    )


def _functional(sets: Sets, relation: SetValue) -> str:
    if relation.function is not None:
        return TRUE
    pair, symbols = _pair(relation), sets.symbols
    return symbols.for_all(
        pair.left,
        lambda place: symbols.for_all(
            pair.right,
            lambda one: symbols.for_all(
                pair.right,
                lambda other: implies(
                    conj([relation.contains((place, one)), relation.contains((place, other))]),
                    symbols.same(one, other),
                ),
            ),
        ),
    )


def _injective(sets: Sets, relation: SetValue) -> str:
    pair, symbols = _pair(relation), sets.symbols
    part = relation.function
    if part is not None:
        return symbols.for_all(
            pair.left,
            lambda one: symbols.for_all(
                pair.left,
                lambda other: implies(
                    conj([part.domain(one), part.domain(other), symbols.same(part.apply(one), part.apply(other))]),
                    symbols.same(one, other),
                ),
            ),
        )
    return _functional(sets, sets.inverse(relation))


def _pair(relation: SetValue) -> ProductType:
    if not isinstance(relation.element, ProductType):
        raise UnsupportedError("a set that is no relation")
    return relation.element
