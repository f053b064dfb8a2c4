"""Accesses of threads to elements of arrays, and what an encoding of pending accesses has to do with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from synth_kernels.pair.strides import Strides
from synth_kernels.program import ID_WIDTH, Access, Barrier, Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_kernels.program import Flag, Instruction, Kernel, Kind
    from synth_kernels.terms import Term, Terms

#: Which pending accesses to the same location are a race with an access of some kind.
CONFLICTS: dict[Kind, tuple[Flag, ...]] = {
    "read": ("write", "atomic", "put"),
    "write": ("read", "write", "atomic", "fetch", "put"),
    "atomic": ("read", "write", "fetch", "put"),
}
#: The kind of access that a copy is when somebody has waited for it.
SETTLED: dict[Flag, Kind] = {"fetch": "read", "put": "write"}
#: An array, and how an access to it is pending.
Key: TypeAlias = "tuple[str, Flag]"


def keys_of(accesses: Iterable[Access]) -> set[Key]:
    """Return how accesses may be pending. A copy is pending as its kind when somebody has waited for it."""
    return {key for access in accesses for key in ((access.array, access.flag), (access.array, access.kind))}


def logged_keys(kernel: Kernel) -> set[Key]:
    """Return how accesses to memory of several threads may be pending, for the arrays that something writes."""
    called = {key for step in kernel.steps if isinstance(step, Call) for key in step.flags}
    written = {access.array for access in kernel.accesses if access.kind != "read"}
    written |= {name for name, flag in called if flag != "read"}
    logged = {array.name for array in kernel.arrays if array.name in written and array.space in {"local", "global"}}
    return {key for key in keys_of(kernel.accesses) | called if key[0] in logged}


def changed_keys(body: Iterable[Instruction], keys: Iterable[Key]) -> set[Key]:
    """Return of which keys some instructions may make accesses pending: by accesses, calls and waits for copies."""
    body = list(body)
    changed = keys_of(instruction for instruction in body if isinstance(instruction, Access))
    changed |= {key for instruction in body if isinstance(instruction, Call) for key in instruction.flags}
    if any(isinstance(instruction, Barrier) and instruction.waits for instruction in body):
        changed |= {(array, SETTLED[flag]) for array, flag in keys if flag in SETTLED}
    return changed


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """An access of one thread, if it `happens`: where, what a write stores, and how many places a copy touches.

    A copy in steps touches one arbitrary place, that with the number `index`. An asynchronous copy has an `event`.
    """

    access: Access
    happens: Term
    offset: Term
    value: Term | None = None
    count: Term | None = None
    step: Term | None = None
    index: Term | None = None
    event: Term | None = None

    @property
    def key(self) -> Key:
        """The array, and how the access is pending at first."""
        return self.access.array, self.access.flag


class Elements:
    """Which elements of its array an access touches."""

    def __init__(self, terms: Terms, kernel: Kernel) -> None:
        self._terms = terms
        self._widths = {array.name: array.width for array in kernel.arrays}
        self._strides = Strides(terms)
        #: How many elements writes to each array have.
        self._units: dict[str, set[int]] = {}
        for step in kernel.steps:
            if isinstance(step, Access) and step.kind == "write":
                self._units.setdefault(step.array, set()).add(self.units(step))

    def covers(self, touch: ThreadAccess, place: Term) -> Term:
        """Return whether an access touches the element with this number."""
        terms, units = self._terms, self.units(touch.access)
        from_first = self._from_first(touch, place)
        if touch.count is not None and touch.index is not None:
            here = terms.apply("ult", (from_first, terms.constant(units, ID_WIDTH)))
            return terms.all(here, terms.apply("ult", (touch.index, touch.count)))
        if touch.count is None:
            touches = terms.all(terms.equal(touch.offset, place), self._strides.solved(touch.offset, place))
            if units > 1:
                touches = terms.apply("ult", (from_first, terms.constant(units, ID_WIDTH)))
            return terms.all(touches, self._strides.digits(touch.offset, place, units))
        return terms.apply("ult", (terms.extended(from_first, 2 * ID_WIDTH), self.length(touch)))

    def _from_first(self, touch: ThreadAccess, place: Term) -> Term:
        """Return how far a place is from the first element, or in steps from the first one of the arbitrary place."""
        distance = self._terms.apply("sub", (place, touch.offset))
        if touch.step is None or touch.index is None:
            return distance
        steps = self._terms.apply("mul", (touch.index, touch.step))
        far = self._terms.apply("mul", (steps, self._terms.constant(self.units(touch.access), ID_WIDTH)))
        return self._terms.apply("sub", (distance, far))

    def units(self, access: Access) -> int:
        """Return how many elements the width of an access has."""
        return access.width // self._widths[access.array]

    def length(self, touch: ThreadAccess) -> Term:
        """Return how many elements there are from the first to the last that an access touches, with 64 bits."""
        terms, wide = self._terms, 2 * ID_WIDTH
        units = terms.constant(self.units(touch.access), wide)
        if touch.count is None:
            return units
        count = terms.extended(touch.count, wide)
        if touch.step is not None:
            unit_length = terms.constant(1, wide)
            steps = terms.apply("mul", (terms.apply("sub", (count, unit_length)), terms.extended(touch.step, wide)))
            count = terms.apply("add", (steps, unit_length))
        return terms.apply("mul", (count, units))

    def stored(self, touch: ThreadAccess, place: Term) -> Term:
        """Return what a write stores in the element with this number, which it touches."""
        terms, value, width = self._terms, touch.value, self._widths[touch.access.array]
        assert value is not None  # noqa: S101  (the caller keeps this)
        if value.width == width:
            return value
        from_first = self._from_first(touch, place)
        if touch.count is not None and touch.step is None:
            from_first = terms.apply("urem", (from_first, terms.constant(self.units(touch.access), ID_WIDTH)))
        wide = max(value.width, ID_WIDTH)  # room for the number of bits before the element
        bits = terms.apply("mul", (terms.extended(from_first, wide), terms.constant(width, wide)))
        moved = terms.apply("lshr", (terms.extended(value, wide), bits))
        return terms.apply("trunc", (moved,), width)

    def part(self, touch: ThreadAccess, place: Term) -> Term | None:
        """Return which part of a value a write stores in the element with this number: its number, and of how many.

        Two writes are of one value only if they are of one width, and store the same part of it in each element. If all
        writes to an array are of single elements, there is nothing to compare.
        """
        terms, units = self._terms, self.units(touch.access)
        if self._units.get(touch.access.array) == {1}:
            return None
        number = terms.apply("mul", (self._from_first(touch, place), terms.constant(1 << 16, ID_WIDTH)))
        return terms.apply("add", (number, terms.constant(units, ID_WIDTH)))


class PendingAccesses(Protocol):
    """An encoding of the accesses of thread 1 that no barrier has ordered before what follows."""

    #: The arrays and kinds of which accesses are logged.
    keys: Sequence[Key]

    def log(self, touch: ThreadAccess) -> Term:
        """Log an access of thread 1, and return whether it was."""
        ...

    def clashes(self, touch: ThreadAccess, other: Flag) -> Term:
        """Return whether an access of thread 2 races with a pending access of some kind."""
        ...

    def agrees(self, touch: ThreadAccess) -> Term:
        """Return whether a write of thread 2 meets a pending write of the same value, which is tolerated."""
        ...

    def place(self, array: str, flag: Flag) -> Term:
        """Return the element that a pending access has touched."""
        ...

    def settle(self, event: Term, passes: Term, fences: Term) -> None:
        """Let barriers order the copies of an event from here on, if thread 1 has waited for it.

        If it `fences`, the copies are ordered already.
        """
        ...

    def fence(self, key: Key, passes: Term) -> Term:
        """Order pending accesses before what follows, if thread 1 passes a barrier. Return a fact about this."""
        ...

    def loosen(self, key: Key, condition: Term) -> Term:
        """Make arbitrary what is pending, where a loop begins. Return that nothing changes unless `condition` holds."""
        ...

    def pending(self, key: Key) -> Term:
        """Return whether an access is pending."""
        ...

    def words_of_each_place(self) -> Iterator[dict[str, Term]]:
        """Yield what invariants may say of pending accesses: of each place in turn that matters to a check."""
        ...

    def words_of_any_place(self) -> dict[str, Term]:
        """Return the same for an arbitrary place."""
        ...
