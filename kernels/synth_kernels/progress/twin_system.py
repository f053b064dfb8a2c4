"""A launch as a system of groups whose states the twin computes (`compiled`), for the checker of certificates.

The twin can't go back to a state. So this system keeps for each state a way there, and runs the launch from the start
along this way whenever somebody asks for the steps from a state. A state has only those values of a thread that the
thread may still use. The module finds these by following all ways through the code, one value at a time.

This is slow, and shares with the search neither the interpreter, nor the analysis of live values, nor the merging of
arrivals at barriers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import DEFINING, operands_of
from synth_kernels.progress.python_launch import CompiledLaunch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.program import Instruction, Kernel
    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.python_launch import CompiledThread, State


class RecomputedLaunch:
    """A launch in which lanes are independent and barriers are strict. `machine` says which elements are sync."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.threads = len(machine.threads)
        self._used: dict[Instruction, frozenset[str]] = {}
        self.start = self._state(CompiledLaunch(machine))
        self._ways: dict[State, tuple[int, ...]] = {self.start: ()}
        self._known: dict[State, Mapping[int, State]] = {}

    @property
    def groups(self) -> Sequence[int]:
        """Return the workgroup of each thread."""
        return self._machine.group_of

    def steps(self, state: State) -> Mapping[int, State]:
        """Return the state after a step of each thread that can take one."""
        if state not in self._known:
            self._known[state] = {thread: self._after(state, thread) for thread in self._run(state).able()}
        return self._known[state]

    def live(self, state: State) -> frozenset[int]:
        """Return the workgroups that have a thread which has not ended."""
        return frozenset(self.groups[thread] for thread, stand in enumerate(state[1]) if stand is not None)

    def _state(self, running: CompiledLaunch) -> State:
        memory, threads = running.state()
        return memory, tuple(thread and self._needed(thread) for thread in threads)

    def _needed(self, thread: CompiledThread) -> CompiledThread:
        """Return a stand with only those values that its thread may still use."""
        instruction = thread.request.instruction
        if instruction not in self._used:
            names = {name for name, _ in thread.values}
            self._used[instruction] = frozenset(
                name for name in names if may_use(self._machine.kernel, instruction, name)
            )
        return thread._replace(values=tuple(value for value in thread.values if value[0] in self._used[instruction]))

    def _run(self, state: State) -> CompiledLaunch:
        running = CompiledLaunch(self._machine)
        for thread in self._ways[state]:
            running.step(thread)
        return running

    def _after(self, state: State, thread: int) -> State:
        running = self._run(state)
        running.step(thread)
        reached = self._state(running)
        self._ways.setdefault(reached, (*self._ways[state], thread))
        return reached


def may_use(kernel: Kernel, start: Instruction, name: str) -> bool:
    """Return whether some way from an instruction on uses a value before another value gets its name."""
    blocks = {block.name: block for block in kernel.blocks}
    todo = [
        (block.name, place)
        for block in kernel.blocks
        for place, instruction in enumerate(block.instructions)
        if instruction is start
    ]
    seen = set()
    while todo:
        block, place = blocks[todo[-1][0]], todo.pop()[1]
        if place == len(block.instructions):
            if name in block.end.operands:
                return True
            after = (blocks[target.block] for target in block.end.targets)
            ways = [(target.name, 0) for target in after if name not in dict(target.parameters)]
        else:
            following = block.instructions[place]
            if name in operands_of(following):
                return True
            ways = [] if isinstance(following, DEFINING) and following.name == name else [(block.name, place + 1)]
        todo += [way for way in ways if way not in seen]
        seen.update(ways)
    return False
