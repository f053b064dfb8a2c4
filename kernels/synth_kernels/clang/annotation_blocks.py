"""Make each annotation one piece of straight code.

In C, `i < n && j < m` evaluates its second operand only if the first one holds. So at -O0 such an argument of an
annotation becomes several blocks, which would also split the header of a loop. The headers of `synth` call
`__synth_annotation` before an annotation evaluates its argument. The instructions between this call and the call of the
claim have no effect on the kernel. So all of it is evaluated here, in one block, and conditions of the branches choose
between the results.
"""

from __future__ import annotations

import graphlib
from dataclasses import replace

from synth_kernels.clang.frame import Unsupported
from synth_kernels.clang.ir import IrBlock, IrFunction, IrInstruction, Type, Value

#: The call before the argument of an annotation, and how the name of each claim begins.
OPENING = "__synth_annotation"
CLAIM = "__synth_claim_"
_TRUTH = Type("int", 1)
_TRUE = Value("number", _TRUTH, number=1)


def flatten_annotations(function: IrFunction) -> IrFunction:
    """Return a function in which each annotation stands in one block.

    Raises:
        Unsupported: an annotation has a loop in it.
    """
    if not any(_opens(instruction) for block in function.blocks for instruction in block.instructions):
        return function
    return _Flattening(function).run()


def _opens(instruction: IrInstruction) -> bool:
    return instruction.opcode == "call" and instruction.detail == OPENING


def _claims(instruction: IrInstruction) -> bool:
    return instruction.opcode == "call" and instruction.detail.startswith(CLAIM)


class _Flattening:
    def __init__(self, function: IrFunction) -> None:
        self._function = function
        self._blocks = {block.name: IrBlock(block.name, list(block.instructions)) for block in function.blocks}
        self._number = 0

    def run(self) -> IrFunction:
        for name in list(self._blocks):
            if name in self._blocks:
                self._join_next(self._blocks[name])
        for name in list(self._blocks):
            while name in self._blocks and self._is_open(self._blocks[name]):
                self._flatten(self._blocks[name])
        return replace(self._function, blocks=list(self._blocks.values()))

    def _join_next(self, block: IrBlock) -> None:
        """Join a block with the next one if that begins with an annotation and follows it alone.

        An annotation at the beginning of the body of `for (;;)` then stands in the header of the loop.
        """
        while len(labels := block.instructions[-1].labels) == 1:
            (name,) = labels
            following = self._blocks[name]
            entries = [label for other in self._blocks.values() for label in other.instructions[-1].labels]
            if name == block.name or entries.count(name) > 1 or not _opens(following.instructions[0]):
                return
            block.instructions[-1:] = following.instructions
            self._remove(name, block.name)

    @staticmethod
    def _is_open(block: IrBlock) -> bool:
        """Return whether an annotation begins in a block, and does not end in it."""
        ends = [
            _opens(instruction) for instruction in block.instructions if _opens(instruction) or _claims(instruction)
        ]
        return bool(ends) and ends[-1]

    def _flatten(self, block: IrBlock) -> None:
        """Move all blocks between an opening call and its claim into the block of the call."""
        order, last = self._region(block.name)
        body = block.instructions
        end = body.pop()
        edges: dict[tuple[str, str], list[Value]] = {}
        self._leave(block.name, end, _TRUE, body, edges)
        for name in order:
            whole = self._blocks[name].instructions
            phis = [instruction for instruction in whole if instruction.opcode == "phi"]
            for phi in phis:
                ways = [
                    (way, value)
                    for value, label in zip(phi.operands, phi.labels, strict=True)
                    for way in edges.get((label, name), [])
                ]
                self._choose(phi, ways, body)
            rest = whole[len(phis) :]
            if name == last:
                body += rest
                break
            ways_in = [way for (_, target), conditions in edges.items() if target == name for way in conditions]
            reached = ways_in[0]
            for way in ways_in[1:]:
                reached = self._add_operation("or", reached, way, body)
            body += rest[:-1]
            self._leave(name, rest[-1], reached, body, edges)
        for name in order:
            self._remove(name, block.name)

    def _region(self, first: str) -> tuple[list[str], str]:
        """Return the blocks from behind an opening call to that of its claim, in order, and the last one."""
        after: dict[str, set[str]] = {}
        names, lasts = [first], set()
        for name in names:
            is_last = name != first and self._ends(self._blocks[name])
            labels = () if is_last else self._blocks[name].instructions[-1].labels
            if is_last:
                lasts.add(name)
            elif not labels or (name != first and any(map(_opens, self._blocks[name].instructions))):
                raise Unsupported("an annotation in an annotation, or one that does not end")
            for label in labels:
                after.setdefault(label, set()).add(name)
                if label not in names:
                    names.append(label)
        try:
            order = list(graphlib.TopologicalSorter({name: after.get(name, ()) for name in names}).static_order())
        except graphlib.CycleError:
            raise Unsupported("a loop in an annotation") from None
        (last,) = lasts
        return order[1:], last

    @staticmethod
    def _ends(block: IrBlock) -> bool:
        """Return whether the first annotation call of a block is a claim."""
        return next(
            (_claims(instruction) for instruction in block.instructions if _opens(instruction) or _claims(instruction)),
            False,
        )

    def _leave(
        self,
        name: str,
        end: IrInstruction,
        reached: Value,
        body: list[IrInstruction],
        edges: dict[tuple[str, str], list[Value]],
    ) -> None:
        """Note under which condition each jump from a block is taken."""
        conditions = [reached] * len(end.labels)
        if len(end.labels) == 2:
            test = end.operands[0]
            negated = self._add_operation("xor", test, _TRUE, body)
            conditions = [
                self._add_operation("and", reached, test, body),
                self._add_operation("and", reached, negated, body),
            ]
        for label, condition in zip(end.labels, conditions, strict=True):
            edges.setdefault((name, label), []).append(condition)

    def _add_operation(self, opcode: str, first: Value, second: Value, body: list[IrInstruction]) -> Value:
        """Add an operation on truth values, unless it changes nothing."""
        if opcode == "and" and first == _TRUE:
            return second
        self._number += 1
        name = f"annotation.{self._number}"
        body.append(IrInstruction(opcode, name, _TRUTH, (first, second)))
        return Value("local", _TRUTH, name)

    def _choose(self, phi: IrInstruction, ways: list[tuple[Value, Value]], body: list[IrInstruction]) -> None:
        *earlier, (_, value) = ways
        if not earlier:
            earlier = [(_TRUE, value)]
        for number, (condition, chosen) in enumerate(reversed(earlier)):
            self._number += 1
            name = phi.name if number == len(earlier) - 1 else f"annotation.{self._number}"
            body.append(IrInstruction("select", name, phi.type, (condition, chosen, value), debug=phi.debug))
            value = Value("local", phi.type, name)

    def _remove(self, name: str, heir: str) -> None:
        """Remove a block whose jumps now come from another one."""
        del self._blocks[name]
        for block in self._blocks.values():
            for place, instruction in enumerate(block.instructions):
                if instruction.opcode != "phi":
                    break
                labels = tuple(heir if label == name else label for label in instruction.labels)
                block.instructions[place] = replace(instruction, labels=labels)
