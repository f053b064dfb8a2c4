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
from synth_kernels.launch import words_of
from synth_kernels.program import (
    Barrier,
    Constant,
    Place,
    Unset,
)
from synth_kernels.progress.arguments import scalars_of
from synth_kernels.progress.interpreter import Run
from synth_kernels.progress.layout import Layout
from synth_kernels.progress.live_values import live_before
from synth_kernels.progress.open_values import Case
from synth_kernels.progress.open_values import Unset as UnsetValue
from synth_kernels.progress.partly import Partly, joined
from synth_kernels.progress.reaching import Reaching
from synth_kernels.progress.steps import Deed, Local, Rules
from synth_kernels.supporting import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Array, Block, Kernel, Operand
    from synth_kernels.progress.arguments import Given
    from synth_kernels.progress.partly import Value
from synth_kernels.progress.steps import Memory, Status

#: Where arrays are that hold nothing at the start.
_OWN = frozenset({"local", "private"})


class Machine:
    """The threads of a launch, their memory, and how each thread runs.

    `members` are the threads of each workgroup. `sync` are the elements that plain accesses race for. Without
    `reduces`, each access to global or local memory is sync, and each arrival at a barrier is a step of its own.
    `case` is what is unset in the launch. Whatever runs a thread raises `UndecidedError` if that falls into cases.

    Raises:
        InputError: the arguments do not fit the kernel, or it has asynchronous copies.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        sizes: Mapping[str, int],
        threads: Sequence[Thread],
        given: Mapping[str, Given],
        *,
        reduces: bool = True,
        rules: Rules | None = None,
        case: Case | None = None,
    ) -> None:
        refuse(kernel, "copy")
        self.kernel, self.threads = kernel, tuple(threads)
        self.groups = sorted({group for group, _ in threads})
        self.group_of = [self.groups.index(group) for group, _ in threads]
        self.members = [
            [thread for thread, found in enumerate(self.group_of) if found == group]
            for group in range(len(self.groups))
        ]
        self.rules = rules or Rules()
        self.sync: set[int] = set()
        self.reaching = Reaching(kernel, self.group_of, self.rules.subgroup)
        self.reduces = reduces
        scalars = scalars_of(kernel, given)
        self._fixed = [words_of(thread, dict(sizes)) | scalars for thread in threads]
        self._blocks = {block.name: block for block in kernel.blocks}
        self._widths = kernel.all_widths()
        self._arrays = {array.name: array for array in kernel.arrays}
        self._live = live_before(kernel, self._fixed[0])
        self.layout = Layout(kernel, given, len(self.groups))
        self.case = case or Case(kernel)
        self._unset = [
            array
            for array in kernel.arrays
            if array.initial is None and array.space in _OWN and array.name not in given
        ]

    def first_memory(self) -> list[Value]:
        """Return what the shared memory holds at the start."""
        memory: list[Value] = list(self.layout.shared)
        for array in self._unset:
            for group in range(len(self.groups)) if array.space == "local" else ():
                self._forget(memory, array, group)
        return memory

    def forget(self, private: list[Value], one: Unset, thread: int) -> None:
        """Let the life of a private array of a thread begin."""
        self._forget(private, self._arrays[one.array], self.group_of[thread], thread, one.line)

    def _forget(self, memory: list[Value], array: Array, group: int, thread: int | None = None, line: int = 0) -> None:
        """Make the elements of an array unset."""
        start = self.layout.start(array, group)
        for element in range(self.layout.sizes[array.name]):
            one = UnsetValue(f"{array.name}[{element}]", group, thread, line)
            memory[start + element] = self.case.value(one, array.width)

    def starting(self, thread: int, memory: Memory) -> Local:
        """Run a thread from its beginning to its first step. Its plain accesses change the memory."""
        private: list[Value] = list(self.layout.private)
        for array in self._unset:
            if array.space == "private":
                self._forget(private, array, self.group_of[thread], thread)
        run = Run(self, thread, memory, private, dict(self._fixed[thread]))
        return run.to_the_next_step(self.kernel.blocks[0], 0)

    def after_access(self, thread: int, local: Local, memory: Memory) -> tuple[Local, Deed]:
        """Take the step of a thread that stands before a sync access. It changes the memory."""
        run = self._resumed(thread, local, memory)
        block = self._blocks[local.block]
        deed = run.act(block.instructions[local.place])
        return run.to_the_next_step(block, local.place + 1), deed

    def after_barrier(self, thread: int, local: Local, memory: Memory) -> Local:
        """Run a thread on that waited at a barrier, to its next step."""
        run = self._resumed(thread, local, memory)
        return run.to_the_next_step(self._blocks[local.block], local.place + 1)

    def barrier_of(self, local: Local) -> Barrier:
        """Return the barrier that a thread stands before or waits at."""
        found = self._blocks[local.block].instructions[local.place]
        assert isinstance(found, Barrier)  # noqa: S101  (the status says so)
        return found

    def object_of(self, local: Local) -> tuple[str, ...]:
        """Return what tells the barrier at which a thread stands from others. It may stand at several places."""
        scope = self.barrier_of(local).scope
        is_one = scope == "grid" or (scope == "group" and self.rules.one_barrier)
        return (scope,) if is_one else (scope, local.block, str(local.place))

    def mask_of(self, thread: int, local: Local) -> int:
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
        values = self._fixed[thread] | dict(zip(self._live[local.block][local.place], local.values, strict=True))
        found = barrier.mask.value if isinstance(barrier.mask, Constant) else values[barrier.mask]
        if isinstance(found, Partly):
            found = self.decided(found, thread, barrier.line)
        if not found >> lane & 1:
            msg = f"{self.where(barrier.line)}: thread {thread} is lane {lane}, and gives the mask {found:#x}"
            raise InputError(f"{msg}; a lane must be in its mask")
        return found & ((1 << lanes) - 1)

    def line_of(self, local: Local) -> int:
        """Return the line of the instruction before which a thread stands."""
        return self._blocks[local.block].instructions[local.place].line

    def _resumed(self, thread: int, local: Local, memory: Memory) -> Run:
        values = self._fixed[thread] | dict(zip(self._live[local.block][local.place], local.values, strict=True))
        return Run(self, thread, memory, list(local.private), values)

    def stopped(self, run: Run, status: Status, block: Block, place: int) -> Local:
        """Return the state of a thread that has come to its next step."""
        values = tuple(run.values[name] for name in self._live[block.name][place]) if status != "ended" else ()
        private = tuple(run.private) if status != "ended" else ()
        return Local(status, block.name, place, values, private, frozenset(run.touched))

    def fixed(self, thread: int) -> Mapping[str, int]:
        """Return the values of a thread that never change: its ids, the sizes and the scalars."""
        return self._fixed[thread]

    def block(self, name: str) -> Block:
        """Return the block of this name."""
        return self._blocks[name]

    def live_at(self, block: str) -> tuple[str, ...]:
        """Return the values that are live before the first instruction of a block."""
        return self._live[block][0]

    def width(self, operand: Operand) -> int:
        """Return the number of bits of an operand."""
        return operand.width if isinstance(operand, Constant) else self._widths[operand]

    def array(self, name: str) -> Array:
        """Return the array of this name."""
        return self._arrays[name]

    def held(self, elements: range, memory: Sequence[Value]) -> Value:
        """Return the value that some elements of one array hold together."""
        width = self.array(self.layout.names[elements[0]][0]).width
        return joined([memory[element] for element in elements], width, self.case.terms)

    def decided(self, found: Partly, thread: int, line: int) -> int:
        """Return what a value that matters at a line must be.

        Raises:
            UndecidedError: it is a truth value that may be either.
            InputError: it may be several.
        """
        value = None if found.term is None else self.case.decided(found.term)
        if value is not None:
            return value
        names = [] if found.term is None else list(dict.fromkeys(map(self.named, self.case.names_in(found.term))))
        what = f"{' and '.join(names)}, which {'is' if len(names) == 1 else 'are'}" if names else "a variable that is"
        raise InputError(f"{self.where(line)}: what thread {thread} does here depends on {what} not set")

    def named(self, one: UnsetValue) -> str:
        """Return what is unset, with its place in the source."""
        return f"{one.name or 'a variable'} ({self.where(one.line)})" if one.line else one.name

    def place(self, line: int) -> Place:
        """Return the place of an instruction in the source. The file is empty for a typed program."""
        return self.kernel.places.get(line) or Place("", line)

    def where(self, line: int) -> str:
        """Return the place of an instruction in the source, as messages have it."""
        return written(self.place(line))


def written(place: Place) -> str:
    """Return a place in the source as messages have it, such as `scan.cl:7`."""
    return f"{place.file}:{place.line}" if place.file else f"line {place.line}"
