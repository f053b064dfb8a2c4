"""All orders in which up to four threads may access memory between barriers, as one formula.

This is the slow twin of the canonical schedule (`whole`). Each access has a time. The times of a thread rise, and a
barrier that fences a memory puts what comes before it before what comes after it. A read gives what the last write
before it has stored. A kernel without a race leaves the same memory in each order, so no order differs from the
canonical one. In other kernels, an order that differs is a race that shows by its effect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_kernels.analyses.float_values import query
from synth_kernels.analyses.symbolic_thread import Execution, TooHardError
from synth_kernels.analyses.whole import Contents, run_all
from synth_kernels.flow import Flow
from synth_kernels.launch import threads
from synth_kernels.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.launch import Thread
    from synth_kernels.memory import Location
    from synth_kernels.program import Access, Kernel, KernelClaim, Peek
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: The width of times, and the threads that a launch has at most.
_TIME, MOST_THREADS = 12, 4


@dataclass(frozen=True, slots=True)
class _Event:
    """A read or a write of an element by a thread, if the guard holds. `epoch` counts the fences before it."""

    thread: Thread
    number: int
    epoch: int
    is_write: bool
    guard: Term
    value: Term
    time: Term


@dataclass
class _Orders:
    """The events of each location, in the order of each thread."""

    kernel: Kernel
    terms: Terms
    initial: dict[Location, Term]
    events: dict[Location, list[_Event]] = field(default_factory=dict)
    epochs: dict[tuple[Thread, str], int] = field(default_factory=dict)
    count: int = 0

    def access(self, thread: Thread, one: Access, guard: Term, offset: Term, value: Term | None) -> Term | None:
        """Note an access under a guard, and return what a read gives: any value, as far as is known here."""
        if one.kind == "atomic" or offset.value is None:
            raise TooHardError(one.line, "an atomic access, or a place that depends on what memory holds")
        array, terms = self.kernel.array(one.array), self.terms
        owner = {"local": thread[:1], "private": thread}.get(array.space)
        found: Term | None = None
        for number in range(one.width // array.width):
            place = (one.array, owner, (offset.value + number) % (1 << 32))
            bits = terms.constant(number * array.width, one.width)
            if value is None:
                part = terms.variable("read", array.width)
                wide = terms.apply("shl", (terms.extended(part, one.width), bits)) if number else None
                found = terms.extended(part, one.width) if found is None else terms.apply("or", (found, wide or part))
            elif one.width == array.width:
                part = value
            else:
                part = terms.apply("trunc", (terms.apply("lshr", (value, bits)),), array.width)
            self.count += 1
            event = _Event(
                thread,
                self.count,
                self.epochs.get((thread, array.space), 0),
                value is not None,
                guard,
                part,
                terms.variable("time", _TIME),
            )
            self.events.setdefault(place, []).append(event)
        return found

    def unset(self, thread: Thread, array: str, guard: Term) -> None:  # noqa: ARG002  (the protocol has them)
        """Refuse an array whose life begins anew after it was used."""
        if any(place[:2] == (array, thread) for place in self.events):
            raise TooHardError(0, f"the life of {array} begins anew")

    def peek(self, thread: Thread, one: Peek, offset: Term) -> Term:  # noqa: ARG002  (the protocol has them)
        """Refuse what no access is."""
        raise TooHardError(one.line, "a claim about what memory holds")

    def claim(self, thread: Thread, one: KernelClaim, guard: Term, value: Term) -> None:  # noqa: ARG002  (as above)
        """Refuse claims."""
        raise TooHardError(one.line, "a claim")

    def before(self, one: _Event, other: _Event) -> Term:
        """Return that an event comes before another one of the same location."""
        if one.thread == other.thread:
            return self.terms.constant(int(one.number < other.number), 1)
        if one.epoch != other.epoch and one.thread[0] == other.thread[0]:
            return self.terms.constant(int(one.epoch < other.epoch), 1)
        return self.terms.apply("ult", (one.time, other.time))

    def held(self, place: Location, reader: _Event | None, value: Term) -> Term:
        """Return that a value is what a location holds when an event reads it, or in the end."""
        terms = self.terms
        writes = [one for one in self.events.get(place, ()) if one.is_write and one is not reader]
        earlier = {
            one.number: terms.all(one.guard, self.before(one, reader) if reader else terms.true) for one in writes
        }
        parts = [terms.any(*earlier.values(), terms.equal(value, self.initial[place]))]
        for event in writes:
            later = (terms.all(earlier[two.number], self.before(event, two)) for two in writes if two is not event)
            is_last = terms.all(earlier[event.number], terms.no(terms.any(*later)))
            parts.append(terms.implies(is_last, terms.equal(value, event.value)))
        return terms.all(*parts)

    def times(self) -> Term:
        """Return that times rise in each thread and from epoch to epoch, and differ at each location."""
        terms, facts = self.terms, []
        everything = sorted((event for some in self.events.values() for event in some), key=lambda one: one.number)
        last: dict[Thread, _Event] = {}
        for event in everything:
            if event.thread in last:
                facts.append(terms.apply("ult", (last[event.thread].time, event.time)))
            last[event.thread] = event
        for some in self.events.values():
            for place, event in enumerate(some):
                for other in some[place + 1 :]:
                    if event.thread != other.thread:
                        facts.append(terms.no(terms.equal(event.time, other.time)))
                        if event.epoch != other.epoch and event.thread[0] == other.thread[0]:
                            first, second = (event, other) if event.epoch < other.epoch else (other, event)
                            facts.append(terms.apply("ult", (first.time, second.time)))
        return terms.all(*facts)


def some_order_differs(
    kernel: Kernel, sizes: Mapping[str, int], scalars: Mapping[str, int], solver: Solver
) -> bool | None:
    """Return whether some order leaves other memory than the canonical one, or None if the solver gives up.

    Raises:
        TooHardError: the kernel depends too much on what memory holds, or has claims or atomic accesses.
    """
    terms = Terms()
    given = {name: terms.constant(scalars[name], width) for name, width in kernel.scalars}
    contents, everyone = Contents(kernel, terms), list(threads(dict(sizes)))
    run_all(kernel, sizes, given, everyone, contents)
    orders = _Orders(kernel, terms, contents.initial)
    flow = Flow(kernel)
    for thread in everyone:
        for barrier in Execution(kernel, flow, terms, thread, sizes, given, orders, math.inf).run():
            for space in barrier.fences:
                orders.epochs[thread, space] = orders.epochs.get((thread, space), 0) + 1
    reads = [
        orders.held(place, one, one.value) for place, some in orders.events.items() for one in some if not one.is_write
    ]
    differ, ends = [], []
    for place in sorted(contents.written, key=str):
        end = terms.variable("end", kernel.array(place[0]).width)
        ends.append(orders.held(place, None, end))
        differ.append(terms.no(terms.equal(end, contents.held(place))))
    answer = solver.ask(query([orders.times(), *reads, *ends, terms.any(*differ)], ieee=False))
    return None if answer.verdict == "unknown" else answer.verdict == "sat"
