"""SPIR-V for Vulkan: the assembly text of a compute shader for each test, with the host program of the target `glsl`.

This module writes the assembly text itself, and uses no GLSL compiler. So the text does not depend on the compiler that
is installed, and nothing between the test and the driver rewrites the loop. Memory order and scope are those of `glsl`:
each access acquires and releases in the scope of the device. Vulkan allows no sequentially consistent order.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, ClassVar

from synth_backends.expression import Arithmetic, Choice, NameTerm, Number
from synth_backends.targets.glsl import Glsl

if TYPE_CHECKING:
    from synth_backends.expression import Expression
    from synth_backends.mapping import LitmusLaunch

_OPERATIONS = {
    "+": "OpIAdd %uint",
    "-": "OpISub %uint",
    "*": "OpIMul %uint",
    "/": "OpUDiv %uint",
    "%": "OpUMod %uint",
    "<": "OpULessThan %bool",
    "==": "OpIEqual %bool",
}


def assembly(launch: LitmusLaunch) -> list[str]:
    """Return the definitions of a mapping as lines of assembly.

    A name is a result, and a number is a constant `%uint_N`.
    """
    return [line for name, expression in launch.definitions for line in _defined(name, expression)]


def _defined(name: str, expression: Expression) -> list[str]:
    """Return the instructions that define a name, one for each operation; intermediate results have numbers."""
    lines: list[str] = []
    numbers_of_results = itertools.count(1)

    def operand(part: Expression) -> str:
        match part:
            case Number(value):
                return f"%uint_{value}"
            case NameTerm(other):
                return f"%{other}"
            case _:
                result = operation(part)
                lines.append(f"%{name}_{next(numbers_of_results)} = {result}")
                return lines[-1].partition(" ")[0]

    def operation(whole: Expression) -> str:
        match whole:
            case Arithmetic(symbol, left, right):
                return f"{_OPERATIONS[symbol]} {operand(left)} {operand(right)}"
            case Choice(condition, yes, no):  # both are evaluated, because neither can fail
                return f"OpSelect %uint {operand(condition)} {operand(yes)} {operand(no)}"
            case _:
                return f"OpCopyObject %uint {operand(whole)}"

    last = operation(expression)
    return [*lines, f"%{name} = {last}"]


def numbers(functions: str) -> list[int]:
    """Return the values of the constants `%uint_N` that occur in the assembly text of some functions, sorted."""
    return sorted({int(number) for number in re.findall(r"%uint_(\d+)", functions)})


class Spirv(Glsl):
    """The target `spirv`. It equals the target `glsl`, except for its shaders."""

    name = "spirv"
    suffix = "spvasm"
    spelling = None
    helpers: ClassVar[dict[str, Any]] = Glsl.helpers | {"assembly": assembly, "numbers": numbers}
