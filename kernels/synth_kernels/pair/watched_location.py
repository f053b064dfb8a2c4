"""Pending accesses to one watched location, which is arbitrary, and the same for the whole run.

For each array and kind there is one flag: whether thread 1 has accessed the watched location in this way, and no
barrier has ordered that access before what follows. A location is an element of an array.

Two writes of the same value are benign: they are no race. To see this, there is an arbitrary watched value, too, and
only those writes are logged that store this value at the watched location, as the same part of a value of one width.

Asynchronous copies have a watched event in the same way: only copies of this event are logged. Their flags become those
of ordinary accesses when thread 1 waits for the event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.pair.touches import SETTLED
from synth_kernels.program import ID_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.pair.touches import Elements, Key, ThreadAccess
    from synth_kernels.program import Flag
    from synth_kernels.terms import Term, Terms


class WatchedLocation:
    """The accesses of thread 1 to the watched location.

    `keys` are the arrays and kinds of which accesses are logged. `values` has the widths of arrays with benign writes.
    """

    def __init__(self, terms: Terms, elements: Elements, keys: Sequence[Key], values: dict[str, int]) -> None:
        self.keys = keys
        self._terms, self._elements = terms, elements
        self._flags = dict.fromkeys(keys, terms.false)
        self._watched = terms.variable("watched", ID_WIDTH)
        self._event = terms.variable("watched event", ID_WIDTH)
        self._part = terms.variable("watched part", ID_WIDTH)
        self._values = {name: terms.variable(f"watched value of {name}", width) for name, width in values.items()}

    def _stores_watched(self, touch: ThreadAccess) -> Term:
        value = self._values.get(touch.access.array)
        if touch.value is None or value is None:
            return self._terms.true
        same = self._terms.equal(self._elements.stored(touch, self._watched), value)
        part = self._elements.part(touch, self._watched)
        return same if part is None else self._terms.all(same, self._terms.equal(part, self._part))

    def log(self, touch: ThreadAccess) -> Term:
        """Log an access of thread 1, and return whether it was."""
        here = self._elements.covers(touch, self._watched)
        logged = self._terms.all(touch.happens, here, self._stores_watched(touch))
        if touch.event is not None:
            logged = self._terms.all(logged, self._terms.equal(touch.event, self._event))
        self._flags[touch.key] = self._terms.any(self._flags[touch.key], logged)
        return logged

    def clashes(self, touch: ThreadAccess, other: Flag) -> Term:
        """Return whether an access of thread 2 races with a pending access of some kind."""
        meets = self._meets(touch, other)
        if other == touch.access.kind == "write" and touch.access.array in self._values:
            return self._terms.all(meets, self._terms.no(self._stores_watched(touch)))
        return meets

    def agrees(self, touch: ThreadAccess) -> Term:
        """Return whether a write of thread 2 meets a pending write of the same value, which is tolerated."""
        if touch.access.array not in self._values:
            return self._terms.false
        return self._terms.all(self._meets(touch, "write"), self._stores_watched(touch))

    def _meets(self, touch: ThreadAccess, other: Flag) -> Term:
        here = self._elements.covers(touch, self._watched)
        return self._terms.all(touch.happens, here, self._flags[touch.access.array, other])

    def place(self, array: str, flag: Flag) -> Term:  # noqa: ARG002
        """Return the watched location."""
        return self._watched

    def settle(self, event: Term, passes: Term, fences: Term) -> None:
        """Turn the copies of an event into ordinary accesses, if thread 1 waits for it, or forget them."""
        waited_for = self._terms.all(passes, self._terms.equal(event, self._event))
        for array, flag in self.keys:
            if flag in SETTLED:
                copied, key = self._flags[array, flag], (array, SETTLED[flag])
                self._flags[key] = self._terms.any(
                    self._flags[key], self._terms.all(copied, waited_for, self._terms.no(fences))
                )
                self._flags[array, flag] = self._terms.all(copied, self._terms.no(waited_for))

    def fence(self, key: Key, passes: Term) -> Term:
        """Forget pending accesses if thread 1 passes a barrier."""
        self._flags[key] = self._terms.all(self._flags[key], self._terms.no(passes))
        return self._terms.true

    def loosen(self, key: Key, condition: Term) -> Term:
        """Make arbitrary what is pending. Return that nothing changes unless `condition` holds."""
        before = self._flags[key]
        self._flags[key] = self._terms.variable(f"pending {key[1]} of {key[0]}", 1)
        return self._terms.any(condition, self._terms.equal(self._flags[key], before))

    def pending(self, key: Key) -> Term:
        """Return whether an access is pending."""
        return self._flags[key]

    def words_of_any_place(self) -> dict[str, Term]:
        """Return what invariants may say of pending accesses."""
        flags = {f"{kind}.{array}": flag for (array, kind), flag in self._flags.items()}
        stored = {f"stored.{array}": value for array, value in self._values.items()}
        return flags | stored | {"watched": self._watched, "watched.event": self._event}

    def words_of_each_place(self) -> Iterator[dict[str, Term]]:
        """Yield the same: there is only one place."""
        yield self.words_of_any_place()
