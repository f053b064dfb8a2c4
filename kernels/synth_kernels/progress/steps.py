"""A thread between two of its steps, what a step does, and the rules by which the steps of a launch go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from synth_kernels.progress.partial_values import Value

#: Where a thread stands: before a sync access, before a barrier, at a barrier where it waits, or behind its end.
Status: TypeAlias = Literal["access", "barrier", "waiting", "ended"]
#: The number of an element of shared memory, and whether it is written.
Touch: TypeAlias = tuple[int, bool]


class ElementMemory(Protocol):
    """What threads read and write, by the numbers of elements."""

    def __getitem__(self, element: int, /) -> Value: ...

    def __setitem__(self, element: int, value: Value, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Rules:
    """How lanes and barriers behave.

    With `lockstep`, the lanes of a subgroup that stand at the same place make their accesses one after the other, in
    any order, before any of them goes on. A subgroup has `subgroup` lanes. With `leave`, a barrier does not wait for
    threads that have ended; without, it waits without end. If barriers of a group are `one_barrier`, threads meet
    wherever they wait. With `merges`, arrivals at barriers are steps of their own only where this may change a verdict.
    """

    subgroup: int = 32
    lockstep: bool = False
    leave: bool = False
    one_barrier: bool = False
    merges: bool = True


class ThreadState(NamedTuple):
    """The state of a thread: where it stands, its live values, and its private memory.

    `touched` are its plain accesses since its last access step began, or since it was released from a barrier. A lane
    in lockstep is `held` if it has made the access at this place, and other lanes there have not.
    """

    status: Status
    block: str
    place: int
    values: tuple[Value, ...]
    private: tuple[Value, ...]
    touched: frozenset[Touch]
    held: tuple[str, int] | None = None


class AccessEffect(NamedTuple):
    """What a thread does with its sync access: to which elements, and what was there before and afterwards.

    A store does not look at what was there: `stepping.step` adds that.
    """

    elements: range
    before: Value | None
    after: Value | None


class SpinError(Exception):
    """A thread spins on plain accesses to these elements, so it stands still unless they count as sync."""

    def __init__(self, elements: frozenset[int], line: int) -> None:
        super().__init__(elements, line)
        self.elements, self.line = elements, line


def conflicts(first: AbstractSet[Touch], second: AbstractSet[Touch]) -> frozenset[int]:
    """Return the elements that both touch, and at least one of them writes."""
    if not first or not second:
        return frozenset()
    written = {element for element, is_write in first if is_write}
    either = {element for element, _ in first}
    return frozenset(element for element, is_write in second if element in (either if is_write else written))
