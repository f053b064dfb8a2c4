"""Elements of structures: what a solver should know of an offset `k * x + r`, where k is no power of two.

Member 0 of one structure of 12 bytes is not member 1 of another one. To see this, a solver that works with bits has to
find out about remainders by 3, and that takes it minutes. So it is told. If `k * x + r` touches the place W, without
overflow and with r below k, then x is the quotient of W by k, and r leads to its remainder. Quotient and remainder are
variables of which nothing else is said: for each W they have values with which this is true, so it excludes no state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH

if TYPE_CHECKING:
    from synth_kernels.terms import Term, Terms

_MOST = (1 << ID_WIDTH) - 1


class Strides:
    """The quotients and remainders of places, by the places and the numbers that divide them."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._parts: dict[tuple[Term, int], tuple[Term, Term]] = {}

    def digits(self, offset: Term, place: Term, units: int) -> Term:
        """Return what holds if an access of so many elements at an offset touches a place, and helps to see this."""
        terms = self._terms
        found = _split(offset)
        if found is None or units > found[0] or place.value is not None:
            return terms.true
        factor, index, rests = found
        rest = terms.constant(0, ID_WIDTH)
        for one in rests:
            rest = terms.apply("add", (one, rest))
        quotient, remainder = self._divided(place, factor)
        is_short = terms.apply("ule", (index, terms.constant(_MOST // factor - 1, ID_WIDTH)))
        is_digit = terms.apply("ule", (rest, terms.constant(factor - units, ID_WIDTH)))
        begins = terms.apply("ule", (rest, remainder))
        ends = terms.apply("ult", (terms.apply("sub", (remainder, rest)), terms.constant(units, ID_WIDTH)))
        return terms.implies(terms.all(is_short, is_digit), terms.all(terms.equal(index, quotient), begins, ends))

    def _divided(self, place: Term, factor: int) -> tuple[Term, Term]:
        key = (place, factor)
        if key not in self._parts:
            names = (f"a place by {factor}", f"the rest of a place by {factor}")
            quotient, remainder = (self._terms.variable(name, ID_WIDTH) for name in names)
            self._parts[key] = quotient, remainder
        return self._parts[key]


def _split(offset: Term) -> tuple[int, Term, list[Term]] | None:
    """Return k, x and the terms of r if an offset is `k * x + r`, for the largest such k that is no power of two."""
    addends: list[Term] = []
    todo = [offset]
    while todo:
        term = todo.pop()
        if term.operator == "add":
            todo += term.operands
        else:
            addends.append(term)
    scaled = [(*found, one) for one in addends if (found := _scaled(one)) is not None]
    if not scaled:
        return None
    factor, index, scaling = max(scaled, key=lambda one: one[0])
    rests = list(addends)
    rests.remove(scaling)
    return factor, index, rests


def _scaled(term: Term) -> tuple[int, Term] | None:
    """Return the constant and the other factor of a product by a small number that is no power of two."""
    if term.operator != "mul":
        return None
    for one, other in (term.operands, term.operands[::-1]):
        if one.value is not None and one.value & (one.value - 1) and one.value < 1 << (ID_WIDTH - 1):
            return one.value, other
    return None
