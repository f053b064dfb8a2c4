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
from synth_kernels.clang.annotation_blocks import OPENING, flatten_annotations
from synth_kernels.clang.arithmetic import TRANSLATIONS
from synth_kernels.clang.calls import images
from synth_kernels.clang.calls.claims import is_wide
from synth_kernels.clang.components import assigned_components
from synth_kernels.clang.emitter import Emitter
from synth_kernels.clang.entries import elements_of_parameters, elements_of_variable
from synth_kernels.clang.frame import Frame, Members, Unsupported
from synth_kernels.clang.initial_values import initial_elements
from synth_kernels.clang.places import Places
from synth_kernels.clang.regions import Pointer
from synth_kernels.clang.shapes import from_operands, operand_widths, regions_of, to_operands
from synth_kernels.deadline import NEVER, check
from synth_kernels.flow import Flow
from synth_kernels.program import (
    ID_WIDTH,
    IDS,
    IS_NULL,
    Array,
    Call,
    Constant,
    JumpTarget,
    Kernel,
    KernelClaim,
    KernelFunction,
    UnreadKernel,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.clang.ir import IrBlock, IrInstruction, Module
    from synth_kernels.clang.ir import IrFunction as Source
    from synth_kernels.clang.units import FunctionUnit, Units
    from synth_kernels.premises import Premise
    from synth_kernels.program import Operand
    from synth_kernels.source_place import SourcePlace

_RESERVED = (*IDS, "watched", "enabled", "same_group")


class Translation:
    """One kernel, or one function that is not inlined with its `unit`, translated once."""

    def __init__(
        self,
        module: Module,
        function: Source,
        divisors: Mapping[str, int],
        units: Units | None = None,
        unit: FunctionUnit | None = None,
    ) -> None:
        self.function = function
        self.emit = Emitter(_RESERVED)
        bound = None
        if unit is not None:
            ways = zip(function.parameters, unit.bound, strict=True)
            bound = {parameter.name: where for parameter, where in ways if where is not None}
        self.frame = Frame(module, function, self.emit, divisors, bound, units)
        self._unit = unit
        self.places = Places(module, function)
        self.name = module.fields(function.metadata.get("dbg")).get("name", function.name)
        self._module = module
        self._blocks = {block.name: block for block in function.blocks}
        self._components, self._loads = assigned_components(function)
        #: The instructions of each annotation about all loops, which every header of a loop repeats.
        self._wide: list[list[IrInstruction]] = []

    def run(self, until: float) -> Kernel:
        """Translate the kernel.

        Raises:
            OverdueError: the time was over before that.
            Unsupported: something in it is not supported.
        """
        if self._unit and self.frame.pointers.nullable:
            self.frame.unsupported("a pointer that is compared with null, in a function that is not inlined")
        scalars = [] if self._unit else self._parameters()
        for region, array in self.frame.pointers.regions.items():
            if array.is_parameter:
                self.frame.array(region)
        order = self._order()
        self._numbers = {name: number for number, name in enumerate(order)}
        self._headers = {
            label for name in order for label in self._successors(name) if self._numbers[label] <= self._numbers[name]
        }
        self._names = {name: self.emit.name(name or "entry") for name in order}
        begins = self._names[order[0]]
        self._leaves = self.emit.name("leaves") if self._unit else ""
        if self._unit:
            self._enter(begins)
        for name in order:
            self._block(self._blocks[name], until)
        interface = self._left(begins) if self._unit else None
        return self.emit.kernel(self.name, self._arrays(), scalars, self._local_size(), self._premises(), interface)

    # --- functions that are not inlined ---

    def _enter(self, begins: str) -> None:
        """Give parameters arbitrary values, and let each thread make the call or not."""
        assert self.frame.units is not None and self._unit is not None  # noqa: S101, PT018  (a function has both)
        self.emit.start(self.emit.name("called"))
        self.emit.place = self.places.of_function(self.function.metadata.get("dbg"))
        self.emit.add(Call(""))
        self._given: list[tuple[str, int]] = []
        for parameter, bound in zip(self.function.parameters, self._unit.bound, strict=True):
            name = parameter.name
            if parameter.type.kind == "other":
                self.frame.values[name] = Members(())
            elif parameter.type.kind == "pointer" and bound is None:
                self.frame.values[name] = Pointer((f"%{name}",), Constant(0, ID_WIDTH))
            elif parameter.type.kind == "pointer":
                (region,) = regions_of(self.frame, name)
                offset: Operand = Constant(0, ID_WIDTH)
                if bound and bound[1]:
                    offset = self._arbitrary(f"{name}.offset", ID_WIDTH)
                    if (unit := self.frame.unit(region)) > 1:  # bytes have all places that an offset can name
                        self.frame.assume_inside(offset, unit)
                self.frame.values[name] = Pointer((region,), offset)
            else:
                sizes = operand_widths(self.frame, parameter.type)
                words = [name] if len(sizes) == 1 else [f"{name}.{number}" for number in range(len(sizes))]
                lanes: list[Operand] = [self._arbitrary(word, size) for word, size in zip(words, sizes, strict=True)]
                self.frame.values[name] = from_operands(self.frame, parameter.type, lanes)
        calls = self.emit.any(1, "calls")
        self._results = [(self.emit.define("result", size), size) for size in self._returned()]
        absent = self.emit.name("absent")
        self.emit.end(JumpTarget(begins), JumpTarget(absent), test=calls)
        self.emit.start(absent)
        self.emit.end()

    def _arbitrary(self, word: str, width: int) -> str:
        name = str(self.emit.any(width, word))
        self._given.append((name, width))
        return name

    def _returned(self) -> list[int]:
        """Return the widths of what the function returns."""
        ends = [block.instructions[-1] for block in self.function.blocks]
        types = [end.operands[0].type for end in ends if end.opcode == "ret" and end.operands]
        return operand_widths(self.frame, types[0]) if types else []

    def _left(self, begins: str) -> KernelFunction:
        """End the function, and return what makes it one."""
        assert self.frame.units is not None and self._unit is not None  # noqa: S101, PT018  (a function has both)
        self.emit.start(self._leaves, self._results)
        self.emit.end()
        return KernelFunction(
            self.frame.units.key(self._unit),
            tuple(self._given),
            tuple(self._results),
            tuple(self.frame.accessed().items()),
            begins,
            self._leaves,
            self.places.of_function(self.function.metadata.get("dbg")),
            self.frame.units.contracts[self.function.name].is_declared,
        )

    def _parameters(self) -> list[tuple[str, int]]:
        scalars: list[tuple[str, int]] = []
        for parameter in self.function.parameters:
            if parameter.type.kind == "pointer":
                scalars += self._nulls(parameter.name)
                continue
            if parameter.type.kind == "other":
                self.frame.values[parameter.name] = Members(())
                continue
            sizes = operand_widths(self.frame, parameter.type)
            words = [parameter.name] if len(sizes) == 1 else [f"{parameter.name}.{n}" for n in range(len(sizes))]
            lanes = [self.emit.define(word, width) for word, width in zip(words, sizes, strict=True)]
            scalars += zip(lanes, sizes, strict=True)
            self.frame.values[parameter.name] = from_operands(self.frame, parameter.type, list(lanes), ())
        return scalars

    def _nulls(self, name: str) -> list[tuple[str, int]]:
        """Return a scalar for each pointer in a parameter that may be null, which says whether it is."""
        nulls = []
        for region in sorted(self.frame.pointers.nullable):
            if region == f"%{name}" or region.startswith(f"%{name}."):
                is_null = self.frame.nulls[region] = self.emit.define(f"{region[1:]}{IS_NULL}", 1)
                nulls.append((is_null, 1))
        return nulls

    def _point(self) -> None:
        """Let the pointers that are arguments point to their arrays, or be null."""
        for parameter in self.function.parameters:
            if parameter.type.kind == "pointer":
                self.frame.values[parameter.name] = self.frame.parameter(f"%{parameter.name}")

    def _arrays(self) -> list[Array]:
        arrays = []
        entries = elements_of_parameters(self._module, self.function)
        for region, name in self.frame.accessed().items():
            array, unit = self.frame.pointers.regions[region], self.frame.unit(region)
            variable = self._module.variables.get(region[1:]) if region[0] == "@" and array.space != "local" else None
            initial = None if variable is None else initial_elements(variable, self.frame.layout, unit)
            global_ = self._module.variables.get(region[1:]) if region[0] == "@" else None
            entry = entries.get(array.name) if global_ is None else elements_of_variable(self._module, global_)
            if entry is not None and entry.width % (unit * 8):
                entry = None
            size = None if array.size is None else array.size // unit
            arrays.append(Array(name, array.space, unit * 8, size, initial, entry))
        return arrays + [Array(name, "global", images.PIXEL) for name in self.frame.images.values()]

    def _local_size(self) -> tuple[int, ...]:
        number = self.function.metadata.get("reqd_work_group_size")
        sizes = re.findall(r"i32 (\d+)", self._module.metadata.get(-1 if number is None else number, ""))
        return tuple(map(int, sizes))

    def _premises(self) -> tuple[Premise, ...]:
        """Return what is taken for granted: first what the source means, then what is special about it."""
        special, self.frame.premises = self.frame.premises, []
        parameters = [region for region in self.frame.pointers.regions.values() if region.is_parameter]
        bare = []
        for space in ("global", "local"):
            regions = [parameter for parameter in parameters if parameter.space == space]
            bare += [region.name for region in regions if len(regions) > 1 and not region.is_restrict]
        self.frame.grant("pointers", self._module.pointer_bits)
        if self.frame.wraps:
            self.frame.grant("wraps")
        if parameters:
            self.frame.grant("arrays")
        if bare and self._unit is None:
            self.frame.grant("overlap", ", ".join(bare))
        if self.frame.images:
            self.frame.grant("pixels")
        return (*self.frame.premises, *special)

    def _order(self) -> list[str]:
        """Return the reachable blocks, each after those that dominate it."""
        first = self.function.blocks[0].name
        seen, postorder = {first}, []
        todo = [(first, reversed(self._successors(first)))]
        while todo:
            name, rest = todo[-1]
            for after in rest:
                if after not in seen:
                    seen.add(after)
                    todo.append((after, reversed(self._successors(after))))
                    break
            else:
                postorder.append(name)
                todo.pop()
        return postorder[::-1]

    def _successors(self, name: str) -> tuple[str, ...]:
        return self._blocks[name].instructions[-1].labels

    # --- blocks ---

    def _block(self, block: IrBlock, until: float) -> None:
        parameters: list[tuple[str, int]] = []
        phis = [instruction for instruction in block.instructions if instruction.opcode == "phi"]
        for phi in phis:
            sizes = operand_widths(self.frame, phi.type, phi.name)
            lanes = [self.emit.define(phi.name, width) for width in sizes]
            parameters += zip(lanes, sizes, strict=True)
            self.frame.put(phi, from_operands(self.frame, phi.type, list(lanes), regions_of(self.frame, phi.name)))
        self.emit.start(self._names[block.name], parameters)
        if block is self.function.blocks[0] and self._unit is None:
            self._point()
        self.frame.at_header = block.name in self._headers
        if self.frame.at_header:
            for step in itertools.chain.from_iterable(self._wide):
                self.emit.place = self._place(step) or self.emit.place
                self._instruction(step, block)
        begin = 0
        for number, instruction in enumerate(block.instructions[len(phis) :], start=len(phis)):
            check(until, f"{self.name} was read")
            self.emit.place = self._place(instruction) or self.emit.place
            if instruction.detail == OPENING:
                begin = number
            if is_wide(instruction):
                self._wide.append(block.instructions[begin : number + 1])
                self.frame.in_annotation = False
            else:
                self._instruction(instruction, block)

    def _target(self, source: IrBlock, name: str) -> JumpTarget:
        arguments: list[Operand] = []
        for phi in self._blocks[name].instructions:
            if phi.opcode != "phi":
                break
            value = phi.operands[phi.labels.index(source.name)]
            regions = regions_of(self.frame, phi.name) if phi.type.kind == "pointer" else ()
            arguments += to_operands(self.frame, self.frame.lowered(value), regions)
        return JumpTarget(self._names[name], tuple(arguments))

    # --- instructions ---

    def _place(self, instruction: IrInstruction) -> SourcePlace | None:
        """Return the place of an instruction; that of an access is where its pointer is computed, in one statement."""
        if instruction.opcode in {"load", "store", "atomicrmw", "cmpxchg"}:
            where = instruction.operands[1 if instruction.opcode == "store" else 0]
            definition = self.frame.definitions.get(where.name) if where.kind == "local" else None
            source_place = self.places.at(instruction.debug, with_text=True)
            if definition is not None and definition.opcode == "getelementptr":
                source_place = self.places.within(self.places.at(definition.debug, with_text=True), source_place)
            lane = (instruction.operands[0].type if instruction.opcode == "store" else instruction.type).lane
            bits = lane.bits if lane.kind in {"int", "float"} else 0
            return source_place and replace(source_place, bits=bits, is_float=lane.kind == "float")
        if instruction.opcode == "call":
            return self.places.at(instruction.debug, with_text=True)
        source_place = self.places.at(instruction.debug)
        return (
            self.places.condition(source_place)
            if instruction.opcode == "br" and len(instruction.labels) == 2
            else source_place
        )

    def _instruction(self, instruction: IrInstruction, block: IrBlock) -> None:
        frame = self.frame
        match instruction.opcode:
            case "br" | "switch" | "ret" | "unreachable":
                self._end(instruction, block)
            case "load" | "store":
                self._access(instruction)
            case "atomicrmw" | "cmpxchg":
                memory.update(frame, instruction)
            case "getelementptr":
                base, *indices = instruction.operands
                fixed, steps = frame.pointers.steps(instruction.element, tuple(indices))
                frame.put(instruction, frame.moved(frame.pointer(base), fixed, steps))
            case "alloca":
                frame.put(instruction, Pointer((f"%{instruction.name}",), Constant(0, ID_WIDTH)))
            case "call":
                calls.translate(frame, instruction)
            case _ if instruction.opcode in TRANSLATIONS:
                frame.put(instruction, TRANSLATIONS[instruction.opcode](frame, instruction))
            case _ if instruction.opcode != "fence":
                frame.unsupported(f"the instruction {instruction.opcode} of LLVM")

    def _access(self, instruction: IrInstruction) -> None:
        if instruction.opcode == "store":
            memory.store(self.frame, instruction, self._components)
        elif instruction.name in self._loads:
            self.frame.put(instruction, tuple(Constant(0, width) for width in self.frame.type_lanes(instruction.type)))
        else:
            memory.load(self.frame, instruction)

    def _end(self, instruction: IrInstruction, block: IrBlock) -> None:
        emit = self.emit
        if instruction.opcode == "unreachable":
            emit.add(KernelClaim("assert", Constant(0, 1)))
        if not instruction.labels and self._leaves and instruction.opcode == "ret":
            operands = [
                operand
                for value in instruction.operands
                for operand in to_operands(self.frame, self.frame.lowered(value))
            ]
            emit.end(JumpTarget(self._leaves, tuple(operands)))
        elif not instruction.labels:
            emit.end()
        elif instruction.opcode == "switch":
            self._switch(instruction, block)
        elif len(instruction.labels) == 1:
            emit.end(self._target(block, instruction.labels[0]))
        else:
            test = self.frame.operand(instruction.operands[0])
            first, second = (self._target(block, label) for label in instruction.labels)
            emit.end(first, second, test=test)

    def _switch(self, instruction: IrInstruction, block: IrBlock) -> None:
        subject, *cases = instruction.operands
        value = self.frame.operand(subject)
        for case, label in zip(cases, instruction.labels[1:], strict=True):
            test = self.emit.compute("eq", (value, self.frame.operand(case)), "case")
            rest = self.emit.name("next")
            self.emit.end(self._target(block, label), JumpTarget(rest), test=test)
            self.emit.start(rest)
        self.emit.end(self._target(block, instruction.labels[0]))


def translate_function(module: Module, function: Source, until: float = NEVER) -> Kernel | UnreadKernel:
    """Return the typed program of a kernel, or why there is none."""
    try:
        function = flatten_annotations(function)
    except Unsupported as reason:
        number = function.metadata.get("dbg")
        name = module.fields(number).get("name", function.name)
        return UnreadKernel(name, Places(module, function).of_function(number), str(reason))
    divisors: dict[str, int] = {}
    kernel: Kernel | None = None
    for _ in range(2):
        translation = Translation(module, function, divisors)
        try:
            kernel = translation.run(until)
        except Unsupported as reason:
            place = translation.emit.place or translation.places.of_function(function.metadata.get("dbg"))
            return UnreadKernel(translation.name, place, str(reason))
        divisors = translation.frame.pointers.divisors
    assert kernel is not None  # noqa: S101  (it was translated twice)
    return check_loops(kernel, translation.places.of_function(function.metadata.get("dbg")))


def check_loops(kernel: Kernel, place: SourcePlace) -> Kernel | UnreadKernel:
    """Return a kernel, or that it has a loop with several entries."""
    try:
        Flow(kernel)
    except InputError:
        return UnreadKernel(kernel.name, place, "irreducible control flow: a loop with several entries")
    return kernel
