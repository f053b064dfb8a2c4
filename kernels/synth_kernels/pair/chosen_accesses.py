"""Pending accesses by choice, as GPUVerify logs them (Betts et al. 2012): the slow twin of the watched location.

For each array and kind there is a flag, the place of one access of thread 1, and the value that it stored. At each
access of thread 1 an arbitrary choice decides whether it takes the place of the one before. Where a barrier would order
a pending access before what follows, the run is assumed away: in another one, that access was not chosen.

An invariant may speak of the watched location. Here it has to hold for each place. So it is checked of an arbitrary
one, and assumed of the place of each flag. The same goes for the event of a copy.

When thread 1 waits for the event of a chosen copy, an arbitrary choice decides whether it takes the place of an
ordinary access, or is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.pair.touches import SETTLED
from synth_kernels.program import ID_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.pair.touches import Elements, Key, Touch
    from synth_kernels.program import Flag
    from synth_kernels.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The chosen access of an array and a kind: whether there is one, its element, and what it stored there.

    `part` says as which part of a value it did so.

    A copy that nobody has waited for has an event, too.
    """

    there: Term
    place: Term
    value: Term | None
    part: Term | None = None
    event: Term | None = None


class Choosing:
    """One chosen access of thread 1 for each array and kind.

    `keys` are the arrays and kinds of which accesses are logged. `values` has the widths of arrays with benign writes.
    """

    def __init__(self, terms: Terms, elements: Elements, keys: Sequence[Key], values: dict[str, int]) -> None:
        self.keys = keys
        self._terms, self._elements, self._values = terms, elements, values
        self._any = terms.variable("watched", ID_WIDTH)
        self._any_event = terms.variable("watched event", ID_WIDTH)
        self._chosen = {key: replace(self._fresh(key), there=terms.false) for key in keys}

    def _fresh(self, key: Key) -> _Chosen:
        array, kind = key
        name = f"{kind} of {array}"
        value = part = None
        if kind in {"write", "put"} and array in self._values:
            value = self._terms.variable(f"value of the {name}", self._values[array])
            part = self._terms.variable(f"part of the {name}", ID_WIDTH)
        place = self._terms.variable(f"place of the {name}", ID_WIDTH)
        event = self._terms.variable(f"event of the {name}", ID_WIDTH) if kind in SETTLED else None
        return _Chosen(self._terms.variable(f"pending {name}", 1), place, value, part, event)

    def log(self, touch: Touch) -> Term:
        """Choose whether an access of thread 1 takes the place of the one before, and return whether it does."""
        terms, before = self._terms, self._chosen[touch.key]
        place = touch.offset
        if touch.count is not None or self._elements.units(touch.access) > 1:
            place = terms.variable("chosen element", ID_WIDTH)
        logged = terms.all(touch.happens, terms.variable("chosen", 1), self._elements.covers(touch, place))
        value, part = before.value, before.part
        if value is not None:
            value = terms.choose(logged, self._elements.stored(touch, place), value)
        if part is not None and (now := self._elements.part(touch, place)) is not None:
            part = terms.choose(logged, now, part)
        event = before.event
        if event is not None and touch.event is not None:
            event = terms.choose(logged, touch.event, event)
        self._chosen[touch.key] = _Chosen(
            terms.any(before.there, logged), terms.choose(logged, place, before.place), value, part, event
        )
        return logged

    def settle(self, event: Term, passes: Term, fences: Term) -> None:
        """Turn the chosen copies of an event into ordinary accesses or forget them, if thread 1 waits for it."""
        terms = self._terms
        for array, flag in self.keys:
            if flag not in SETTLED:
                continue
            copy, key = self._chosen[array, flag], (array, SETTLED[flag])
            assert copy.event is not None  # noqa: S101  (each copy has one)
            done = terms.all(passes, terms.equal(event, copy.event))
            taken = terms.all(done, copy.there, terms.no(fences), terms.variable("settles", 1))
            before = self._chosen[key]
            value, part = before.value, before.part
            if value is not None and copy.value is not None:
                value = terms.choose(taken, copy.value, value)
            if part is not None and copy.part is not None:
                part = terms.choose(taken, copy.part, part)
            place = terms.choose(taken, copy.place, before.place)
            self._chosen[key] = _Chosen(terms.any(before.there, taken), place, value, part)
            self._chosen[array, flag] = replace(copy, there=terms.all(copy.there, terms.no(done)))

    def clashes(self, touch: Touch, other: Flag) -> Term:
        """Return whether an access of thread 2 races with the chosen access of some kind."""
        chosen = self._chosen[touch.access.array, other]
        found = self._meets(touch, chosen)
        if touch.access.kind == other == "write" and chosen.value is not None:
            return self._terms.all(found, self._terms.no(self._is_same(touch, chosen)))
        return found

    def agrees(self, touch: Touch) -> Term:
        """Return whether a write of thread 2 meets the chosen write, and has the same value, which is tolerated."""
        chosen = self._chosen[touch.access.array, "write"]
        if chosen.value is None:
            return self._terms.false
        return self._terms.all(self._meets(touch, chosen), self._is_same(touch, chosen))

    def _is_same(self, touch: Touch, chosen: _Chosen) -> Term:
        """Return whether a write stores at the chosen place what the chosen one did, as the same part of a value."""
        assert chosen.value is not None  # noqa: S101  (the callers keep this)
        same = self._terms.equal(self._elements.stored(touch, chosen.place), chosen.value)
        part = self._elements.part(touch, chosen.place)
        if part is None or chosen.part is None:
            return same
        return self._terms.all(same, self._terms.equal(part, chosen.part))

    def _meets(self, touch: Touch, chosen: _Chosen) -> Term:
        return self._terms.all(touch.happens, chosen.there, self._elements.covers(touch, chosen.place))

    def place(self, array: str, flag: Flag) -> Term:
        """Return the element that the chosen access has touched."""
        return self._chosen[array, flag].place

    def fence(self, key: Key, passes: Term) -> Term:
        """Return that no access is pending if thread 1 passes a barrier."""
        return self._terms.no(self._terms.all(passes, self._chosen[key].there))

    def loosen(self, key: Key, some: Term) -> Term:
        """Make the chosen access arbitrary. Return that nothing changes unless `some` holds."""
        terms, before = self._terms, self._chosen[key]
        now = self._chosen[key] = self._fresh(key)
        same = terms.all(terms.equal(now.there, before.there), terms.equal(now.place, before.place))
        for term, other in ((now.value, before.value), (now.part, before.part), (now.event, before.event)):
            if term is not None and other is not None:
                same = terms.all(same, terms.equal(term, other))
        return terms.any(some, same)

    def pending(self, key: Key) -> Term:
        """Return whether an access is pending."""
        return self._chosen[key].there

    def _at(self, place: Term, event: Term) -> dict[str, Term]:
        flags: dict[str, Term] = {}
        for (array, kind), chosen in self._chosen.items():
            if kind == "write" and chosen.value is not None:
                flags[f"stored.{array}"] = chosen.value
            here = self._terms.all(chosen.there, self._terms.equal(chosen.place, place))
            of_event = self._terms.true if chosen.event is None else self._terms.equal(chosen.event, event)
            flags[f"{kind}.{array}"] = self._terms.all(here, of_event)
        return flags | {"watched": place, "watched.event": event}

    def look(self) -> dict[str, Term]:
        """Return what invariants may say of the accesses to an arbitrary place."""
        return self._at(self._any, self._any_event)

    def looks(self) -> Iterator[dict[str, Term]]:
        """Yield the same for the place of each chosen access, and for an arbitrary one."""
        for place, event in {(chosen.place, chosen.event): None for chosen in self._chosen.values()}:
            yield self._at(place, self._any_event if event is None else event)
        yield self.look()
