"""What a call may change: the accesses that a function and all that it calls may make, and what they fence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.pair.touches import keys_of
from synth_kernels.program import FLAGS, Access, Barrier, Call, Kernel, UnreadKernel
from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.program import Block, Flag, Space


@dataclass(frozen=True, slots=True)
class Effect:
    """The accesses that a function may make to arrays by their names in it, and what its barriers fence."""

    flags: frozenset[tuple[str, Flag]] = frozenset()
    fences: frozenset[Space] = frozenset()


def link_calls(kernels: Sequence[Kernel | UnreadKernel]) -> list[Kernel | UnreadKernel]:
    """Return kernels and functions whose calls say what they may change. Who calls an unread function is unread."""
    linked_units = list(kernels)
    while True:
        known = {unit.function.key for unit in linked_units if isinstance(unit, Kernel) and unit.function}
        checked = [_check_calls(unit, known) if isinstance(unit, Kernel) else unit for unit in linked_units]
        if checked == linked_units:
            break
        linked_units = checked
    units = {unit.function.key: unit for unit in linked_units if isinstance(unit, Kernel) and unit.function}
    effects = _effects(units)
    steps = [step for unit in linked_units if isinstance(unit, Kernel) for step in unit.steps]
    used = {flag for _, flag in keys_of(step for step in steps if isinstance(step, Access))}
    used |= {kind for step in steps if isinstance(step, Call) for _, kind in step.anywhere}
    kinds = [flag for flag in FLAGS if flag in used]
    return [_with_effects(unit, units, effects, kinds) if isinstance(unit, Kernel) else unit for unit in linked_units]


def calls_of(kernel: Kernel) -> list[Call]:
    """Return the calls of functions in a kernel."""
    return [instruction for instruction in kernel.steps if isinstance(instruction, Call) and instruction.unit]


def _check_calls(kernel: Kernel, known: set[str]) -> Kernel | UnreadKernel:
    """Return a kernel, or why it is not supported."""
    is_function = kernel.function is not None
    for call in calls_of(kernel):
        if call.unit not in known:
            name = call.unit.rpartition("#")[0]
            return UnreadKernel(
                kernel.name,
                kernel.places.get(call.line, SourcePlace("", 0)),
                f"a call of {name}, which is not supported either; the line about {name} says why",
                is_function=is_function,
            )
    steps = kernel.steps
    for step in steps if kernel.function else ():
        if (isinstance(step, Access) and step.event) or (isinstance(step, Barrier) and step.waits):
            place = kernel.places.get(step.line, SourcePlace("", 0))
            return UnreadKernel(
                kernel.name, place, "an asynchronous copy in a function that is not inlined", is_function=True
            )
    mine = {here for _, here in kernel.function.arrays} if kernel.function else set()
    for array in kernel.arrays if kernel.function else ():
        if array.name not in mine and array.space != "private":
            assert kernel.function is not None  # noqa: S101  (it was asked above)
            reason = f"an array that its callers do not have ({array.name})"
            return UnreadKernel(kernel.name, kernel.function.place, reason, is_function=True)
    return kernel


def _effects(units: Mapping[str, Kernel]) -> dict[str, Effect]:
    effects = dict.fromkeys(units, Effect())
    changed = True
    while changed:
        changed = False
        for key, unit in units.items():
            effect = _effect(unit, units, effects)
            changed, effects[key] = changed or effect != effects[key], effect
    return effects


def _effect(kernel: Kernel, units: Mapping[str, Kernel], effects: Mapping[str, Effect]) -> Effect:
    steps = kernel.steps
    flags: set[tuple[str, Flag]] = {(step.array, step.kind) for step in steps if isinstance(step, Access)}
    fences: set[Space] = {space for step in steps if isinstance(step, Barrier) for space in step.fences}
    for call in calls_of(kernel):
        more = _effect_here(call, units, effects)
        flags |= more.flags
        fences |= more.fences
    return Effect(frozenset(flags), frozenset(fences))


def _effect_here(call: Call, units: Mapping[str, Kernel], effects: Mapping[str, Effect]) -> Effect:
    """Return what a call may change, by the names of arrays where it stands."""
    effect, function = effects[call.unit], units[call.unit].function
    assert function is not None  # noqa: S101  (units are functions)
    here = arrays_here(call, units[call.unit])
    flags: set[tuple[str, Flag]] = {(here[array], flag) for array, flag in effect.flags if array in here}
    return Effect(frozenset(flags | set(call.anywhere)), effect.fences)


def arrays_here(call: Call, unit: Kernel) -> dict[str, str]:
    """Return for each array of a function which one it is at a call."""
    assert unit.function is not None  # noqa: S101  (units are functions)
    regions = dict(call.arrays)
    return {name: regions[region] for region, name in unit.function.arrays if region in regions}


def _with_effects(
    kernel: Kernel, units: Mapping[str, Kernel], effects: Mapping[str, Effect], kinds: Sequence[Flag]
) -> Kernel:
    shared = [array.name for array in kernel.arrays if array.space in {"local", "global"}]

    def changed(part: object) -> object:
        if not isinstance(part, Call):
            return part
        if not part.unit:
            return replace(part, flags=tuple((name, kind) for name in shared for kind in kinds))
        effect = _effect_here(part, units, effects)
        return replace(part, flags=tuple(sorted(effect.flags)), fences=effect.fences)

    def with_calls(block: Block) -> Block:
        return replace(block, instructions=tuple(map(changed, block.instructions)))  # type: ignore[arg-type]

    return replace(kernel, blocks=tuple(map(with_calls, kernel.blocks)))
