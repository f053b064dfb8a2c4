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
from synth_kernels.analyses.symbolic_thread import SymbolicExecution, TooHardError
from synth_kernels.analyses.whole_launch import Contents, run_all
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

    def access(self, thread: Thread, access: Access, guard: Term, offset: Term, value: Term | None) -> Term | None:
        """Note an access under a guard, and return what a read gives: any value, as far as is known here."""
        if access.kind == "atomic" or offset.value is None:
            raise TooHardError(access.line, "an atomic access, or a place that depends on what memory holds")
        array, terms = self.kernel.array(access.array), self.terms
        owner = {"local": thread[:1], "private": thread}.get(array.space)
        result: Term | None = None
        for number in range(access.width // array.width):
            place = (access.array, owner, (offset.value + number) % (1 << 32))
            bits = terms.constant(number * array.width, access.width)
            if value is None:
                part = terms.variable("read", array.width)
                wide = terms.apply("shl", (terms.extended(part, access.width), bits)) if number else None
                result = (
                    terms.extended(part, access.width) if result is None else terms.apply("or", (result, wide or part))
                )
            elif access.width == array.width:
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
        return result

    def unset(self, thread: Thread, array: str, guard: Term) -> None:  # noqa: ARG002  (the protocol has them)
        """Refuse an array whose life begins anew after it was used."""
        if any(place[:2] == (array, thread) for place in self.events):
            raise TooHardError(0, f"the life of {array} begins anew")

    def peek(self, thread: Thread, peek: Peek, offset: Term) -> Term:  # noqa: ARG002  (the protocol has them)
        """Refuse what no access is."""
        raise TooHardError(peek.line, "a claim about what memory holds")

    def claim(self, thread: Thread, claim: KernelClaim, guard: Term, value: Term) -> None:  # noqa: ARG002  (as above)
        """Refuse claims."""
        raise TooHardError(claim.line, "a claim")

    def before(self, first: _Event, second: _Event) -> Term:
        """Return that an event comes before another one of the same location."""
        if first.thread == second.thread:
            return self.terms.constant(int(first.number < second.number), 1)
        if first.epoch != second.epoch and first.thread[0] == second.thread[0]:
            return self.terms.constant(int(first.epoch < second.epoch), 1)
        return self.terms.apply("ult", (first.time, second.time))

    def held(self, place: Location, reader: _Event | None, value: Term) -> Term:
        """Return that a value is what a location holds when an event reads it, or in the end."""
        terms = self.terms
        writes = [event for event in self.events.get(place, ()) if event.is_write and event is not reader]
        earlier = {
            write.number: terms.all(write.guard, self.before(write, reader) if reader else terms.true)
            for write in writes
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
        everything = sorted(
            (event for at_location in self.events.values() for event in at_location), key=lambda event: event.number
        )
        last: dict[Thread, _Event] = {}
        for event in everything:
            if event.thread in last:
                facts.append(terms.apply("ult", (last[event.thread].time, event.time)))
            last[event.thread] = event
        for at_location in self.events.values():
            for place, event in enumerate(at_location):
                for other in at_location[place + 1 :]:
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
    scalar_terms = {name: terms.constant(scalars[name], width) for name, width in kernel.scalars}
    contents, everyone = Contents(kernel, terms), list(threads(dict(sizes)))
    run_all(kernel, sizes, scalar_terms, everyone, contents)
    orders = _Orders(kernel, terms, contents.initial)
    flow = Flow(kernel)
    for thread in everyone:
        for barrier in SymbolicExecution(kernel, flow, terms, thread, sizes, scalar_terms, orders, math.inf).run():
            for space in barrier.fences:
                orders.epochs[thread, space] = orders.epochs.get((thread, space), 0) + 1
    reads = [
        orders.held(place, event, event.value)
        for place, events in orders.events.items()
        for event in events
        if not event.is_write
    ]
    differ, ends = [], []
    for place in sorted(contents.written, key=str):
        end = terms.variable("end", kernel.array(place[0]).width)
        ends.append(orders.held(place, None, end))
        differ.append(terms.no(terms.equal(end, contents.held(place))))
    answer = solver.ask(query([orders.times(), *reads, *ends, terms.any(*differ)], ieee=False))
    return None if answer.verdict == "unknown" else answer.verdict == "sat"
