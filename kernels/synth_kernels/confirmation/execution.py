"""An execution of a launch: its threads take turns, and atomic operations give what they find.

Memory is sequentially consistent, as it is for `synth_kernels.progress`. Two accesses race if neither barriers nor
atomic or volatile accesses order them (`access_order`). Those themselves do not race with each other.

An execution may be a beginning only: a thread that is not scheduled any more, or not yet, leaves a true beginning. So a
thread stops where it would depend on an `InventedNumber` value, or would leave an array. What was found up to then
stays true. Where somebody waits for such a thread, all wait. An assumption that fails excludes the whole execution.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING

from synth_kernels.atomics import updated_value
from synth_kernels.concrete_run import TURN, EndlessError, Runner
from synth_kernels.floats import is_exact
from synth_kernels.memory import InventedNumber, is_invented
from synth_kernels.operators import BINARY, is_undefined, to_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from synth_kernels.concrete_run import Inputs, Meeting, Running
    from synth_kernels.launch import Thread
    from synth_kernels.memory import Location
    from synth_kernels.program import Access, Arbitrary, Compute, Kernel, KernelClaim, Opaque, Operand

#: A thread lets others run after so many instructions. All threads together execute at most so many for each of them,
#: and so many in all.
TURN_LENGTH, MOST_EACH, MOST_IN_ALL = 1_000, 20_000, 500_000


class SuspendedError(Exception):
    """A thread is not scheduled any more."""


class ConfirmingRun(Runner):
    """An execution of threads of a launch. Of the groups that run, all threads have to.

    `inputs` and `contents` say what memory holds at the start, but for arrays of which the source says that. An array
    with atomic operations begins with zeros, as locks, counters and flags do, and so does one with volatile accesses in
    global memory. It may be `shorter` than usual by a factor. `has_wrapped` says that some number was
    too large for its width.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        sizes: Mapping[str, int],
        scalars: Mapping[str, int],
        *,
        inputs: Inputs | None = None,
        contents: Callable[[Location], int] | None = None,
        tolerate_benign: bool = True,
        until: float,
        warp: int = 0,
        waits_fence: bool = False,
        check_bounds: bool = False,
        one_barrier: bool = False,
        shorter: int = 1,
    ) -> None:
        accesses = kernel.accesses
        shared = {array.name for array in kernel.arrays if array.space == "global"}
        #: The arrays with accesses by which threads synchronise.
        self._counters = {
            access.array
            for access in accesses
            if access.kind == "atomic" or (access.is_volatile and access.array in shared)
        }
        self._has_sync = any(access.kind == "atomic" or access.is_volatile for access in accesses)
        super().__init__(
            kernel,
            sizes,
            scalars,
            tolerate_benign=tolerate_benign,
            inputs=inputs,
            contents=None if contents is None else self._at_first(contents),
            until=until,
            warp=warp,
            waits_fence=waits_fence,
            check_bounds=check_bounds,
            one_barrier=one_barrier,
            volatile_is_atomic=True,
        )
        self._source_contents = {array.name: array.initial for array in kernel.arrays if array.initial is not None}
        #: How many instructions were executed.
        self.executed = 0
        self._most, self._shorter = 0, shorter
        self._suspended: set[Thread] = set()
        self.has_wrapped = False

    def _at_first(self, contents: Callable[[Location], int]) -> Callable[[Location], int]:
        def held(location: Location) -> int:
            known = self._known_at_first(location)
            return contents(location) if known is None else known

        return held

    def _known_at_first(self, location: Location) -> int | None:
        array, _, element = location
        if array in self._source_contents and element < len(self._source_contents[array]):
            return self._source_contents[array][element]
        return 0 if array in self._counters else None

    # --- turns ---

    def _run(self, threads: Sequence[Thread]) -> None:
        self._most = min(MOST_EACH * len(threads), MOST_IN_ALL) // self._shorter
        executed = {thread: self._executed(thread) for thread in threads}
        waiting: dict[Thread, Meeting | None] = {}
        running = Counter(group for group, _ in threads)

        def begun(members: Sequence[Thread]) -> Iterator[tuple[Sequence[Thread], Iterator[None]]]:
            yield from ((lanes, self._advancing(lanes, executed, waiting)) for lanes in self._warps(members))

        queue = deque(begun(threads))
        while queue and not any(fault.kind == "divergence" for fault in self.memory.faults):
            lanes, advance = queue.popleft()
            if next(advance, TURN) != TURN:
                if self._suspended.isdisjoint(lanes):
                    queue.append((lanes, advance))
                continue
            running[lanes[0][0]] -= len(lanes)
            if not running[lanes[0][0]]:
                released = self._released(waiting, threads)
                running.update(group for group, _ in released)
                queue.extend(begun(released))

    def _executed(self, thread: Thread) -> Running:
        try:
            yield from super()._executed(thread)
        except SuspendedError:
            self._suspended.add(thread)
            yield TURN

    def _has_had_its_turn(self, more: int, steps: int) -> bool:
        self.executed += more
        if self.executed > self._most or time.monotonic() > self._until:
            raise EndlessError
        return steps % TURN_LENGTH < more

    def _who_meets(self, members: Sequence[Thread]) -> Sequence[Thread]:
        return members if self._has_sync else ()

    # --- values ---

    def deciding(self, values: Mapping[str, int], operand: Operand) -> int:
        """Return a value that decides something, or let the thread stop if it is invented."""
        value = super().deciding(values, operand)
        if is_invented(value):
            raise SuspendedError
        return value

    def _computed(self, values: dict[str, int], compute: Compute) -> int:
        result = super()._computed(values, compute)
        operands = [super(ConfirmingRun, self).deciding(values, operand) for operand in compute.operands]
        width = self._width(compute.operands[-1])
        self.has_wrapped = self.has_wrapped or _wraps(compute, operands, result, width)
        if compute.operator == "select" and not is_invented(operands[0]):
            return operands[1] if operands[0] else operands[2]
        is_open = compute.operator in BINARY and is_undefined(compute.operator, operands[-1], width)
        return InventedNumber(result) if is_open or is_invented(*operands) else result

    def _applied(self, values: dict[str, int], opaque: Opaque) -> int:
        result = super()._applied(values, opaque)
        operands = (super(ConfirmingRun, self).deciding(values, operand) for operand in opaque.operands)
        return result if is_exact(opaque.function) and not is_invented(*operands) else InventedNumber(result)

    def _arbitrary(self, thread: Thread, arbitrary: Arbitrary, values: Mapping[str, int]) -> int:
        if arbitrary.usual:
            return super().deciding(values, arbitrary.usual)
        value = super()._arbitrary(thread, arbitrary, values)
        return value if arbitrary.is_unset else InventedNumber(value)

    def _fails(self, claim: KernelClaim, thread: Thread) -> None:
        if claim.inside and not self._check_bounds:
            raise SuspendedError
        super()._fails(claim, thread)

    # --- memory ---

    def _access(self, thread: Thread, values: dict[str, int], access: Access) -> None:
        first = self.deciding(values, access.offset)
        units = access.width // self.memory.width(access.array)
        count = self.deciding(values, access.count) if access.count else 1
        if not self._check_bounds and not access.event and self.memory.is_outside(access.array, first, count * units):
            raise SuspendedError
        if access.kind == "atomic":
            self._update(thread, values, access, first, units)
            return
        places = [self.memory.location(access.array, thread, first + number) for number in range(units)]
        for place in places if access.is_volatile and access.kind == "read" else ():
            self.memory.order.read(thread, place)
        if access.kind == "read":
            self._begin(places)
        super()._access(thread, values, access)
        if access.count and access.kind == "read" and not access.event:
            values[access.name] = InventedNumber(values[access.name])
        for place in places if access.is_volatile and access.kind == "write" else ():
            self.memory.order.change(thread, place)

    def _begin(self, places: Sequence[Location]) -> None:
        """Let places hold what is known to be there at the start, unless something was stored there."""
        for place in places:
            if (known := self._known_at_first(place)) is not None:
                self.memory.begin(place, known)

    def _update(self, thread: Thread, values: dict[str, int], access: Access, first: int, units: int) -> None:
        """Make an atomic access: it gives what it finds, and leaves what its operation says."""
        places = [self.memory.location(access.array, thread, first + number) for number in range(units)]
        self._begin(places)
        old = self.memory.held(thread, access.array, first, units, 0)
        new = self._left(access, old, [super(ConfirmingRun, self).deciding(values, value) for value in access.operands])
        if access.operation != "store":
            for place in places:
                self.memory.order.read(thread, place)
        self.memory.update(thread, access, first, old, new)
        if new is not None:
            for place in places:
                self.memory.order.change(thread, place)
        if access.name:
            values[access.name] = old

    @staticmethod
    def _left(access: Access, old: int, operands: Sequence[int]) -> int | None:
        """Return what an atomic access leaves where it finds `old`, or None if that stays as it is."""
        if not access.operation:
            return InventedNumber(0)
        new = updated_value(access.operation, old, operands, access.width)
        if access.operation == "compare-exchange" and is_invented(old, operands[0]):
            return InventedNumber(old)
        return InventedNumber(new) if new is not None and is_invented(old, *operands) else new


def _wraps(compute: Compute, operands: Sequence[int], result: int, width: int) -> bool:
    """Return whether a number was too large for its width, whether it is read with a sign or without."""
    if compute.operator == "trunc":
        return result != operands[0] and to_signed(result, compute.width) != to_signed(operands[0], width)
    if compute.operator not in {"add", "sub", "mul", "shl"}:
        return False
    results = []
    for read in (lambda value: value, lambda value: to_signed(value, width)):
        first, second = read(operands[0]), read(operands[1])
        match compute.operator:
            case "add":
                results.append(first + second == read(result))
            case "sub":
                results.append(first - second == read(result))
            case "mul":
                results.append(first * second == read(result))
            case _:
                results.append(operands[1] < width and first << operands[1] == read(result))
    return not any(results)
