"""What is known of a launch before its threads run: their values that never change, and their memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.launch import words_of
from synth_kernels.program import ArrayUnset, Constant
from synth_kernels.progress.arguments import scalars_of
from synth_kernels.progress.layout import MemoryLayout
from synth_kernels.progress.live_values import live_before
from synth_kernels.progress.open_values import Case, UnsetValue
from synth_kernels.progress.partial_values import PartialValue, joined_parts
from synth_kernels.progress.reached_elements import ReachedElements
from synth_kernels.progress.steps import Rules
from synth_kernels.source_place import SourcePlace
from synth_kernels.supported_parts import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Array, Block, Kernel, Operand
    from synth_kernels.progress.arguments import ArgumentValues
    from synth_kernels.progress.partial_values import Value

#: Where arrays are that hold nothing at the start.
_OWN = frozenset({"local", "private"})


class LaunchConstants:
    """The threads of a launch and their memory.

    `members` are the threads of each workgroup. `sync` are the elements that plain accesses race for. Without
    `reduces`, each access to global or local memory is sync, and each arrival at a barrier is a step of its own.
    `case` is what is unset in the launch, and `unset` are the arrays that hold nothing at the start.

    Raises:
        InputError: the arguments do not fit the kernel, or it has asynchronous copies.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        sizes: Mapping[str, int],
        threads: Sequence[Thread],
        arguments: Mapping[str, ArgumentValues],
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
            [thread for thread, its_group in enumerate(self.group_of) if its_group == group]
            for group in range(len(self.groups))
        ]
        self.rules = rules or Rules()
        self.sync: set[int] = set()
        self.reaching = ReachedElements(kernel, self.group_of, self.rules.subgroup)
        self.reduces = reduces
        scalars = scalars_of(kernel, arguments)
        self._fixed = [words_of(thread, dict(sizes)) | scalars for thread in threads]
        self._blocks = {block.name: block for block in kernel.blocks}
        self._widths = kernel.all_widths()
        self._arrays = {array.name: array for array in kernel.arrays}
        self._live = live_before(kernel, self._fixed[0])
        self.layout = MemoryLayout(kernel, arguments, len(self.groups))
        self.case = case or Case(kernel)
        self.unset = [
            array
            for array in kernel.arrays
            if array.initial is None and array.space in _OWN and array.name not in arguments
        ]

    def forget(self, private: list[Value], unset: ArrayUnset, thread: int) -> None:
        """Let the life of a private array of a thread begin."""
        self.forget_array(private, self._arrays[unset.array], self.group_of[thread], thread, unset.line)

    def forget_array(
        self, memory: list[Value], array: Array, group: int, thread: int | None = None, line: int = 0
    ) -> None:
        """Make the elements of an array unset."""
        start = self.layout.start(array, group)
        for element in range(self.layout.sizes[array.name]):
            unset = UnsetValue(f"{array.name}[{element}]", group, thread, line)
            memory[start + element] = self.case.value(unset, array.width)

    def fixed(self, thread: int) -> Mapping[str, int]:
        """Return the values of a thread that never change: its ids, the sizes and the scalars."""
        return self._fixed[thread]

    def block(self, name: str) -> Block:
        """Return the block of this name."""
        return self._blocks[name]

    def live_at(self, block: str, place: int = 0) -> tuple[str, ...]:
        """Return the values that are live before an instruction of a block, or before its end."""
        return self._live[block][place]

    def width(self, operand: Operand) -> int:
        """Return the number of bits of an operand."""
        return operand.width if isinstance(operand, Constant) else self._widths[operand]

    def array(self, name: str) -> Array:
        """Return the array of this name."""
        return self._arrays[name]

    def held(self, elements: range, memory: Sequence[Value]) -> Value:
        """Return the value that some elements of one array hold together."""
        width = self.array(self.layout.names[elements[0]][0]).width
        return joined_parts([memory[element] for element in elements], width, self.case.terms)

    def decided(self, partial: PartialValue, thread: int, line: int) -> int:
        """Return what a value that matters at a line must be.

        Raises:
            UndecidedError: it is a truth value that may be either.
            InputError: it may be several.
        """
        value = None if partial.term is None else self.case.decided(partial.term)
        if value is not None:
            return value
        names = [] if partial.term is None else list(dict.fromkeys(map(self.named, self.case.names_in(partial.term))))
        causes = f"{' and '.join(names)}, which {'is' if len(names) == 1 else 'are'}" if names else "a variable that is"
        msg = f"what thread {thread} does here depends on {causes} not set, and may hold many values"
        raise InputError(f"{self.where(line)}: {msg}; set it first, and let a barrier order it if another thread does")

    def named(self, unset_value: UnsetValue) -> str:
        """Return what is unset, with its place in the source."""
        return (
            f"{unset_value.name or 'a variable'} ({self.where(unset_value.line)})"
            if unset_value.line
            else unset_value.name
        )

    def place(self, line: int) -> SourcePlace:
        """Return the place of an instruction in the source. The file is empty for a typed program."""
        return self.kernel.places.get(line) or SourcePlace("", line)

    def where(self, line: int) -> str:
        """Return the place of an instruction in the source, as messages have it."""
        return place_text(self.place(line))


def place_text(place: SourcePlace) -> str:
    """Return a place in the source as messages have it, such as `scan.cl:7`."""
    return f"{place.file}:{place.line}" if place.file else f"line {place.line}"
