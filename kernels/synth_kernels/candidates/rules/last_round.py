"""r24 (ours): a pending access is where the last round made it, behind the tests of that round.

Trigger: an access in the loop has an offset or a test with a counter, and the value of the counter one round ago
follows from its value now. So each round adds something fixed to it, doubles it, halves it, or gives it the value of
another counter. A counter that was halved to 0 was 1 before. Accesses before the loop count while counters have their
values at entry.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.accessed_offsets import place
from synth_kernels.candidates.values import scaled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.candidates.loops import Counter, LoopFacts, Reach
    from synth_kernels.terms import Term


def last_round(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r24 says."""
    before = dict(_before(loop)) if loop.barriers else {}
    for key in loop.keys if before else ():
        reaches = loop.accesses(key)
        inside = loop.in_loop(reaches)
        if all(loop.is_fixed(guard) for reach in inside for guard in (reach.offset, *reach.guards)):
            continue
        found = [_where(loop, reach, before if reach in inside else None) for reach in reaches]
        known = [term for term in found if term is not None]
        if len(known) == len(found):
            yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(known)))


def _before(loop: LoopFacts) -> Iterator[tuple[Term, Term]]:
    """Yield counters with what they were a round ago."""
    for counter in loop.counters:
        if len(counter.steps) == 1 and (found := _undone(loop, counter)) is not None:
            yield found


def _undone(loop: LoopFacts, counter: Counter) -> tuple[Term, Term] | None:
    terms, value, (step,) = loop.terms, counter.value, counter.steps
    if any(step is other.value for other in loop.counters):
        return step, value
    stride, sum_ = loop.stride(value), loop.values.sum(step)
    if stride is not None and all(loop.is_fixed(term) for product in stride[1] for term in product):
        limit = (1 << value.width) - 1
        return value, terms.apply("add", (value, loop.values.term(scaled(stride[1], -1, limit), value.width)))
    if set(sum_) == {(value,)} and sum_[value,].bit_count() == 1:
        return value, terms.apply("lshr", (value, loop.number(sum_[value,].bit_length() - 1, value.width)))
    if step.operands and step.operands[0] is value and (by := step.operands[-1].value):
        divides = step.operator in {"udiv", "sdiv"} and by.bit_count() == 1
        if divides or (step.operator in {"lshr", "ashr"} and by < value.width):
            more = terms.apply("shl", (value, loop.number(by.bit_length() - 1 if divides else by, value.width)))
            was_one = terms.equal(value, loop.number(0, value.width))
            return value, terms.choose(was_one, loop.number(1, value.width), more)
    return None


def _where(loop: LoopFacts, reach: Reach, before: Mapping[Term, Term] | None) -> Term | None:
    """Return where an access was in the last round, or before the loop if there are no values of the last round."""
    terms = loop.terms
    if before is None:
        starts = (
            terms.equal(counter.value, counter.initial) for counter in loop.counters if counter.initial is not None
        )
        first = terms.all(*filter(loop.is_known, starts))
        found = place(loop, reach, only_powers=True)
        return terms.all(first, terms.true if found is None else found)
    offset, *guards = (loop.values.replaced(guard, before) for guard in (reach.offset, *reach.guards))
    changed = [counter.value for counter in loop.counters if counter.value not in before]
    known = functools.partial(_is_known, loop, {term.name for term in changed})
    if not known(offset) or reach.access.count or reach.access.width != loop.kernel.array(reach.access.array).width:
        return None
    return terms.all(*filter(known, guards), terms.equal(loop.watched, offset))


def _is_known(loop: LoopFacts, unknown: set[str], term: Term) -> bool:
    """Return whether a formula is known at the header, also that of the last round."""
    return loop.is_known(term) and not loop.values.leaves(term) & unknown
