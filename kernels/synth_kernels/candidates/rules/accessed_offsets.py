"""r1 (accessedOffsetsSatisfyPredicates): a pending access is at one of the places that the kernel may access.

Trigger: an array is accessed. The offset of each access is compared with a value that the loop does not change. Both
may be equal. If the loop adds a multiple of some number each time, they are equal modulo that number. The candidate: a
pending access is at such a place of one of the accesses. Accesses before the loop count, too.

A second candidate is about accesses in the loop only, and holds if a barrier comes before it. Further candidates use
powers of two only, because such remainders stay right if values wrap around. Others hold in all rounds of the loops
around this one, too. There is no remainder by another number where r25 has each place.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_kernels.candidates.rules import few_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.candidates.loops import LoopFacts, Reach
    from synth_kernels.terms import Term


def accessed_offsets(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r1 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            for only_powers, always in itertools.product((False, True), repeat=2):
                if (found := places(loop, reaches, only_powers=only_powers, always=always)) is not None:
                    yield loop.terms.implies(loop.pending(key), loop.terms.any(*found))


def places(loop: LoopFacts, reaches: Sequence[Reach], *, only_powers: bool, always: bool) -> list[Term] | None:
    """Return where each access may be, or None if nothing is known of one of them."""
    found = [place(loop, reach, only_powers=only_powers, always=always) for reach in reaches]
    known = [term for term in found if term is not None]
    return list(dict.fromkeys(known)) if known and len(known) == len(found) else None


def place(loop: LoopFacts, reach: Reach, *, only_powers: bool, always: bool = False) -> Term | None:
    """Return that the watched location is where an access may be, or None if nothing is known of it."""
    terms, values = loop.terms, loop.values
    congruence = loop.congruence(values.sum(reach.offset), always=always)
    if congruence is None:
        return None
    sum_, modulus = congruence
    units = reach.access.width // loop.kernel.array(reach.access.array).width
    if only_powers:
        modulus &= -modulus
    elif modulus.bit_count() > 1 and few_places.places(loop, [reach], always=always) is not None:
        return None
    if modulus == 1 or modulus >> 32:
        return None
    choices = []
    for unit in range(units if units <= 16 and not reach.access.count else 0):
        base = values.term(dict(sum_), loop.watched.width)
        if unit:
            base = terms.apply("add", (base, loop.number(unit)))
        one, other = (loop.remainder(side, modulus) if modulus else side for side in (loop.watched, base))
        choices.append(terms.equal(one, other))
    return terms.any(*choices) if choices else None
