"""Where the elements of arrays are in the memory of a launch, and what they hold at the start.

Global and constant arrays are there once. A local array is there once for each workgroup. All of them are in one list,
the shared memory. Private arrays are in a list of their own, which each thread has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.progress.arguments import contents_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.program import Array, Kernel
    from synth_kernels.progress.arguments import ArgumentValues


class MemoryLayout:
    """The memory of a launch with so many workgroups.

    - `shared` and `private` are what the shared memory and the private memory of a thread hold at the start.
    - `names` says for each element of the shared memory to which array and workgroup it belongs, and its number there.
      The workgroup is None for an array that is there once.
    - `sizes` has the number of elements of each array.

    Raises:
        InputError: the arguments do not fit the kernel.
    """

    def __init__(self, kernel: Kernel, arguments: Mapping[str, ArgumentValues], groups: int) -> None:
        self.sizes: dict[str, int] = {}
        self.names: list[tuple[str, int | None, int]] = []
        self._starts: dict[tuple[str, int | None], int] = {}
        shared: list[int] = []
        private: list[int] = []
        for name, values in contents_of(kernel, arguments).items():
            self.sizes[name] = len(values)
            space = kernel.array(name).space
            for group in range(groups) if space == "local" else (None,):
                memory = private if space == "private" else shared
                self._starts[name, group] = len(memory)
                memory += values
                if space != "private":
                    self.names += [(name, group, number) for number in range(len(values))]
        self.shared, self.private = tuple(shared), tuple(private)

    def start(self, array: Array, group: int) -> int:
        """Return the number of the first element of an array in its list, for a thread of a workgroup."""
        return self._starts[array.name, group if array.space == "local" else None]
