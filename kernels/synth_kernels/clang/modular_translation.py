"""Translate a source of which functions are not inlined: each kernel, and each function for each way to call it.

Arrays that calls pass on have elements of one width in all functions, so that the watched location means the same
everywhere. So all of them are translated together, the first time to see how pointers move and which calls there are,
and the second time with the elements that follow from this.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.clang.annotation_blocks import flatten_annotations
from synth_kernels.clang.contracts import CALLS, ContractExpansion, contract_of
from synth_kernels.clang.frame import Unsupported
from synth_kernels.clang.function_calls import default_unit, variables_of
from synth_kernels.clang.places import Places
from synth_kernels.clang.translation import Translation, check_loops
from synth_kernels.clang.units import Units
from synth_kernels.program import Kernel, UnreadKernel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.clang.ir import IrFunction, Module
    from synth_kernels.clang.units import Contract, FunctionUnit


def modular(module: Module, until: float) -> list[Kernel | UnreadKernel]:
    """Return the kernels of a module, and then its functions, with calls of which only the contract is known."""
    return _Modular(module, until).run()


class _Modular:
    def __init__(self, module: Module, until: float) -> None:
        self._module, self._until = module, until
        self._unread: dict[str, UnreadKernel] = {}
        self._flat: dict[str, IrFunction] = {}
        self._contracts: dict[str, Contract] = {}
        self._functions: dict[str, IrFunction] = {}
        for name, function in module.functions.items():
            if function.is_kernel or name not in module.inlined:
                with self._noting(name):
                    self._flat[name] = flatten_annotations(function)
                    if not function.is_kernel:
                        self._contracts[name] = contract_of(self._flat[name], module)
        expanding = ContractExpansion(module, self._contracts)
        for name, function in self._flat.items():
            if name not in self._unread:
                with self._noting(name):
                    self._functions[name] = expanding.expanded(function, self._contracts.get(name))

    @contextmanager
    def _noting(self, name: str) -> Iterator[None]:
        """Note if something in a function is not supported."""
        try:
            yield
        except Unsupported as reason:
            function = self._module.functions[name]
            number = function.metadata.get("dbg")
            source_name = self._module.fields(number).get("name", name)
            place = Places(self._module, function).of_function(number)
            self._unread[name] = UnreadKernel(source_name, place, str(reason), is_function=not function.is_kernel)

    def run(self) -> list[Kernel | UnreadKernel]:
        variables = variables_of(self._functions)
        units = Units(self._contracts, variables, {})
        translations: dict[str | FunctionUnit, Translation] = {}
        programs: dict[str | FunctionUnit, Kernel | UnreadKernel] = {}
        divisors: dict[str | FunctionUnit, dict[str, int]] = {}
        for _ in range(2):
            kernels = [name for name, function in self._functions.items() if function.is_kernel]
            todo: list[str | FunctionUnit] = [*kernels, *units.requested]
            handled: set[str | FunctionUnit] = set()
            while todo or (todo := self._uncalled(units)):
                if (key := todo.pop(0)) not in handled:
                    handled.add(key)
                    unit = None if isinstance(key, str) else key
                    function = self._functions[key if isinstance(key, str) else key.function]
                    translation = translations[key] = Translation(
                        self._module, function, divisors.get(key, {}), units, unit
                    )
                    programs[key] = self._translated(translation)
                    todo += [callee for callee in units.requested if callee not in handled]
            divisors = _common_divisors(translations)
        return [*_name_units(programs, units), *(unread for name, unread in self._unread.items())]

    def _uncalled(self, units: Units) -> list[str | FunctionUnit]:
        """Return a function that nobody calls, of those that are left, which is asked for from now on."""
        requested = {unit.function for unit in units.requested}
        uncalled = [
            name for name, function in self._functions.items() if not function.is_kernel and name not in requested
        ]
        called = {
            step.detail.removeprefix(CALLS)
            for name in uncalled
            for block in self._functions[name].blocks
            for step in block.instructions
            if step.detail != f"{CALLS}{name}"
        }
        for name in [*(name for name in uncalled if name not in called), *uncalled][:1]:
            unit = default_unit(self._functions[name])
            units.requested.setdefault(unit)
            return [unit]
        return []

    def _translated(self, translation: Translation) -> Kernel | UnreadKernel:
        place = translation.places.of_function(translation.function.metadata.get("dbg"))
        try:
            program = check_loops(translation.run(self._until), place)
            return (
                replace(program, is_function=not translation.function.is_kernel)
                if isinstance(program, UnreadKernel)
                else program
            )
        except Unsupported as reason:
            return UnreadKernel(
                translation.name,
                translation.emit.place or place,
                str(reason),
                is_function=not translation.function.is_kernel,
            )


def _common_divisors(
    translations: Mapping[str | FunctionUnit, Translation],
) -> dict[str | FunctionUnit, dict[str, int]]:
    """Return the bytes that divide all distances in each class of arrays, the same for arrays that calls join."""
    parents: dict[tuple[str | FunctionUnit, str], tuple[str | FunctionUnit, str]] = {}

    def root(node: tuple[str | FunctionUnit, str]) -> tuple[str | FunctionUnit, str]:
        while parents.setdefault(node, node) != node:
            node = parents[node]
        return node

    def of(key: str | FunctionUnit, region: str) -> tuple[str | FunctionUnit, str]:
        return key, translations[key].frame.pointers.class_of(region)

    for key, translation in translations.items():
        for unit, there, here in translation.frame.joins:
            if unit in translations:
                parents[root(of(unit, there))] = root(of(key, here))
    greatest: dict[tuple[str | FunctionUnit, str], int] = {}
    for key, translation in translations.items():
        for region, divisor in translation.frame.pointers.divisors.items():
            node = root((key, region))
            greatest[node] = math.gcd(greatest.get(node, 0), divisor)
    return {
        key: {
            region: greatest[node]
            for region in translation.frame.pointers.classes()
            if (node := root((key, region))) in greatest
        }
        for key, translation in translations.items()
    }


def _name_units(
    programs: Mapping[str | FunctionUnit, Kernel | UnreadKernel], units: Units
) -> list[Kernel | UnreadKernel]:
    """Return kernels and functions under names that tell units of one function apart."""
    kernels = [program for key, program in programs.items() if isinstance(key, str)]
    result = list(kernels)
    for key, program in programs.items():
        if isinstance(key, str):
            continue
        others = [other for other in programs if not isinstance(other, str) and other.function == key.function]
        if len(others) == 1:
            result.append(program)
            continue
        contract = units.contracts.get(key.function)
        parameters = contract.function.parameters if contract else ()
        parts = []
        for parameter, bound in zip(parameters, key.bound, strict=True):
            if bound is not None:
                region = bound[0].removeprefix("%")
                what = bound[1] if region == parameter.name else f"as {region.removeprefix('@')}"
                parts.append(f"{parameter.name} {what or 'nowhere'}")
        result.append(replace(program, name=f"{program.name}({', '.join(parts)})"))
    return result
