"""A thread between two of its steps, and what a step does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

#: Where a thread stands: before a sync access, before a barrier, at a barrier where it waits, or behind its end.
Status: TypeAlias = Literal["access", "barrier", "waiting", "ended"]
#: The number of an element of shared memory, and whether it is written.
Touch: TypeAlias = tuple[int, bool]


class Local(NamedTuple):
    """The state of a thread: where it stands, its live values, and its private memory.

    `touched` are its plain accesses since its last step began.
    """

    status: Status
    block: str
    place: int
    values: tuple[int, ...]
    private: tuple[int, ...]
    touched: frozenset[Touch]


class Deed(NamedTuple):
    """What a thread does with its sync access: to which elements, and what was there before and afterwards."""

    elements: range
    before: int
    after: int | None


class SpinError(Exception):
    """A thread spins on plain accesses to these elements, so it stands still unless they count as sync."""

    def __init__(self, elements: frozenset[int], line: int) -> None:
        super().__init__(elements, line)
        self.elements, self.line = elements, line


def conflicts(some: AbstractSet[Touch], others: AbstractSet[Touch]) -> frozenset[int]:
    """Return the elements that both touch, and at least one of them writes."""
    if not some or not others:
        return frozenset()
    written = {element for element, is_write in some if is_write}
    either = {element for element, _ in some}
    return frozenset(element for element, is_write in others if element in (either if is_write else written))
