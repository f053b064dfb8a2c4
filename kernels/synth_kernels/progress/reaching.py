"""Which elements are accessed by an atomic access and by threads that its scope does not reach.

Launches are searched as if each atomic access were so among all threads. What such a search says is of no use if a
thread outside of the scope of an access comes to the same element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.program import Access, Kernel, Reach


class Reaching:
    """Who accesses the elements of memory in the steps that were executed. `groups` has the workgroup of each thread.

    The lanes of a subgroup are `lanes` threads that follow each other in a workgroup.
    """

    def __init__(self, kernel: Kernel, groups: list[int], lanes: int) -> None:
        narrow = (one for block in kernel.blocks for one in block.instructions if getattr(one, "reach", ""))
        self._is_needed = any(narrow)
        first = {group: groups.index(group) for group in groups}
        self._members: dict[Reach, list[object]] = {
            "thread": list(range(len(groups))),
            "subgroup": [(group, (thread - first[group]) // lanes) for thread, group in enumerate(groups)],
            "group": list(groups),
            "cluster": list(groups),
        }
        self._threads: dict[int, set[int]] = {}
        self._narrow: dict[int, set[tuple[int, Access]]] = {}

    def note(self, thread: int, access: Access, elements: Iterable[int]) -> None:
        """Note that a thread has accessed elements of shared memory."""
        if not self._is_needed:
            return
        for element in elements:
            self._threads.setdefault(element, set()).add(thread)
            if access.reach:
                self._narrow.setdefault(element, set()).add((thread, access))

    def too_narrow(self) -> list[Access]:
        """Return the atomic accesses whose scopes leave out a thread that accesses the same element."""
        found = {
            access
            for element, some in self._narrow.items()
            for thread, access in some
            for other in self._threads[element]
            if access.reach and self._members[access.reach][thread] != self._members[access.reach][other]
        }
        return sorted(found, key=lambda one: one.line)
