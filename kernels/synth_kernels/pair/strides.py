"""Elements of structures: what a solver should know of an offset `k * x + r`.

Member 0 of one structure of 12 bytes is not member 1 of another one. To see this, a solver that works with bits has to
find out about remainders by 3, and that takes it minutes. So it is told. If `k * x + r` touches the place W, without
overflow and with r below k, then x is the quotient of W by k, and r leads to its remainder. Quotient and remainder are
variables of which nothing else is said: for each W they have values with which this is true, so it excludes no state.

If k is a power of two, bits show this, and the solver needs no help. But a kernel that reverses an array has an index
`n - 1 - i`. Then it needs help for all k, and to be told what i is. Such an index is read as signed, as the reader of C
does when it assumes that an array is not too large. It has a quotient of its own, rounded down.
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
        self._parts: dict[tuple[Term, int, bool], tuple[Term, Term]] = {}

    def digits(self, offset: Term, place: Term, units: int) -> Term:
        """Return what holds if an access of so many elements at an offset touches a place, and helps to see this."""
        terms = self._terms
        found = _split(offset)
        if found is None or units > found[0] or place.value is not None:
            return terms.true
        factor, index, rests = found
        is_signed = bool(_subtracted(index))
        if factor & (factor - 1) == 0 and not is_signed:
            return terms.true
        rest = terms.constant(0, ID_WIDTH)
        for rest_ in rests:
            rest = terms.apply("add", (rest_, rest))
        quotient, remainder = self._divided(place, factor, is_signed=is_signed)
        most = ((1 << (ID_WIDTH - 1)) if is_signed else (1 << ID_WIDTH)) // factor
        from_least = terms.apply("add", (index, terms.constant(most if is_signed else 0, ID_WIDTH)))
        is_short = terms.apply("ult", (from_least, terms.constant(2 * most if is_signed else most, ID_WIDTH)))
        is_digit = terms.apply("ule", (rest, terms.constant(factor - units, ID_WIDTH)))
        begins = terms.apply("ule", (rest, remainder))
        ends = terms.apply("ult", (terms.apply("sub", (remainder, rest)), terms.constant(units, ID_WIDTH)))
        same = terms.all(terms.equal(index, quotient), self.solved(index, quotient))
        return terms.implies(terms.all(is_short, is_digit), terms.all(same, begins, ends))

    def solved(self, index: Term, value: Term) -> Term:
        """Return what an index that equals a value subtracts: that `a - i` is the value says that i is `a - value`.

        Both say the same. But two threads with one `a` then see at once that they have the same i.
        """
        terms = self._terms
        if not (taken := _subtracted(index)):
            return terms.true
        added, subtracted = _addends(index)
        rest = terms.constant(-sum(term.value for term in subtracted if term.value is not None) & _MOST, ID_WIDTH)
        for term in added:
            rest = terms.apply("add", (term, rest))
        whole = taken[0]
        for term in taken[1:]:
            whole = terms.apply("add", (term, whole))
        return terms.equal(whole, terms.apply("sub", (rest, value)))

    def _divided(self, place: Term, factor: int, *, is_signed: bool) -> tuple[Term, Term]:
        key = (place, factor, is_signed)
        if key not in self._parts:
            what = "a signed place" if is_signed else "a place"
            names = (f"{what} by {factor}", f"the rest of {what} by {factor}")
            quotient, remainder = (self._terms.variable(name, ID_WIDTH) for name in names)
            self._parts[key] = quotient, remainder
        return self._parts[key]


def _split(offset: Term) -> tuple[int, Term, list[Term]] | None:
    """Return k, x and the terms of r if an offset is `k * x + r`, for the largest such k."""
    addends, subtracted = _addends(offset)
    scaled = [(*found, addend) for addend in addends if (found := _scaled(addend)) is not None]
    if not scaled or subtracted:
        return None
    factor, index, scaling = max(scaled, key=lambda item: item[0])
    rests = list(addends)
    rests.remove(scaling)
    return factor, index, rests


def _addends(whole: Term) -> tuple[list[Term], list[Term]]:
    """Return the terms that are added in a sum, and those that are subtracted."""
    found: tuple[list[Term], list[Term]] = ([], [])
    todo = [(whole, 0)]
    while todo:
        term, is_taken = todo.pop()
        if term.operator in {"add", "sub"}:
            one, other = term.operands
            todo += [(one, is_taken), (other, is_taken ^ (term.operator == "sub"))]
        else:
            found[is_taken].append(term)
    return found


def _subtracted(whole: Term) -> list[Term]:
    """Return the terms that are subtracted in a sum, but for numbers."""
    return [addend for addend in _addends(whole)[1] if addend.value is None]


def _scaled(term: Term) -> tuple[int, Term] | None:
    """Return the constant and the other factor of a product by a constant."""
    if term.operator != "mul":
        return None
    for first, other in (term.operands, term.operands[::-1]):
        if first.value is not None and 1 < first.value < 1 << (ID_WIDTH - 1):
            return first.value, other
    return None
