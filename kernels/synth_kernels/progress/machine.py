"""Run one thread of a launch from one of its steps to the next.

An access to global or local memory is *sync* if it is atomic or volatile, or if its element is one that plain accesses
race for. All other accesses are *plain*. A step of a thread is one sync access, and then everything that the thread
does before its next one. An arrival at a barrier is a step of its own: the thread then waits. So a thread always stands
before a sync access or a barrier, waits at a barrier, or has ended.

Memory is sequentially consistent. A plain access is executed together with the sync access before it. `space` checks
the premise of this: that no other thread has an access in between that conflicts with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.program import Barrier, Constant
from synth_kernels.progress.interpreter import ThreadRun
from synth_kernels.progress.launch_constants import LaunchConstants
from synth_kernels.progress.partial_values import PartialValue

if TYPE_CHECKING:
    from synth_kernels.progress.partial_values import Value
    from synth_kernels.progress.steps import AccessEffect, ElementMemory, ThreadState


class Machine(LaunchConstants):
    """The threads of a launch, their memory, and how each thread runs.

    Whatever runs a thread raises `UndecidedError` if what is unset falls into cases.
    """

    def first_memory(self) -> list[Value]:
        """Return what the shared memory holds at the start."""
        memory: list[Value] = list(self.layout.shared)
        for array in self.unset:
            for group in range(len(self.groups)) if array.space == "local" else ():
                self.forget_array(memory, array, group)
        return memory

    def starting(self, thread: int, memory: ElementMemory) -> ThreadState:
        """Run a thread from its beginning to its first step. Its plain accesses change the memory."""
        private: list[Value] = list(self.layout.private)
        for array in self.unset:
            if array.space == "private":
                self.forget_array(private, array, self.group_of[thread], thread)
        run = ThreadRun(self, thread, memory, private, dict(self.fixed(thread)))
        return run.to_the_next_step(self.kernel.blocks[0], 0)

    def after_access(self, thread: int, local: ThreadState, memory: ElementMemory) -> tuple[ThreadState, AccessEffect]:
        """Take the step of a thread that stands before a sync access. It changes the memory."""
        run = self._resumed(thread, local, memory)
        block = self.block(local.block)
        deed = run.act(block.instructions[local.place])
        return run.to_the_next_step(block, local.place + 1), deed

    def after_barrier(self, thread: int, local: ThreadState, memory: ElementMemory) -> ThreadState:
        """Run a thread on that waited at a barrier, to its next step."""
        run = self._resumed(thread, local, memory)
        return run.to_the_next_step(self.block(local.block), local.place + 1)

    def barrier_of(self, local: ThreadState) -> Barrier:
        """Return the barrier that a thread stands before or waits at."""
        barrier = self.block(local.block).instructions[local.place]
        assert isinstance(barrier, Barrier)  # noqa: S101  (the status says so)
        return barrier

    def object_of(self, local: ThreadState) -> tuple[str, ...]:
        """Return what tells the barrier at which a thread stands from others. It may stand at several places."""
        barrier = self.barrier_of(local)
        scope = barrier.scope
        is_one = scope == "grid" or (scope == "group" and self.rules.one_barrier and not barrier.gives)
        return (scope,) if is_one else (scope, local.block, str(local.place))

    def mask_of(self, thread: int, local: ThreadState) -> int:
        """Return the lanes that meet at the barrier where a thread is, as bits, or 0 if the barrier has no mask.

        Raises:
            InputError: the thread is not in the mask, or it is not defined.
        """
        barrier = self.barrier_of(local)
        if not barrier.mask:
            return 0
        members = self.members[self.group_of[thread]]
        lane = (thread - members[0]) % self.rules.subgroup
        lanes = min(self.rules.subgroup, len(members) - (thread - members[0]) + lane)
        values = dict(self.fixed(thread)) | dict(zip(self.live_at(local.block, local.place), local.values, strict=True))
        mask = barrier.mask.value if isinstance(barrier.mask, Constant) else values[barrier.mask]
        if isinstance(mask, PartialValue):
            mask = self.decided(mask, thread, barrier.line)
        if not mask >> lane & 1:
            msg = f"{self.where(barrier.line)}: thread {thread} is lane {lane}, and gives the mask {mask:#x}"
            raise InputError(f"{msg}; a lane must be in its mask")
        return mask & ((1 << lanes) - 1)

    def line_of(self, local: ThreadState) -> int:
        """Return the line of the instruction before which a thread stands."""
        return self.block(local.block).instructions[local.place].line

    def _resumed(self, thread: int, local: ThreadState, memory: ElementMemory) -> ThreadRun:
        values = dict(self.fixed(thread)) | dict(zip(self.live_at(local.block, local.place), local.values, strict=True))
        return ThreadRun(self, thread, memory, list(local.private), values)
