"""Accesses of threads to elements of arrays, and what an encoding of pending accesses has to do with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from synth_kernels.pair.strides import Strides
from synth_kernels.program import ID_WIDTH, Access

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.program import Kernel, Kind
    from synth_kernels.terms import Term, Terms

#: Which kinds of access to the same location are a race with an access of some kind.
CONFLICTS: dict[Kind, tuple[Kind, ...]] = {
    "read": ("write", "atomic"),
    "write": ("read", "write", "atomic"),
    "atomic": ("read", "write"),
}
#: An array, and a kind of access to it.
Key: TypeAlias = "tuple[str, Kind]"


@dataclass(frozen=True, slots=True)
class Touch:
    """An access of one thread, if it `happens`: where, what a write stores, and how many places a copy touches."""

    access: Access
    happens: Term
    offset: Term
    value: Term | None
    count: Term | None

    @property
    def key(self) -> Key:
        """The array and the kind of access."""
        return self.access.array, self.access.kind


class Elements:
    """Which elements of its array an access touches."""

    def __init__(self, terms: Terms, kernel: Kernel) -> None:
        self._terms = terms
        self._widths = {array.name: array.width for array in kernel.arrays}
        self._strides = Strides(terms)

    def covers(self, touch: Touch, place: Term) -> Term:
        """Return whether an access touches the element with this number."""
        terms, units = self._terms, self.units(touch.access)
        from_first = terms.apply("sub", (place, touch.offset))
        if touch.count is None:
            found = terms.equal(touch.offset, place)
            if units > 1:
                found = terms.apply("ult", (from_first, terms.constant(units, ID_WIDTH)))
            return terms.all(found, self._strides.digits(touch.offset, place, units))
        return terms.apply("ult", (terms.extended(from_first, 2 * ID_WIDTH), self.length(touch.access, touch.count)))

    def units(self, access: Access) -> int:
        """Return how many elements the width of an access has."""
        return access.width // self._widths[access.array]

    def length(self, access: Access, count: Term | None) -> Term:
        """Return how many elements an access touches, with 64 bits."""
        units = self._terms.constant(self.units(access), 2 * ID_WIDTH)
        if count is None:
            return units
        return self._terms.apply("mul", (self._terms.extended(count, 2 * ID_WIDTH), units))

    def stored(self, touch: Touch, place: Term) -> Term:
        """Return what a write stores in the element with this number, which it touches."""
        terms, value, width = self._terms, touch.value, self._widths[touch.access.array]
        assert value is not None  # noqa: S101  (the caller keeps this)
        if value.width == width:
            return value
        from_first = terms.apply("sub", (place, touch.offset))
        if touch.count is not None:
            from_first = terms.apply("urem", (from_first, terms.constant(self.units(touch.access), ID_WIDTH)))
        wide = max(value.width, ID_WIDTH)  # room for the number of bits before the element
        bits = terms.apply("mul", (terms.extended(from_first, wide), terms.constant(width, wide)))
        moved = terms.apply("lshr", (terms.extended(value, wide), bits))
        return terms.apply("trunc", (moved,), width)


class Pending(Protocol):
    """An encoding of the accesses of thread 1 that no barrier has ordered before what follows."""

    #: The arrays and kinds of which accesses are logged.
    keys: Sequence[Key]

    def log(self, touch: Touch) -> Term:
        """Log an access of thread 1, and return whether it was."""
        ...

    def clashes(self, touch: Touch, other: Kind) -> Term:
        """Return whether an access of thread 2 races with a pending access of some kind."""
        ...

    def agrees(self, touch: Touch) -> Term:
        """Return whether a write of thread 2 meets a pending write of the same value, which is tolerated."""
        ...

    def place(self, array: str, kind: Kind) -> Term:
        """Return the element that a pending access has touched."""
        ...

    def fence(self, key: Key, passes: Term) -> Term:
        """Order pending accesses before what follows, if thread 1 passes a barrier. Return a fact about this."""
        ...

    def loosen(self, key: Key, some: Term) -> Term:
        """Make arbitrary what is pending, at the header of a loop. Return that nothing changes unless `some` holds."""
        ...

    def pending(self, key: Key) -> Term:
        """Return whether an access is pending."""
        ...

    def looks(self) -> Iterator[dict[str, Term]]:
        """Yield what invariants may say of pending accesses: of each place in turn that matters to a check."""
        ...

    def look(self) -> dict[str, Term]:
        """Return the same for an arbitrary place."""
        ...
