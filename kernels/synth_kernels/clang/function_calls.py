"""Calls of functions that are not inlined, and where the pointers of such a function may point.

Callers give arrays to a function in several ways. Its pointers may point into one array or into several, into one
memory or another, and into variables of the program that it knows anyway. Each way is verified once. Offsets are
arbitrary. A function that nobody calls gets an array of its own for each pointer, as a kernel does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang.contracts import CALLS
from synth_kernels.clang.ir import CONSTANT, LOCAL
from synth_kernels.clang.mangled_names import plain_name_and_codes
from synth_kernels.clang.regions import NULL, UNKNOWN
from synth_kernels.clang.shapes import from_operands, operand_widths, to_operands
from synth_kernels.clang.units import FunctionUnit
from synth_kernels.program import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrFunction, IrInstruction, Value
    from synth_kernels.clang.regions import Pointer
    from synth_kernels.clang.units import Bound, Contract
    from synth_kernels.program import Kind, Operand, Space


def variables_of(functions: Mapping[str, IrFunction]) -> dict[str, frozenset[str]]:
    """Return the variables of the program that each function names, or that those that it calls name."""
    named = {
        name: {
            value
            for block in function.blocks
            for instruction in block.instructions
            for value in _globals(instruction.operands)
        }
        for name, function in functions.items()
    }
    calls = {
        name: {
            instruction.detail.removeprefix(CALLS) for block in function.blocks for instruction in block.instructions
        }
        for name, function in functions.items()
    }
    changed = True
    while changed:
        changed = False
        for name, names in named.items():
            more = names.union(*(named[other] for other in calls[name] & named.keys()))
            changed, named[name] = changed or more != names, more
    return {name: frozenset(names) for name, names in named.items()}


def _globals(operands: Iterable[Value]) -> Iterator[str]:
    for value in operands:
        if value.kind == "global":
            yield value.name
        yield from _globals(value.parts)


def default_unit(function: IrFunction) -> FunctionUnit:
    """Return the unit of a function that nobody calls."""
    spaces: dict[int, Space] = {LOCAL: "local", CONSTANT: "constant"}
    return FunctionUnit(
        function.name,
        tuple(
            (f"%{parameter.name}", spaces.get(parameter.type.space, "global"))
            if parameter.type.kind == "pointer" and parameter.value_of is None
            else None
            for parameter in function.parameters
        ),
    )


def call(frame: Frame, instruction: IrInstruction) -> Lowered:
    """Translate a call of a function that is not inlined."""
    assert frame.units is not None  # noqa: S101  (only a modular translation has such calls)
    name = instruction.detail.removeprefix(CALLS)
    contract = frame.units.contracts[name]
    shown = plain_name_and_codes(name)[0]
    if frame.in_annotation:
        frame.unsupported(f"a call of {shown} in an annotation, which calls no functions with --modular")
    bound: list[Bound | None] = []
    arguments: list[Operand] = []
    regions: dict[str, str] = {}
    for parameter, value in zip(contract.function.parameters, instruction.operands, strict=True):
        if parameter.value_of is not None or parameter.type.kind == "other":
            bound.append(None)
        elif parameter.type.kind == "pointer":
            pointer = frame.pointer(value)
            binding = _bound(frame, parameter.name, pointer, regions, frame.units.variables[name], shown)
            bound.append(binding)
            if binding[1]:
                regions.setdefault(pointer.regions[0], binding[0])
                arguments.append(pointer.offset)
        else:
            bound.append(None)
            arguments += to_operands(frame, frame.lowered(value))
    for variable in sorted(frame.units.variables[name]):
        if (region := frame.pointers.variable(variable)) != UNKNOWN:
            regions.setdefault(region, region)
    unit = FunctionUnit(name, tuple(bound))
    frame.units.requested.setdefault(unit)
    frame.joins += [(unit, there, here) for here, there in regions.items()]
    arrays = tuple((there, frame.array(here)) for here, there in regions.items())
    anywhere = _anywhere(frame, contract, bound, dict(arrays), shown)
    if contract.is_declared:
        frame.grant("declared", shown)
    invocation = Call(frame.units.key(unit), tuple(arguments), (), arrays, anywhere=anywhere)
    return from_operands(
        frame,
        instruction.type,
        frame.emit.call(invocation, operand_widths(frame, instruction.type), instruction.name or "unused"),
    )


def _anywhere(
    frame: Frame, contract: Contract, bound: Sequence[Bound | None], arrays: Mapping[str, str], name: str
) -> tuple[tuple[str, Kind], ...]:
    """Return the arrays here that a function accesses, of which only the contract is known."""
    names = [parameter.name for parameter in contract.function.parameters]
    accesses: list[tuple[str, Kind]] = []
    for value, kind in contract.accesses:
        where = bound[names.index(value.name)] if value.name in names else None
        if where is None or not where[1]:
            frame.unsupported(f"a contract of {name} that names no array of the caller; name a parameter")
        accesses.append((arrays[where[0]], kind))
    return tuple(accesses)


def _bound(  # noqa: PLR0913, PLR0917
    frame: Frame, parameter: str, pointer: Pointer, regions: Mapping[str, str], variables: frozenset[str], name: str
) -> Bound:
    """Return where the function finds the array of an argument."""
    if len(pointer.regions) > 1:
        may = "be null" if NULL in pointer.regions else "point to several arrays"
        frame.unsupported(f"a call of {name} with a pointer that may {may}")
    (region,) = pointer.regions
    if region in {NULL, UNKNOWN}:
        return region, ""
    space = frame.pointers.regions[region].space
    if region in regions:
        return regions[region], space
    is_known = region.startswith("@") and region in {frame.pointers.variable(variable) for variable in variables}
    return (region if is_known else f"%{parameter}"), space
