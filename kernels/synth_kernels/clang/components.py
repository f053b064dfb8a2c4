"""Find the components of vectors that a source assigns to.

For `v.x = 1`, LLVM IR loads the whole vector, replaces a lane, and stores the whole vector again. The language says
that only the component is written. So the load is no access, and the store is one of the lanes that change.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_kernels.clang.arithmetic import mask_of

if TYPE_CHECKING:
    from synth_kernels.clang.ir import IrFunction, IrInstruction, Value


def assigned_components(function: IrFunction) -> tuple[dict[str, list[int]], set[str]]:
    """Return the vectors that are stored where they were loaded, with the lanes that change, and these loads.

    Such a load is there only for the store, so it is no access of its own.
    """
    every = [instruction for block in function.blocks for instruction in block.instructions]
    definitions = {instruction.name: instruction for instruction in every if instruction.name}
    uses = Counter(operand.name for instruction in every for operand in instruction.operands if operand.kind == "local")
    stores: dict[str, list[int]] = {}
    loads: set[str] = set()
    for instruction in every:
        if (
            instruction.opcode != "store"
            or instruction.operands[0].type.kind != "vector"
            or instruction.operands[0].kind != "local"
        ):
            continue
        value, where = instruction.operands
        sources = _lanes_of(value, definitions)
        origins = [
            name
            for name in {name for name, _ in sources if name}
            if definitions[name].operands[0] == where
            and definitions[name].debug == instruction.debug
            and definitions[name].type == value.type
            and uses[name] == 1
        ]
        if len(origins) == 1:
            stores[value.name] = [number for number, source in enumerate(sources) if source != (origins[0], number)]
            loads.add(origins[0])
    return stores, loads


def _lanes_of(value: Value, definitions: dict[str, IrInstruction]) -> list[tuple[str, int]]:
    """Return for each lane of a vector from which instruction it comes, and as which lane of that."""
    count = value.type.count
    unknown = [("", number) for number in range(count)]
    instruction = definitions.get(value.name) if value.kind == "local" else None
    if instruction is None:
        return unknown
    if instruction.opcode == "insertelement" and instruction.operands[2].kind == "number":
        lanes = _lanes_of(instruction.operands[0], definitions)
        if instruction.operands[2].number < count:
            lanes[instruction.operands[2].number] = ("", 0)
        return lanes
    if instruction.opcode == "shufflevector":
        both = _lanes_of(instruction.operands[0], definitions) + _lanes_of(instruction.operands[1], definitions)
        return [("", 0) if index is None else both[index] for index in mask_of(instruction.operands[2])]
    return [(instruction.name, number) for number in range(count)] if instruction.opcode == "load" else unknown


def lane_runs(lanes: list[int]) -> list[tuple[int, int]]:
    """Return lanes as runs of neighbours, each with its first lane and its length."""
    spans: list[tuple[int, int]] = []
    for lane in sorted(lanes):
        if spans and sum(spans[-1]) == lane:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((lane, 1))
    return spans
