"""What is known while the instructions of one kernel are translated: values by name, pointers, and the program so far.

A number is lowered to its lanes: one operand, or one for each member of a vector. A pointer is lowered to a `Pointer`,
and a structure to its members.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from synth_checker.errors import InternalError
from synth_kernels.clang.pointers import Pointers
from synth_kernels.clang.regions import NOWHERE, NULL, UNKNOWN, Pointer
from synth_kernels.premises import premise
from synth_kernels.program import ID_WIDTH, Constant, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.clang.emitter import Emitter
    from synth_kernels.clang.ir import IrFunction, IrInstruction, Module, Type, Value
    from synth_kernels.clang.units import Bound, FunctionUnit, Units
    from synth_kernels.premises import Premise
    from synth_kernels.program import Operand

#: The width of the number of a region.
SELECTOR_WIDTH = 16
Lanes: TypeAlias = "tuple[Operand, ...]"


class Members(tuple["Lowered", ...]):
    """The members of a structure or an array that is a value."""

    __slots__ = ()


Lowered: TypeAlias = "Lanes | Pointer | Members"


class Unsupported(Exception):  # noqa: N818  (no error of the user: the verdict is unknown)
    """Something in a kernel that is not supported; the message says what."""


class Frame:
    """One kernel while it is translated. `units` has the bytes of an element, by region, or is empty at first."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        module: Module,
        function: IrFunction,
        emitter: Emitter,
        divisors: Mapping[str, int],
        bound: Mapping[str, Bound] | None = None,
        units: Units | None = None,
    ) -> None:
        self.module = module
        self.function = function
        self.emit = emitter
        self.pointers = Pointers(module, function, bound)
        #: The functions that are not inlined, if any are. `joins` has the arrays that calls give them, each with the
        #: function and the names there and here.
        self.units = units
        self.joins: list[tuple[FunctionUnit, str, str]] = []
        self.layout = self.pointers.layout
        self.values: dict[str, Lowered] = {}
        self.definitions = {
            instruction.name: instruction
            for block in function.blocks
            for instruction in block.instructions
            if instruction.name
        }
        #: Whether the block is the header of a loop, and whether what is translated is in an annotation.
        self.at_header = False
        self.in_annotation = False
        self.premises: list[Premise] = []
        #: The scalars that say of arrays that are parameters whether their pointers are null.
        self.nulls: dict[str, Operand] = {}
        #: Whether signed arithmetic may wrap around.
        self.wraps = False
        self._divisors = dict(divisors)
        self._arrays: dict[str, str] = {}
        #: The arrays of the images that the kernel writes, by the names of their parameters.
        self.images: dict[str, str] = {}

    # --- regions ---

    def unit(self, region: str) -> int:
        """Return how many bytes an element of a region has."""
        return self.pointers.unit(region, self._divisors)

    def array(self, region: str) -> str:
        """Return the name of the array of a region."""
        if region not in self._arrays:
            self._arrays[region] = self.emit.name(self.pointers.regions[region].name)
        return self._arrays[region]

    def parameter(self, region: str) -> Pointer:
        """Return the pointer to an array that is a parameter. It may be null if a scalar says so."""
        start = Constant(0, ID_WIDTH)
        if (is_null := self.nulls.get(region)) is None:
            return Pointer((region,), start)
        choice = (is_null, self.number(NULL), self.number(region))
        selector = self.emit.compute("select", choice, f"{self.pointers.regions[region].name}.where")
        return Pointer(tuple(sorted({NULL, region})), start, selector)

    def image(self, parameter: str) -> str:
        """Return the name of the array that stands for an image, which has an element for each pixel."""
        if parameter not in self.images:
            self.images[parameter] = self.emit.name(parameter)
        return self.images[parameter]

    def accessed(self) -> dict[str, str]:
        """Return the regions that have an array so far, each with its name."""
        return dict(self._arrays)

    def number(self, region: str) -> Constant:
        """Return the number that stands for a region in selectors."""
        known = {NULL: 0, NOWHERE: (1 << SELECTOR_WIDTH) - 1}
        number = known[region] if region in known else 1 + list(self.pointers.regions).index(region)
        return Constant(number, SELECTOR_WIDTH)

    # --- values ---

    def lowered(self, value: Value) -> Lowered:
        """Return what an operand is lowered to."""
        if value.kind == "local":
            if value.name not in self.values:
                raise InternalError(f"kernel {self.function.name}: %{value.name} is used before it is defined")
            return self.values[value.name]
        if value.type.kind == "pointer":
            return self._constant_pointer(value)
        if value.type.kind in {"struct", "array"}:
            return self._members(value)
        return self._constant(value)

    def _constant(self, value: Value) -> Lanes:
        type_ = value.type
        width = self.layout.bits(type_.lane)
        match value.kind:
            case "number":
                return (Constant(value.number, width),)
            case "zero":
                return (Constant(0, width),) * type_.lanes
            case "undefined":
                place, self.emit.place = self.emit.place, self.emit.place and replace(self.emit.place, expression="")
                lanes = tuple(self.emit.unset(width) for _ in range(type_.lanes))
                self.emit.place = place
                return lanes
            case "aggregate":
                return tuple(self.operand(part) for part in value.parts)
            case "expression" if value.name in {"ptrtoint", "ptrtoaddr"}:
                return (self.address(self.pointer(value.parts[0]), width),)
            case _:
                return self.unsupported(f"a constant that is not understood ({value.name or value.kind})")

    def _members(self, value: Value) -> Members:
        from synth_kernels.clang.ir import Value as Made

        if value.kind == "aggregate":
            return Members(self.lowered(part) for part in value.parts)
        if value.kind not in {"zero", "undefined"}:
            return self.unsupported(f"a constant that is not understood ({value.name or value.kind})")
        types = value.type.parts if value.type.kind == "struct" else value.type.parts * value.type.count
        return Members(self.lowered(Made(value.kind, part)) for part in types)

    def _constant_pointer(self, value: Value) -> Pointer:
        none = Constant(0, ID_WIDTH)
        if value.kind == "expression" and value.name == "getelementptr":
            base, *indices = value.parts
            return self.moved(self.pointer(base), *self.pointers.steps(value.element, tuple(indices)))
        if value.kind == "expression" and value.name in {"addrspacecast", "bitcast"}:
            return self.pointer(value.parts[0])
        regions = self.pointers.of_value(value) or {UNKNOWN}
        return Pointer(tuple(regions), none)

    def lanes(self, value: Value) -> Lanes:
        """Return the lanes of a number or a vector."""
        lowered = self.lowered(value)
        if isinstance(lowered, Pointer):
            return (self.address(lowered, self.layout.pointer * 8),)
        if isinstance(lowered, Members):
            return self.unsupported("a structure that is used as a number")
        return lowered

    def operand(self, value: Value) -> Operand:
        """Return the operand of a number that is no vector."""
        lanes = self.lanes(value)
        return lanes[0] if len(lanes) == 1 else self.unsupported("a vector where a number is expected")

    def pointer(self, value: Value) -> Pointer:
        """Return where a pointer points to."""
        pointer = self.lowered(value)
        return pointer if isinstance(pointer, Pointer) else self.unsupported("a number that is used as a pointer")

    def put(self, instruction: IrInstruction, value: Lowered) -> None:
        """Note what an instruction gives."""
        self.values[instruction.name] = value

    def grant(self, name: str, *parts: object) -> None:
        """Take something for granted."""
        if (granted := premise(name, *parts)) not in self.premises:
            self.premises.append(granted)

    def unsupported(self, what: str) -> NoReturn:
        """Give up on this kernel."""
        raise Unsupported(what)

    # --- addresses ---

    def index(self, operand: Operand) -> Operand:
        """Return an index with the width of offsets."""
        operator = "sext" if self.emit.width(operand) < ID_WIDTH else "trunc"
        return self.emit.compute(operator, (operand,), "index", ID_WIDTH)

    def moved(self, pointer: Pointer, fixed: int, steps: Iterable[tuple[Value, int]]) -> Pointer:
        """Return a pointer that is so many bytes further, as far as no array has 2^31 bytes."""
        operands = [(self.operand(value), size) for value, size in steps]
        for operand, size in operands:
            self._assume_short(pointer, operand, size)
        return self.advanced(pointer, fixed, operands)

    def strided(self, pointer: Pointer, index: Operand, size: int) -> Pointer:
        """Return a pointer that is so many times a number of bytes further, as far as no array has 2^31 bytes."""
        self._assume_short(pointer, index, size)
        return self.advanced(pointer, 0, [(index, size)])

    def _assume_short(self, pointer: Pointer, operand: Operand, size: int) -> None:
        """Assume that an index does not lead out of the 2^31 bytes, where it might."""
        if self.in_annotation or isinstance(operand, Constant):
            return
        index = operand if self._may_be_large(operand) else self.index(operand)
        if size > self.unit(pointer.regions[0]) or self.emit.width(index) > ID_WIDTH:
            self.assume_inside(index, size)

    def assume_inside(self, index: Operand, size: int) -> None:
        """Assume that so many elements of a size stay within the 2^31 bytes before and after a pointer.

        An index that is too narrow to leave them needs no assumption.
        """
        most, width = (1 << (ID_WIDTH - 1)) // size, self.emit.width(index)
        if 2 * most >= 1 << width:
            return
        shifted = self.emit.compute("add", (index, Constant(most, width)), "shifted")
        holds = self.emit.compute("ult", (shifted, Constant(2 * most, width)), "inside")
        self.emit.add(KernelClaim("assume", holds, inside="index"))

    def _may_be_large(self, index: Operand) -> bool:
        """Return whether an index may be too large for an offset: one that was extended is not."""
        narrow = self.emit.narrow(index)
        return self.emit.width(index) > ID_WIDTH and (narrow is None or self.emit.width(narrow) > ID_WIDTH)

    def advanced(self, pointer: Pointer, fixed: int, steps: Iterable[tuple[Operand, int]]) -> Pointer:
        """Return a pointer that is so many bytes further: a fixed number, and operands with a number of bytes each."""
        unit = self.unit(pointer.regions[0])
        offset = pointer.offset
        for operand, size in steps:
            self.pointers.note(pointer.regions, size)
            scale = Constant(size // unit % (1 << ID_WIDTH), ID_WIDTH)
            step = self.emit.compute("mul", (self.index(operand), scale), "offset")
            offset = self.emit.compute("add", (step, offset), "offset")
        self.pointers.note(pointer.regions, abs(fixed))
        added = Constant(fixed // unit % (1 << ID_WIDTH), ID_WIDTH)
        return Pointer(pointer.regions, self.emit.compute("add", (offset, added), "offset"), pointer.selector)

    def selector(self, pointer: Pointer) -> Operand:
        """Return the number of the region of a pointer."""
        if pointer.selector is not None:
            return pointer.selector
        if pointer.regions == (UNKNOWN,):
            return self.emit.any(SELECTOR_WIDTH, "region")
        return self.number(pointer.regions[0])

    def address(self, pointer: Pointer, width: int) -> Operand:
        """Return a pointer as a number: an unknown beginning of its array, and the bytes from there."""
        if not {UNKNOWN, NOWHERE}.isdisjoint(pointer.regions) or len(pointer.regions) > 1:
            return self.emit.any(width, "address")
        (region,) = pointer.regions
        if region == NULL:
            return Constant(0, width)
        start = self.emit.opaque(f"address.{self.array(region)}", (), width, "address")
        operator = "sext" if width > ID_WIDTH else "trunc"
        offset = self.emit.compute(operator, (pointer.offset,), "address", width)
        far = self.emit.compute("mul", (offset, Constant(self.unit(region), width)), "address")
        return self.emit.compute("add", (start, far), "address")

    def type_lanes(self, type_: Type) -> list[int]:
        """Return the widths of the lanes of a number or a vector."""
        return [self.layout.bits(type_.lane)] * type_.lanes
