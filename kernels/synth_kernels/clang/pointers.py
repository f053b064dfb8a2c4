"""The arrays to which each pointer of a kernel may point, and the width of their elements.

Each pointer parameter, each variable in memory and each variable of the program is an array of its own. A pointer of
which nothing is known is `unknown`: an access through it makes the kernel unsupported.

The elements of an array have the greatest width that divides all accesses to it and all distances between them. Arrays
that share a pointer have elements of one width, so that one offset does for all of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from synth_kernels.clang.ir import CONSTANT, GLOBAL, LOCAL, reference
from synth_kernels.clang.layout import Layout
from synth_kernels.clang.marks import GIVES, variable_of
from synth_kernels.clang.regions import NOWHERE, NULL, UNKNOWN, Region

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.clang.ir import IrFunction, IrInstruction, Module, Parameter, Type, Value, Variable
    from synth_kernels.clang.units import Bound
    from synth_kernels.program import Space

_SPACES: dict[int, Space] = {GLOBAL: "global", CONSTANT: "constant", LOCAL: "local"}
#: Instructions that make a pointer from one to the same array.
_MOVES = {"getelementptr", "addrspacecast", "bitcast"}
#: What the functions of our headers are called that return where threads leave values of a type for each other.
GIVEN = "__synth_given_"
_SIZES = {"int": 4, "uint": 4, "long": 8, "ulong": 8, "float": 4, "double": 8}
#: A group has at most so many threads that give each other values.
MOST_THREADS = 1024
#: The widest element, in bytes.
_WIDEST = 8


class Pointers:
    """The regions of a kernel, and those of each of its pointers."""

    def __init__(self, module: Module, function: IrFunction, bound: Mapping[str, Bound] | None = None) -> None:
        self.layout = Layout(module.pointer_bits)
        self._module = module
        #: The arrays of a group whose size the launch gives. They begin all at the same address, and so are one.
        self._dynamic = [
            name
            for name, variable in module.variables.items()
            if variable.space == LOCAL and not self.layout.size(variable.type)
        ]
        every = [instruction for block in function.blocks for instruction in block.instructions]
        self._definitions = {instruction.name: instruction for instruction in every if instruction.name}
        by_value = {parameter.name for parameter in function.parameters if parameter.value_of is not None}
        #: The structures given by value that are only read. They are the same for all threads.
        self._only_read = (
            set()
            if bound is not None
            else by_value - {name for instruction in every for name in self._changes(instruction)}
        )
        self.regions: dict[str, Region] = {}
        self.of: dict[str, set[str]] = {}
        #: The arrays that are parameters, or members of such, and whose pointers the kernel compares with null.
        self.nullable: set[str] = set()
        self._find_regions(function, bound)
        self._follow(function)
        while (compared := self._compared_with_null(function)) != self.nullable:
            self.nullable = compared
            for parameter in function.parameters:
                if not compared.isdisjoint(regions := self.of.get(parameter.name, set())):
                    regions.add(NULL)
            self._follow(function)
        #: The greatest number of bytes that divides all distances and accesses, by class of arrays.
        self.divisors: dict[str, int] = {}
        self._classes = self._join()

    def _find_regions(self, function: IrFunction, bound: Mapping[str, Bound] | None) -> None:
        for parameter in function.parameters:
            if parameter.type.kind != "pointer":
                continue
            if bound is not None and parameter.name in bound:
                self._bind(parameter, *bound[parameter.name])
                continue
            space = _SPACES.get(parameter.type.space, "global")
            size = None
            if parameter.value_of is not None:
                space = "constant" if parameter.name in self._only_read else "private"
                size = self.layout.size(parameter.value_of)
            self.regions[f"%{parameter.name}"] = Region(
                parameter.name, space, size, is_parameter=parameter.value_of is None, is_restrict=parameter.is_restrict
            )
            self.of[parameter.name] = {f"%{parameter.name}"}
        for block in function.blocks:
            for instruction in block.instructions:
                if instruction.opcode == "alloca":
                    count = (
                        instruction.operands[0].number
                        if instruction.operands and instruction.operands[0].kind == "number"
                        else 1
                    )
                    size = (
                        None
                        if instruction.operands and instruction.operands[0].kind != "number"
                        else count * self.layout.size(instruction.element)
                    )
                    self.regions[f"%{instruction.name}"] = Region(instruction.name, "private", size)
                    self.of[instruction.name] = {f"%{instruction.name}"}

    def _bind(self, parameter: Parameter, region: str, space: Space | Literal[""]) -> None:
        """Let a parameter point where a call has it point."""
        if region.startswith("@"):
            region = self.variable(region[1:])
        elif space and region not in self.regions:
            self.regions[region] = Region(region[1:], space, is_parameter=True, is_restrict=parameter.is_restrict)
        self.of[parameter.name] = {region}

    def variable(self, name: str) -> str:
        """Return the region of a variable of the program."""
        key = f"@{name}"
        if name in self._dynamic:
            key = f"@{self._dynamic[0]}"
        if key not in self.regions and name in self._module.variables:
            variable = self._module.variables[name]
            space = "constant" if variable.is_constant else _SPACES.get(variable.space, "global")
            self.regions[key] = Region(self._short(variable), space, self.layout.size(variable.type) or None)
        return key if key in self.regions else UNKNOWN

    def _short(self, variable: Variable) -> str:
        """Return the name of a variable of the program, as the source has it."""
        source_name = self._module.fields(reference(self._module.fields(variable.debug).get("var"))).get("name")
        return source_name or variable.name.rsplit(".", 1)[-1]

    def _follow(self, function: IrFunction) -> None:
        """Compute the regions of each pointer, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for block in function.blocks:
                for instruction in block.instructions:
                    if instruction.type.kind == "pointer" and instruction.opcode != "alloca":
                        regions = self._sources(instruction) | self.of.get(instruction.name, set())
                        changed = changed or regions != self.of.get(instruction.name)
                        self.of[instruction.name] = regions

    def _sources(self, instruction: IrInstruction) -> set[str]:
        match instruction.opcode:
            case "getelementptr" | "addrspacecast" | "bitcast" | "freeze":
                return self.of_value(instruction.operands[0])
            case "phi":
                return set().union(*map(self.of_value, instruction.operands))
            case "select":
                return self.of_value(instruction.operands[1]) | self.of_value(instruction.operands[2])
            case "call" if instruction.detail in {"__to_global", "__to_local", "__to_private"}:
                return self.of_value(instruction.operands[0])
            case "load" | "call":
                return (
                    self._loaded(instruction.operands[0])
                    if instruction.opcode == "load"
                    else {self._given(instruction.detail)}
                )
            case _:
                return {UNKNOWN}

    def _loaded(self, place: Value) -> set[str]:
        region = NOWHERE if self.unset(place) else self._member(place)
        return {region, NULL} if region in self.nullable else {region}

    def _given(self, name: str) -> str:
        """Return the region that a function returns: that of what the threads of a group give each other, if known."""
        if name.startswith(GIVES):
            return NOWHERE
        if not name.startswith(GIVEN):
            return UNKNOWN
        size = MOST_THREADS * _SIZES[name.removeprefix(GIVEN)]
        self.regions.setdefault(f"@{name}", Region(name.removeprefix("__synth_"), "local", size))
        return f"@{name}"

    def _compared_with_null(self, function: IrFunction) -> set[str]:
        """Return the arrays that are parameters, and whose pointers are compared with one that may be null."""
        compared: set[str] = set()
        for comparison in (
            instruction
            for block in function.blocks
            for instruction in block.instructions
            if instruction.opcode == "icmp"
        ):
            sides = [self.of_value(value) if value.type.kind == "pointer" else set() for value in comparison.operands]
            for side, other in (sides, sides[::-1]):
                compared |= other if NULL in side else set()
        arrays = {name for name, region in self.regions.items() if region.is_parameter and region.space != "private"}
        return compared & arrays

    def unset(self, place: Value) -> str:
        """Return the name of the variable that nothing was stored in whose value lies at a place, or nothing."""
        origin, _ = self._origin(place)
        while origin.kind == "expression":
            origin = origin.parts[0]
        return variable_of(origin.name) if origin.kind == "global" else ""

    def _origin(self, place: Value) -> tuple[Value, list[IrInstruction]]:
        """Return from what a pointer is made, and the instructions that do that."""
        moves = []
        while (
            place.kind == "local"
            and (definition := self._definitions.get(place.name)) is not None
            and definition.opcode in _MOVES
        ):
            moves.append(definition)
            place = definition.operands[0]
        return place, moves

    def _base(self, place: Value) -> tuple[str, list[IrInstruction]]:
        """Return the name from which a pointer is made, if that has one, and the instructions that do that."""
        origin, moves = self._origin(place)
        return origin.name if origin.kind == "local" else "", moves

    def _changes(self, instruction: IrInstruction) -> Iterator[str]:
        """Yield from which names the pointers are made through which an instruction may write, or which it stores."""
        if instruction.opcode in {*_MOVES, "load"}:
            return
        is_copy = instruction.opcode == "call" and instruction.detail.startswith(("llvm.memcpy", "llvm.memmove"))
        for number, operand in enumerate(instruction.operands):
            if not (is_copy and number == 1):
                yield self._base(operand)[0]

    def _member(self, place: Value) -> str:
        """Return the region of a pointer that lies at a place in memory: a member of a structure given by value."""
        base, moves = self._base(place)
        fixed = 0
        steps: list[tuple[Value, int]] = []
        for move in moves:
            if move.opcode == "getelementptr":
                more, variable = self.steps(move.element, move.operands[1:])
                fixed, steps = fixed + more, steps + variable
        if base not in self._only_read or steps:
            return UNKNOWN
        name = f"{base}.{fixed}"
        self.regions.setdefault(f"%{name}", Region(name, "global", is_parameter=True))
        return f"%{name}"

    def of_value(self, value: Value) -> set[str]:
        """Return the regions of an operand. Those of a pointer that is still to come are empty."""
        match value.kind:
            case "local":
                return self.of.get(value.name, set())
            case "global":
                return {self.variable(value.name)}
            case "zero":
                return {NULL}
            case "undefined":
                return {NOWHERE}
            case "expression" if value.name in {"getelementptr", "addrspacecast", "bitcast"}:
                return self.of_value(value.parts[0])
            case _:
                return {UNKNOWN}

    def _join(self) -> dict[str, str]:
        """Return a representative for each region, the same for those that share a pointer."""
        parents = {region: region for region in self.regions}

        def root(region: str) -> str:
            while parents.setdefault(region, region) != region:
                region = parents[region]
            return region

        for regions in self.of.values():
            joined = sorted(regions - {NULL, NOWHERE, UNKNOWN})
            for other in joined[1:]:
                parents[root(other)] = root(joined[0])
        return {region: root(region) for region in parents}

    def unit(self, region: str, divisors: dict[str, int]) -> int:
        """Return how many bytes an element of a region has, if these are the greatest common divisors."""
        divisor = divisors.get(self._classes.get(region, region), 0)
        return math.gcd(divisor, _WIDEST) if divisor else 1

    def class_of(self, region: str) -> str:
        """Return the array that stands for all that share elements with one."""
        return self._classes.get(region, region)

    def classes(self) -> set[str]:
        """Return the arrays that stand for others, or for themselves."""
        return {self.class_of(region) for region in self.regions}

    def note(self, regions: tuple[str, ...], distance: int) -> None:
        """Note that pointers to some regions are so many bytes apart, or that so many bytes are accessed."""
        for region in regions:
            key = self._classes.get(region, region)
            self.divisors[key] = math.gcd(self.divisors.get(key, 0), distance)

    def steps(self, element: Type, indices: tuple[Value, ...]) -> tuple[int, list[tuple[Value, int]]]:
        """Return what a getelementptr adds to an address: a number of bytes, and values with a number of bytes each."""
        fixed, steps = 0, []
        for number, index in enumerate(indices):
            if number and element.kind == "struct":
                fixed += self.layout.offsets(element)[index.number]
                element = element.parts[index.number]
                continue
            if number:
                element = element.parts[0]
            size = self.layout.size(element)
            if index.kind in {"number", "zero"}:
                bits = index.type.bits or 32
                signed = index.number - (1 << bits) if index.number >> (bits - 1) else index.number
                fixed += signed * size
            elif size:
                steps.append((index, size))
        return fixed, steps
