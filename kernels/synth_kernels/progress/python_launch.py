"""A launch that runs as Python code: the slow twin of the transducer, with which it shares no interpreter.

Each thread is a generator (`generators`), so its state can't be stored: `CompiledLaunch` only runs one order of steps.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_kernels.program import Access, Barrier
from synth_kernels.progress.generators import GeneratorText, Thread, ThreadRequest, atomic_result

if TYPE_CHECKING:
    from synth_kernels.progress.machine import Machine


class CompiledThread(NamedTuple):
    """Where a thread stands: what it wants, whether it waits for others, its values, and its private memory.

    It has all values that it has computed, also those that it no longer needs.
    """

    request: ThreadRequest
    waits: bool
    values: tuple[tuple[str, int], ...]
    private: tuple[tuple[tuple[str, int], int], ...]


#: The memory, and where each thread stands. A thread that has ended stands nowhere.
State: TypeAlias = "tuple[tuple[int, ...], tuple[CompiledThread | None, ...]]"


class CompiledLaunch:
    """A launch that runs: its threads, each before its next step, and its memory.

    It has the launch and the sync elements of a machine, and its strict barriers. Lanes are independent.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine, kernel = machine, machine.kernel
        self._arrays = {array.name: array for array in kernel.arrays}
        self.memory = list(machine.layout.shared)
        self._numbers = {name: number for number, name in enumerate(machine.layout.names)}
        translation = GeneratorText(kernel)
        self._threads: list[Thread] = []
        self.wanted: list[ThreadRequest | None] = []
        self.waiting: set[int] = set()
        for number in range(len(machine.threads)):
            private = {
                (array.name, element): machine.layout.private[machine.layout.start(array, 0) + element]
                for array in kernel.arrays
                if array.space == "private"
                for element in range(machine.layout.sizes[array.name])
            }
            self._threads.append(translation.thread(dict(machine.fixed(number)), private))
            self.wanted.append(None)
            self._go_on(number, None)

    def able(self) -> list[int]:
        """Return the threads that can take a step."""
        return [
            thread for thread, request in enumerate(self.wanted) if request is not None and thread not in self.waiting
        ]

    def state(self) -> State:
        """Return the memory, and what each thread wants and has."""
        return tuple(self.memory), tuple(map(self._stand, range(len(self.wanted))))

    def _stand(self, thread: int) -> CompiledThread | None:
        request = self.wanted[thread]
        if request is None:
            return None
        local = inspect.getgeneratorlocals(self._threads[thread])
        private = tuple(sorted(local["private"].items()))
        return CompiledThread(request, thread in self.waiting, tuple(sorted(local["v"].items())), private)

    def step(self, thread: int) -> None:
        """Take the step of a thread."""
        request = self.wanted[thread]
        if request is None:
            return
        if isinstance(request.instruction, Access):
            self._go_on(thread, self._do(thread, request))
        else:
            self.waiting.add(thread)
        self._release()

    def _release(self) -> None:
        """Let threads go on at barriers where all others have come, until there are none."""
        for thread in sorted(self.waiting):
            meeting = self._meeting(thread)
            if meeting <= self.waiting and len({self._object(member) for member in meeting}) == 1:
                self.waiting -= meeting
                for member in sorted(meeting):
                    self._go_on(member, None)
                self._release()
                return

    def _object(self, thread: int) -> object:
        """Return what tells the barrier where a thread waits from others. The one of the grid stands anywhere."""
        request = self.wanted[thread]
        instruction = None if request is None else request.instruction
        return "grid" if isinstance(instruction, Barrier) and instruction.scope == "grid" else request

    def _meeting(self, thread: int) -> set[int]:
        """Return the threads that meet at the barrier where a thread waits."""
        request, group = self.wanted[thread], self.machine.group_of[thread]
        assert request is not None  # noqa: S101  (the thread waits)
        everybody = range(len(self.wanted))
        members = [member for member in everybody if self.machine.group_of[member] == group]
        lanes = self.machine.rules.subgroup
        scope = request.instruction.scope if isinstance(request.instruction, Barrier) else ""
        if scope != "subgroup":
            return set(everybody if scope == "grid" else members)
        lanes_of_subgroup = {
            member for member in members if (member - members[0]) // lanes == (thread - members[0]) // lanes
        }
        if request.value is None:
            return lanes_of_subgroup
        inside = {member for member in lanes_of_subgroup if request.value >> (member - members[0]) % lanes & 1}
        return {member for member in inside if self.wanted[member] is not None}

    def _go_on(self, thread: int, answer: int | None) -> None:
        """Run a thread to its next step, and make its plain accesses on the way."""
        try:
            request = self._threads[thread].send(answer)
            while isinstance(request.instruction, Access) and not self._is_sync(thread, request):
                request = self._threads[thread].send(self._do(thread, request))
            self.wanted[thread] = request
        except StopIteration:
            self.wanted[thread] = None

    def _elements(self, thread: int, request: ThreadRequest) -> list[int]:
        access = request.instruction
        assert isinstance(access, Access)  # noqa: S101  (the callers have looked)
        owner = self.machine.group_of[thread] if self._arrays[access.array].space == "local" else None
        return [self._numbers[access.array, owner, request.first + place] for place in range(request.elements)]

    def _is_sync(self, thread: int, request: ThreadRequest) -> bool:
        instruction = request.instruction
        assert isinstance(instruction, Access)  # noqa: S101  (as above)
        if self._arrays[instruction.array].space == "constant":
            return False
        marked = instruction.kind == "atomic" or instruction.is_volatile or not self.machine.reduces
        return marked or any(element in self.machine.sync for element in self._elements(thread, request))

    def _do(self, thread: int, request: ThreadRequest) -> int:
        instruction = request.instruction
        assert isinstance(instruction, Access)  # noqa: S101  (as above)
        elements, width = self._elements(thread, request), self._arrays[instruction.array].width
        before = 0
        for element in reversed(elements):
            before = before << width | self.memory[element]
        stored = request.value
        if instruction.kind == "atomic" and instruction.operation != "load":
            stored = atomic_result(instruction, [before, *request.operands])
        if stored is not None:
            for place, element in enumerate(elements):
                self.memory[element] = stored >> place * width % instruction.width & ((1 << width) - 1)
        return before
