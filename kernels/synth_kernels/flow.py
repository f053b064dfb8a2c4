"""The control flow of a kernel: its loops, and an order of its blocks in which each loop is contiguous.

Loops are natural loops: a jump to a block that dominates the block of the jump goes back to the header of a loop. In
the order, each other jump goes forward. Control flow in which some circle has two entries is refused.
"""

from __future__ import annotations

import graphlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.program import operands_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.program import Kernel, Operand


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop by its header and its blocks, those of loops in it included."""

    header: str
    blocks: frozenset[str]


class Flow:
    """The reachable blocks of a kernel in order, and its loops.

    Raises:
        InputError: a circle has two entries, or a value is used where it may not be defined.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.entry = kernel.blocks[0].name
        self._successors = {block.name: [target.block for target in block.end.targets] for block in kernel.blocks}
        self._dominators = self._dominate()
        self.loops = self._find_loops()
        self.order = self._arrange(frozenset(self._dominators), None)
        self._check_values()

    def is_back(self, source: str, target: str) -> bool:
        """Whether a jump from one block to another goes back to the header of a loop."""
        return target in self._dominators[source]

    def dominates(self, block: str, other: str) -> bool:
        """Whether each way to a block goes through another block, which may be the same."""
        return block in self._dominators.get(other, ())

    def comes_before(self, block: str, other: str) -> bool:
        """Whether each way to a block goes through another block first."""
        return block != other and self.dominates(block, other)

    def is_guarded(self, source: str, target: str, block: str) -> bool:
        """Whether each way to a block takes a jump of the block `source`, that to the block `target`."""
        before = {predecessor for predecessor in self._predecessors[target] if not self.is_back(predecessor, target)}
        return self._successors[source].count(target) == 1 and before == {source} and self.dominates(target, block)

    def leading_to(self, block: str) -> set[str]:
        """Return the blocks from which a way leads to a block."""
        reached: set[str] = set()
        todo = [block]
        while todo:
            fresh = self._predecessors[todo.pop()] - reached
            reached |= fresh
            todo += fresh
        return reached

    def around(self, block: str) -> list[Loop]:
        """Return the loops around a block, the innermost first."""
        return sorted((loop for loop in self.loops.values() if block in loop.blocks), key=lambda loop: len(loop.blocks))

    def _dominate(self) -> dict[str, set[str]]:
        reached = self._reverse_postorder()
        before: dict[str, set[str]] = {name: set() for name in reached}
        for name in reached:
            for after in self._successors[name]:
                before[after].add(name)
        dominators = {name: set(reached) for name in reached}
        dominators[self.entry] = {self.entry}
        changed = True
        while changed:
            changed = False
            for name in reached[1:]:
                now = {name} | set.intersection(*(dominators[predecessor] for predecessor in before[name]))
                changed, dominators[name] = changed or now != dominators[name], now
        self._predecessors = before
        return dominators

    def _reverse_postorder(self) -> list[str]:
        """Return the reachable blocks in an order in which most jumps go forward, so that few rounds are enough."""
        postorder: list[str] = []
        seen = {self.entry}
        path = [(self.entry, iter(self._successors[self.entry]))]
        while path:
            name, successors = path[-1]
            if (after := next((successor for successor in successors if successor not in seen), None)) is not None:
                seen.add(after)
                path.append((after, iter(self._successors[after])))
            else:
                postorder.append(name)
                path.pop()
        return postorder[::-1]

    def _find_loops(self) -> dict[str, Loop]:
        blocks: dict[str, set[str]] = {}
        for source in self._dominators:
            for target in self._successors[source]:
                if self.is_back(source, target):
                    inside = blocks.setdefault(target, {target})
                    todo = [source]
                    while todo:
                        if (name := todo.pop()) not in inside:
                            inside.add(name)
                            todo += self._predecessors[name]
        return {header: Loop(header, frozenset(inside)) for header, inside in blocks.items()}

    def _arrange(self, blocks: frozenset[str], header: str | None) -> list[str]:
        """Return blocks in order, as those of the loop with this header; loops in it count as one block each."""
        inner = [loop for loop in self.loops.values() if loop.header != header and loop.blocks < blocks]
        if header is None:
            inner = [loop for loop in self.loops.values() if loop.blocks <= blocks]
        outermost = [loop for loop in inner if not any(loop.blocks < other.blocks for other in inner)]
        stands_for = {name: loop.header for loop in outermost for name in loop.blocks}
        graph: dict[str, set[str]] = {stands_for.get(name, name): set() for name in sorted(blocks)}
        for name in sorted(blocks):
            for after in self._successors[name]:
                source, target = stands_for.get(name, name), stands_for.get(after, after)
                if after in blocks and after != header and source != target:
                    graph[target].add(source)
        try:
            arranged = list(graphlib.TopologicalSorter(graph).static_order())
        except graphlib.CycleError as error:
            line = self.kernel.block(error.args[1][0]).line
            raise InputError(
                f"line {line}: found control flow in which a circle has two entries, expected loops with one header"
            ) from None
        loops = {loop.header: loop for loop in outermost}
        return [
            inside
            for name in arranged
            for inside in (self._arrange(loops[name].blocks, name) if name in loops else [name])
        ]

    def _check_values(self) -> None:
        """Refuse a use of a value that some way from the entry does not define."""
        words = set(self.kernel.words())
        defined = {
            name: {parameter for parameter, _ in self.kernel.block(name).parameters} for name in self._dominators
        }
        for name, values in defined.items():
            values |= {getattr(step, "name", "") for step in self.kernel.block(name).instructions}
        for name in self._dominators:
            block = self.kernel.block(name)
            known = words.union(*(defined[dominator] for dominator in self._dominators[name] - {name}))
            known |= {parameter for parameter, _ in block.parameters}
            for instruction in block.instructions:
                self._check(known, operands_of(instruction), instruction.line)
                known.add(getattr(instruction, "name", ""))
            self._check(known, block.end.operands, block.end.line)

    @staticmethod
    def _check(known: set[str], operands: Iterable[Operand], line: int) -> None:
        for operand in operands:
            if isinstance(operand, str) and operand and operand not in known:
                raise InputError(
                    f"line {line}: found {operand!r}, expected a value that is defined on every way to this line"
                )
