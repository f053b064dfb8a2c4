"""Translate a kernel from LLVM IR to a typed program.

A kernel is translated twice: the first time to see how far its pointers move and how wide its accesses are, which
decides the elements of arrays, and the second time with these elements.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.clang import calls, memory
from synth_kernels.clang.arithmetic import TRANSLATIONS
from synth_kernels.clang.calls import images
from synth_kernels.clang.calls.claims import is_wide
from synth_kernels.clang.components import assigned_components
from synth_kernels.clang.emitting import Emitter
from synth_kernels.clang.flattening import OPENING, flattened
from synth_kernels.clang.frame import SELECTOR_WIDTH, Frame, Members, Unsupported
from synth_kernels.clang.initial import initial_elements
from synth_kernels.clang.places import Places
from synth_kernels.clang.pointers import UNKNOWN, Pointer
from synth_kernels.deadline import NEVER, check
from synth_kernels.flow import Flow
from synth_kernels.program import ID_WIDTH, IDS, Array, Claim, Constant, Kernel, Place, Target, Unread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.clang.frame import Lowered
    from synth_kernels.clang.ir import Block, Function, Instruction, Module, Type
    from synth_kernels.program import Operand

_RESERVED = (*IDS, "watched", "enabled", "same_group")


class _Translation:
    """One kernel, translated once."""

    def __init__(self, module: Module, function: Function, divisors: Mapping[str, int]) -> None:
        self.function = function
        self.emit = Emitter(_RESERVED)
        self.frame = Frame(module, function, self.emit, divisors)
        self.places = Places(module, function)
        self.name = module.fields(function.metadata.get("dbg")).get("name", function.name)
        self._module = module
        self._blocks = {block.name: block for block in function.blocks}
        self._components, self._loads = assigned_components(function)
        #: The instructions of each annotation about all loops, which every header of a loop repeats.
        self._wide: list[list[Instruction]] = []

    def run(self, until: float) -> Kernel:
        """Translate the kernel.

        Raises:
            OverdueError: the time was over before that.
            Unsupported: something in it is not supported.
        """
        scalars = self._parameters()
        for region, found in self.frame.pointers.regions.items():
            if found.is_parameter:
                self.frame.array(region)
        order = self._order()
        self._numbers = {name: number for number, name in enumerate(order)}
        self._headers = {
            label for name in order for label in self._successors(name) if self._numbers[label] <= self._numbers[name]
        }
        self._names = {name: self.emit.name(name or "entry") for name in order}
        for name in order:
            self._block(self._blocks[name], until)
        return self.emit.kernel(self.name, self._arrays(), scalars, self._local_size(), self._notes())

    def _parameters(self) -> list[tuple[str, int]]:
        scalars: list[tuple[str, int]] = []
        for parameter in self.function.parameters:
            if parameter.type.kind == "pointer":
                region = f"%{parameter.name}"
                self.frame.values[parameter.name] = Pointer((region,), Constant(0, ID_WIDTH))
                continue
            if parameter.type.kind == "other":
                self.frame.values[parameter.name] = Members(())
                continue
            widths = self._widths(parameter.type)
            words = [parameter.name] if len(widths) == 1 else [f"{parameter.name}.{n}" for n in range(len(widths))]
            lanes = [self.emit.define(word, width) for word, width in zip(words, widths, strict=True)]
            scalars += zip(lanes, widths, strict=True)
            self.frame.values[parameter.name] = self._shaped(parameter.type, list(lanes), ())
        return scalars

    def _arrays(self) -> list[Array]:
        found = []
        for region, name in self.frame.accessed().items():
            one, unit = self.frame.pointers.regions[region], self.frame.unit(region)
            variable = self._module.variables.get(region[1:]) if region[0] == "@" and one.space != "local" else None
            initial = None if variable is None else initial_elements(variable, self.frame.layout, unit)
            found.append(Array(name, one.space, unit * 8, None if one.size is None else one.size // unit, initial))
        return found + [Array(name, "global", images.PIXEL) for name in self.frame.images.values()]

    def _local_size(self) -> tuple[int, ...]:
        number = self.function.metadata.get("reqd_work_group_size")
        sizes = re.findall(r"i32 (\d+)", self._module.metadata.get(-1 if number is None else number, ""))
        return tuple(map(int, sizes))

    def _notes(self) -> tuple[str, ...]:
        regions = [one for one in self.frame.pointers.regions.values() if one.is_parameter and one.space != "constant"]
        bare = [one.name for one in regions if not one.is_restrict]
        if any(one.is_parameter for one in self.frame.pointers.regions.values()):
            self.frame.note("no array has 2^31 bytes or more")
        notes = [*self.frame.notes, *([images.NOTE] if self.frame.images else [])]
        if len(regions) > 1 and bare:
            notes.append(f"these arrays without restrict do not overlap: {', '.join(bare)}")
        return tuple(notes)

    def _order(self) -> list[str]:
        """Return the reachable blocks, each after those that dominate it."""
        first = self.function.blocks[0].name
        seen, done = {first}, []
        todo = [(first, reversed(self._successors(first)))]
        while todo:
            name, rest = todo[-1]
            for after in rest:
                if after not in seen:
                    seen.add(after)
                    todo.append((after, reversed(self._successors(after))))
                    break
            else:
                done.append(name)
                todo.pop()
        return done[::-1]

    def _successors(self, name: str) -> tuple[str, ...]:
        return self._blocks[name].instructions[-1].labels

    # --- blocks ---

    def _block(self, block: Block, until: float) -> None:
        parameters: list[tuple[str, int]] = []
        phis = [one for one in block.instructions if one.opcode == "phi"]
        for phi in phis:
            widths = self._widths(phi.type, phi.name)
            lanes = [self.emit.define(phi.name, width) for width in widths]
            parameters += zip(lanes, widths, strict=True)
            self.frame.put(phi, self._shaped(phi.type, list(lanes), self._regions(phi.name)))
        self.emit.start(self._names[block.name], parameters)
        self.frame.at_header = block.name in self._headers
        if self.frame.at_header:
            for one in itertools.chain.from_iterable(self._wide):
                self.emit.place = self._place(one) or self.emit.place
                self._instruction(one, block)
        begin = 0
        for number, one in enumerate(block.instructions[len(phis) :], start=len(phis)):
            check(until, f"{self.name} was read")
            self.emit.place = self._place(one) or self.emit.place
            if one.detail == OPENING:
                begin = number
            if is_wide(one):
                self._wide.append(block.instructions[begin : number + 1])
                self.frame.in_annotation = False
            else:
                self._instruction(one, block)

    def _regions(self, name: str) -> tuple[str, ...]:
        return tuple(sorted(self.frame.pointers.of.get(name, set()))) or (UNKNOWN,)

    def _widths(self, type_: Type, name: str = "") -> list[int]:
        """Return the widths of the operands that a value of a type is lowered to."""
        if type_.kind == "pointer":
            return [ID_WIDTH] if len(self._regions(name)) == 1 else [ID_WIDTH, SELECTOR_WIDTH]
        if type_.kind == "struct":
            return [width for part in type_.parts for width in self._widths(part)]
        if type_.kind == "array":
            return self._widths(type_.parts[0]) * type_.count
        return [] if type_.kind == "other" else self.frame.type_lanes(type_)

    def _shaped(self, type_: Type, operands: list[Operand], regions: tuple[str, ...]) -> Lowered:
        """Return a value of a type from the operands that it is lowered to, which are taken from the list."""
        if type_.kind == "pointer":
            offset = operands.pop(0)
            regions = regions or (UNKNOWN,)
            return Pointer(regions, offset, operands.pop(0) if len(regions) > 1 else None)
        if type_.kind in {"struct", "array"}:
            parts = type_.parts if type_.kind == "struct" else type_.parts * type_.count
            return Members(self._shaped(part, operands, ()) for part in parts)
        return tuple(operands.pop(0) for _ in range(type_.lanes))

    def _flat(self, found: Lowered, regions: tuple[str, ...]) -> list[Operand]:
        if isinstance(found, Pointer):
            return [found.offset] if len(regions) <= 1 else [found.offset, self.frame.selector(found)]
        if isinstance(found, Members):
            return [operand for part in found for operand in self._flat(part, ())]
        return list(found)

    def _target(self, source: Block, name: str) -> Target:
        arguments: list[Operand] = []
        for phi in self._blocks[name].instructions:
            if phi.opcode != "phi":
                break
            value = phi.operands[phi.labels.index(source.name)]
            regions = self._regions(phi.name) if phi.type.kind == "pointer" else ()
            arguments += self._flat(self.frame.lowered(value), regions)
        return Target(self._names[name], tuple(arguments))

    # --- instructions ---

    def _place(self, one: Instruction) -> Place | None:
        """Return the place of an instruction; that of an access is where its pointer is computed."""
        if one.opcode in {"load", "store", "atomicrmw", "cmpxchg"}:
            where = one.operands[1 if one.opcode == "store" else 0]
            made = self.frame.definitions.get(where.name) if where.kind == "local" else None
            found = self.places.at(made.debug, with_text=True) if made and made.opcode == "getelementptr" else None
            found = found or self.places.at(one.debug, with_text=True)
            lane = (one.operands[0].type if one.opcode == "store" else one.type).lane
            bits = lane.bits if lane.kind in {"int", "float"} else 0
            return found and replace(found, bits=bits, is_float=lane.kind == "float")
        if one.opcode == "call":
            return self.places.at(one.debug, with_text=True)
        found = self.places.at(one.debug)
        return self.places.condition(found) if one.opcode == "br" and len(one.labels) == 2 else found

    def _instruction(self, one: Instruction, block: Block) -> None:
        frame = self.frame
        match one.opcode:
            case "br" | "switch" | "ret" | "unreachable":
                self._end(one, block)
            case "load" | "store":
                self._access(one)
            case "atomicrmw" | "cmpxchg":
                memory.update(frame, one)
            case "getelementptr":
                base, *indices = one.operands
                fixed, steps = frame.pointers.steps(one.element, tuple(indices))
                frame.put(one, frame.moved(frame.pointer(base), fixed, steps))
            case "alloca":
                frame.put(one, Pointer((f"%{one.name}",), Constant(0, ID_WIDTH)))
            case "call":
                calls.translate(frame, one)
            case _ if one.opcode in TRANSLATIONS:
                frame.put(one, TRANSLATIONS[one.opcode](frame, one))
            case _ if one.opcode != "fence":
                frame.unsupported(f"the instruction {one.opcode} of LLVM")

    def _access(self, one: Instruction) -> None:
        if one.opcode == "store":
            memory.store(self.frame, one, self._components)
        elif one.name in self._loads:
            self.frame.put(one, tuple(Constant(0, width) for width in self.frame.type_lanes(one.type)))
        else:
            memory.load(self.frame, one)

    def _end(self, one: Instruction, block: Block) -> None:
        emit = self.emit
        if one.opcode == "unreachable":
            emit.add(Claim("assert", Constant(0, 1)))
        if not one.labels:
            emit.end()
        elif one.opcode == "switch":
            self._switch(one, block)
        elif len(one.labels) == 1:
            emit.end(self._target(block, one.labels[0]))
        else:
            test = self.frame.one(one.operands[0])
            first, second = (self._target(block, label) for label in one.labels)
            emit.end(first, second, test=test)

    def _switch(self, one: Instruction, block: Block) -> None:
        subject, *cases = one.operands
        value = self.frame.one(subject)
        for case, label in zip(cases, one.labels[1:], strict=True):
            test = self.emit.compute("eq", (value, self.frame.one(case)), "case")
            rest = self.emit.name("next")
            self.emit.end(self._target(block, label), Target(rest), test=test)
            self.emit.start(rest)
        self.emit.end(self._target(block, one.labels[0]))


def translated(module: Module, function: Function, until: float = NEVER) -> Kernel | Unread:
    """Return the typed program of a kernel, or why there is none."""
    try:
        function = flattened(function)
    except Unsupported as reason:
        number = function.metadata.get("dbg")
        name = module.fields(number).get("name", function.name)
        return Unread(name, Places(module, function).of_function(number), str(reason))
    divisors: dict[str, int] = {}
    kernel: Kernel | None = None
    for _ in range(2):
        translation = _Translation(module, function, divisors)
        try:
            kernel = translation.run(until)
        except Unsupported as reason:
            place = translation.emit.place or translation.places.of_function(function.metadata.get("dbg"))
            return Unread(translation.name, place, str(reason))
        divisors = translation.frame.pointers.divisors
    assert kernel is not None  # noqa: S101  (it was translated twice)
    try:
        Flow(kernel)
    except InputError:
        place = translation.places.of_function(function.metadata.get("dbg"))
        return Unread(kernel.name, place, "irreducible control flow: a loop with several entries")
    return kernel
