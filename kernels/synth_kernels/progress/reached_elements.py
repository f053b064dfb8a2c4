"""Which elements are accessed by an atomic access, and by another one to which it is not atomic.

Launches are searched as if each atomic access were atomic to all others. What such a search says is of no use if a
thread outside of the scope of an access comes to the same element, or an atomic access of another width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.scopes import atomics_of, wider_atomics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.program import Access, Kernel, Reach


class ReachedElements:
    """Who accesses the elements of memory in the steps that were executed. `groups` has the workgroup of each thread.

    The lanes of a subgroup are `lanes` threads that follow each other in a workgroup.
    """

    def __init__(self, kernel: Kernel, groups: list[int], lanes: int) -> None:
        self._is_needed = bool(wider_atomics(kernel)) or any(atomic.reach for atomic in atomics_of(kernel))
        first = {group: groups.index(group) for group in groups}
        self._members: dict[Reach, list[object]] = {
            "thread": list(range(len(groups))),
            "subgroup": [(group, (thread - first[group]) // lanes) for thread, group in enumerate(groups)],
            "group": list(groups),
            "cluster": list(groups),
        }
        self._threads: dict[int, set[int]] = {}
        self._narrow: dict[int, set[tuple[int, Access]]] = {}
        self._atomic: dict[int, set[tuple[int, Access]]] = {}

    def note(self, thread: int, access: Access, elements: Iterable[int]) -> None:
        """Note that a thread has accessed elements of shared memory."""
        if not self._is_needed:
            return
        for element in elements:
            self._threads.setdefault(element, set()).add(thread)
            if access.kind == "atomic":
                self._atomic.setdefault(element, set()).add((thread, access))
            if access.reach:
                self._narrow.setdefault(element, set()).add((thread, access))

    def too_narrow(self) -> list[Access]:
        """Return the atomic accesses whose scopes leave out a thread that accesses the same element."""
        accesses = {
            access
            for element, narrow in self._narrow.items()
            for thread, access in narrow
            for other in self._threads[element]
            if access.reach and self._members[access.reach][thread] != self._members[access.reach][other]
        }
        return sorted(accesses, key=lambda access: access.line)

    def of_two_widths(self) -> list[Access]:
        """Return the atomic accesses to elements to which another thread makes narrower ones."""
        accesses = {
            access
            for atomic in self._atomic.values()
            for thread, access in atomic
            if any(thread != other and access.width > narrower.width for other, narrower in atomic)
        }
        return sorted(accesses, key=lambda access: access.line)
