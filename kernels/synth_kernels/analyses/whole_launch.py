"""Run all threads of a launch symbolically, by the canonical schedule, from any contents of memory.

Between two barriers, threads run one after the other. If a kernel has no race and no divergence at this launch, each
other order leaves the same memory. What an element holds at first is a variable, named by its array and its number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.analyses.insertion import uses
from synth_kernels.analyses.symbolic_thread import SymbolicExecution, TooHardError
from synth_kernels.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.memory import Location
    from synth_kernels.program import Access, Barrier, Kernel, KernelClaim, Peek
    from synth_kernels.terms import Term, Terms

#: An array of so many elements may be accessed at places that depend on what memory holds.
MOST_ELEMENTS = 256
#: Atomic operations of which the order does not matter, as long as those of one place have one word here.
_COMMUTING = {"add": "sum", "sub": "sum", "and": "and", "or": "or", "xor": "xor"}


class AssertionOutcome(NamedTuple):
    """An assertion of a thread: under the guard, the value has to be true."""

    thread: Thread
    line: int
    fails: Term


@dataclass
class Contents:
    """What memory holds. `initial` has the variables of what was there first, `written` the places that changed.

    `updated` says of places by what kind of atomic operation, of which width, and as which element of it.
    """

    kernel: Kernel
    terms: Terms
    initial: dict[Location, Term] = field(default_factory=dict)
    now: dict[Location, Term] = field(default_factory=dict)
    written: set[Location] = field(default_factory=set)
    updated: dict[Location, tuple[str, int, int]] = field(default_factory=dict)
    asserted: list[AssertionOutcome] = field(default_factory=list)
    assumed: list[Term] = field(default_factory=list)

    def access(self, thread: Thread, access: Access, guard: Term, offset: Term, value: Term | None) -> Term | None:
        """Make an access under a guard, and return what it reads."""
        if access.kind == "read":
            return self._read(thread, access, offset)
        if access.kind == "atomic":
            value = self._updated(thread, access, offset, value)
        assert value is not None  # noqa: S101  (a write has one)
        array = self.kernel.array(access.array)
        for number, places in enumerate(self._places(thread, access, offset)):
            part = self._part(value, number, array.width)
            for here, location in places:
                old = self.held(location)
                self.now[location] = self.terms.choose(self.terms.all(guard, here), part, old)
                self.written.add(location)
        return None

    def unset(self, thread: Thread, array: str, guard: Term) -> None:
        """Let the elements of a private array hold anything, under a guard."""
        for location, old in self.now.items():
            if location[:2] == (array, thread):
                fresh = self.terms.variable(f"{array}[{location[2]}] of {thread}", old.width)
                self.now[location] = self.terms.choose(guard, fresh, old)

    def peek(self, thread: Thread, peek: Peek, offset: Term) -> Term:
        """Return what an array holds."""
        return self._read(thread, peek, offset)

    def claim(self, thread: Thread, claim: KernelClaim, guard: Term, value: Term) -> None:
        """Note an assertion or an assumption."""
        if claim.kind == "assume":
            self.assumed.append(self.terms.implies(guard, value))
        else:
            assumed = self.terms.all(*self.assumed)
            self.asserted.append(
                AssertionOutcome(thread, claim.line, self.terms.all(assumed, guard, self.terms.no(value)))
            )

    def _updated(self, thread: Thread, access: Access, offset: Term, value: Term | None) -> Term:
        if uses(self.kernel, access.name):
            raise TooHardError(access.line, "what an atomic operation returns depends on the order of threads")
        if access.operation not in _COMMUTING or value is None:
            raise TooHardError(access.line, "the order of these atomic operations matters")
        for number, places in enumerate(self._places(thread, access, offset)):
            kind = (_COMMUTING[access.operation], access.width, number)
            if any(self.updated.setdefault(location, kind) != kind for _, location in places):
                raise TooHardError(
                    access.line, f"the order of two kinds of atomic operations in {access.array} matters"
                )
        return self.terms.apply(access.operation, (self._read(thread, access, offset), value))

    def _read(self, thread: Thread, access: Access | Peek, offset: Term) -> Term:
        terms, width = self.terms, self.kernel.array(access.array).width
        parts = []
        for places in self._places(thread, access, offset):
            value = self.held(places[0][1])
            for here, location in places[1:]:
                value = terms.choose(here, self.held(location), value)
            parts.append(value)
        result = terms.extended(parts[0], access.width)
        for number, part in enumerate(parts[1:], 1):
            moved = terms.apply(
                "shl", (terms.extended(part, access.width), terms.constant(number * width, access.width))
            )
            result = terms.apply("or", (result, moved))
        return result

    def _part(self, value: Term, number: int, width: int) -> Term:
        if value.width == width:
            return value
        moved = self.terms.apply("lshr", (value, self.terms.constant(number * width, value.width)))
        return self.terms.apply("trunc", (moved,), width)

    def _places(self, thread: Thread, access: Access | Peek, offset: Term) -> list[list[tuple[Term, Location]]]:
        """Return for each element of an access where it may be, each place with its condition."""
        array, units = self.kernel.array(access.array), access.width // self.kernel.array(access.array).width
        owner = {"local": thread[:1], "private": thread}.get(array.space)
        if offset.value is not None:
            return [[(self.terms.true, (access.array, owner, (offset.value + n) % (1 << 32)))] for n in range(units)]
        if array.size is None or array.size > MOST_ELEMENTS:
            why = (
                f"a place in {array.name} depends on open values; give its size with --arrays, at most {MOST_ELEMENTS}"
            )
            raise TooHardError(access.line, why)
        return [
            [
                (self.terms.equal(offset, self.terms.constant(place, 32)), (access.array, owner, place + n))
                for place in range(array.size)
            ]
            for n in range(units)
        ]

    def held(self, location: Location) -> Term:
        """Return what a place holds."""
        if location not in self.now:
            array, owner, number = location
            where = "" if owner is None else f" of {owner}"
            name = f"{array}[{number}]{where}"
            if location not in self.initial:
                self.initial[location] = self.terms.variable(name, self.kernel.array(array).width)
            self.now[location] = self.initial[location]
        return self.now[location]


def run_all(  # noqa: PLR0913
    kernel: Kernel,
    sizes: Mapping[str, int],
    scalars: Mapping[str, Term],
    threads: Sequence[Thread],
    contents: Contents,
    *,
    until: float = math.inf,
) -> None:
    """Run all threads, and leave in `contents` what they do.

    Raises:
        TooHardError: what a thread does depends too much on what memory holds.
        OverdueError: the time was over.
    """
    flow, terms = Flow(kernel), contents.terms
    runs = {
        thread: SymbolicExecution(kernel, flow, terms, thread, sizes, scalars, contents, until).run()
        for thread in threads
    }
    met: dict[Thread, Barrier] = {}
    released = list(threads)
    while released:
        for thread in released:
            met.pop(thread, None)
            if (barrier := next(runs[thread], None)) is not None:
                met[thread] = barrier
        at_groups = [thread for thread, barrier in met.items() if barrier.scope == "group"]
        released = at_groups or list(met)
