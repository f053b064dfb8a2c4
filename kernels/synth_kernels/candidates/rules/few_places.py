"""r25 (ours): a pending access is at one of the few places that short loops reach.

Trigger: the values that this loop, or one in it, gives its counters are few, because a test ends it early. Each value
gives a place. An access stands behind tests, which hold for its place, too. The rule is for offsets of which r1 knows
nothing, and for those with a factor that is no power of two, such as the width of a padded tile. There, it stands for
what r0 and r1 would say with remainders by this number, because solvers are slow with these.

If a counter begins with a value that is not known, such as an id, then it counts as 0 where the tests tell how many
rounds there are.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.candidates.loops import Counter, LoopFacts, Reach
    from synth_kernels.terms import Term

#: A counter has at most so many values, and an access at most so many places.
_MOST_VALUES, _MOST_PLACES = 17, 64


def few_places(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r25 says."""
    for key in loop.keys:
        for reaches in (loop.accesses(key), loop.in_loop(loop.accesses(key))):
            for always in (False, True):
                if (found := places(loop, reaches, always=always)) is not None:
                    yield loop.terms.implies(loop.pending(key), loop.terms.any(*dict.fromkeys(found)))


def places(loop: LoopFacts, reaches: Sequence[Reach], *, always: bool) -> list[Term] | None:
    """Return that the watched location is one of the places of accesses; None if they are many, or r1 does as well."""
    if not any(_is_hard(loop, reach, always=always) for reach in reaches):
        return None
    found = []
    for reach in reaches:
        if (access_places := _of_access(loop, reach, always=always)) is None:
            return None
        found += access_places
    return found if len(found) <= _MOST_PLACES else None


def _is_hard(loop: LoopFacts, reach: Reach, *, always: bool) -> bool:
    sum_ = loop.values.sum(reach.offset)
    factors = [min(by, (1 << reach.offset.width) - by) for by in sum_.values()]
    return any(by.bit_count() != 1 for by in factors) or loop.congruence(sum_, always=always) is None


def _of_access(loop: LoopFacts, reach: Reach, *, always: bool) -> list[Term] | None:
    """Return the places of one access, each with the tests that stand before it."""
    names = sorted(loop.values.leaves(reach.offset))
    counters = [
        counter for counter in map(loop.counter, names) if counter and (always or not loop.is_fixed(counter.value))
    ]
    orbits = [_values(loop, counter) for counter in counters]
    units = reach.access.width // loop.kernel.array(reach.access.array).width
    if not all(orbits) or reach.access.count or units > 4:
        return None
    found = []
    for chosen in itertools.islice(itertools.product(*orbits), _MOST_PLACES + 1):
        known = {counter.value: value for counter, value in zip(counters, chosen, strict=True)}
        offset, *guards = (loop.values.replaced(guard, known) for guard in (reach.offset, *reach.guards))
        if not loop.is_fixed(offset):
            return None
        tests = loop.terms.all(*filter(loop.is_fixed, guards))
        for unit in range(units):
            place = loop.terms.apply("add", (offset, loop.number(unit)))
            found.append(loop.terms.all(tests, loop.terms.equal(loop.watched, place)))
    return [term for term in found if term.value != 0]


def _values(loop: LoopFacts, counter: Counter) -> list[Term]:
    """Return the values of a counter of any loop as fixed formulas, by rounds; none if they are unknown or many."""
    header = loop.values.block_of(counter.value.name)
    if counter.initial is None or len(counter.steps) != 1 or header is None:
        return []
    tests = [
        test for test in loop.tests_of(loop.flow.loops[header]) if loop.values.leaves(test) == {counter.value.name}
    ]
    found: list[Term] = []
    value = counter.initial
    number = value if value.value is not None else loop.number(0, value.width)
    while loop.is_fixed(value) and len(found) < _MOST_VALUES:
        found.append(value)
        if any(loop.values.replaced(test, {counter.value: number}).value == 0 for test in tests):
            return found
        value, number = (loop.values.replaced(counter.steps[0], {counter.value: term}) for term in (value, number))
    return []
