"""Assertions on the memory that a launch leaves behind: `out[0] == 6 and sums == [1, 2, 3]`.

An assertion must hold in each state in which all threads have ended. It is an expression in the notation of Python,
which also knows the operators `&&`, `||` and `!` of C. A name is a scalar or an array of the launch. `A[i]` is an
element. An array without an index stands for all of its elements: a comparison of it must hold for each of them, or,
with a list, for each element and the number at its place. Elements are read as signed numbers of their width. In an
array of vectors or structures, the elements are the numbers in these.

Annotations of kernels (docs/understand/kernels.md) are compiled together with the kernel. They speak of a point of the
kernel, and no such point comes after all threads. So assertions on the last state have a reader of their own.
"""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown
from synth_kernels.progress.arguments import entry_of
from synth_kernels.progress.partial_values import PartialValue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from synth_kernels.program import Array
    from synth_kernels.progress.machine import Machine
from synth_kernels.progress.partial_values import Value as ElementValue

#: What an expression may be: a number, a truth value, or the numbers of an array.
Value: TypeAlias = "int | list[int]"

_BINARY: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_OF_C = ((re.compile(r"&&"), " and "), (re.compile(r"\|\|"), " or "), (re.compile(r"!(?!=)"), " not "))


class Assertion:
    """An assertion on the memory that a launch leaves behind.

    Raises:
        InputError: the text is no such expression.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        for pattern, word in _OF_C:
            text = pattern.sub(word, text)
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._refused() from None
        for node in ast.walk(self._tree):
            is_allowed = isinstance(node, _ALLOWED)
            if not is_allowed or (isinstance(node, ast.Constant) and type(node.value) is not int):
                raise self._refused()

    def _refused(self) -> InputError:
        return InputError(
            f"final: found {quoted(self.text)}, expected a comparison of elements and numbers, such as 'out[0] == 6'"
        )

    def check(self, machine: Machine) -> None:
        """Check that the assertion has a value: call it before the states are searched.

        Raises:
            InputError: a name or an index is not one of the launch, or the expression mixes arrays and numbers.
        """
        self.holds(machine, machine.layout.shared)

    def holds(self, machine: Machine, memory: Sequence[ElementValue]) -> bool:
        """Return whether the assertion holds of a memory.

        Raises:
            InputError: it has no value.
        """
        try:
            value = self._value(self._tree, machine, memory)
        except (ZeroDivisionError, ValueError, OverflowError):
            raise InputError(f"final: {quoted(self.text)} divides by zero or shifts by a negative number") from None
        if isinstance(value, list):
            raise self._refused()
        return bool(value)

    def named_in(self, machine: Machine, memory: Sequence[ElementValue]) -> str:
        """Return what the elements hold that the assertion names, such as `out[0] is 3`."""
        inside = {id(node.value) for node in ast.walk(self._tree) if isinstance(node, ast.Subscript)}
        named = (
            node
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Subscript) or (isinstance(node, ast.Name) and id(node) not in inside)
        )
        return ", ".join(
            dict.fromkeys(f"{ast.unparse(node)} is {self._value(node, machine, memory)}" for node in named)
        )

    def _value(self, node: ast.expr, machine: Machine, memory: Sequence[ElementValue]) -> Value:
        result: Value
        match node:
            case ast.Constant(value=int() as result):
                pass
            case ast.List(elts=elements):
                result = [self._number(element, machine, memory) for element in elements]
            case ast.Name(id=name):
                result = self._named(name, machine, memory)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                result = self._element(name, self._number(index, machine, memory), machine, memory)
            case ast.UnaryOp(op=operator, operand=operand):
                result = int(_UNARY[type(operator)](self._number(operand, machine, memory)))
            case ast.BinOp(left=left, op=op, right=right):
                result = _BINARY[type(op)](self._number(left, machine, memory), self._number(right, machine, memory))
            case ast.BoolOp(op=connective, values=values):
                truths = (bool(self._number(value, machine, memory)) for value in values)
                result = int(all(truths) if isinstance(connective, ast.And) else any(truths))
            case ast.Compare(left=left, ops=ops, comparators=others):
                compared = [self._value(other, machine, memory) for other in (left, *others)]
                result = int(all(map(self._compares, ops, compared, compared[1:])))
            case _:
                raise self._refused()
        return result

    def _number(self, node: ast.expr, machine: Machine, memory: Sequence[ElementValue]) -> int:
        value = self._value(node, machine, memory)
        if isinstance(value, list):
            raise InputError(
                f"final: found all elements of an array in {quoted(self.text)}, expected one, such as out[0]"
            )
        return value

    def _compares(self, op: ast.cmpop, left: Value, right: Value) -> bool:
        """Compare two values; an array compares element by element."""
        if not isinstance(left, list) and not isinstance(right, list):
            return _COMPARISONS[type(op)](left, right)
        length = len(left) if isinstance(left, list) else len(right) if isinstance(right, list) else 1
        ours = left if isinstance(left, list) else [left] * length
        theirs = right if isinstance(right, list) else [right] * length
        if len(ours) != len(theirs):
            raise InputError(
                f"final: found {len(ours)} and {len(theirs)} elements in {quoted(self.text)}, expected as many"
            )
        if isinstance(op, ast.NotEq) and isinstance(left, list) and isinstance(right, list):
            return ours != theirs
        return all(map(_COMPARISONS[type(op)], ours, theirs))

    def _named(self, name: str, machine: Machine, memory: Sequence[ElementValue]) -> Value:
        if name in dict(machine.kernel.scalars):
            return _signed(machine.fixed(0)[name], dict(machine.kernel.scalars)[name])
        array = self._array(name, machine)
        count = len(entry_of(array).fields) * (machine.layout.sizes[name] // array.each)
        return [self._number_of(array, at, machine, memory) for at in range(count)]

    def _element(self, name: str, index: int, machine: Machine, memory: Sequence[ElementValue]) -> int:
        array = self._array(name, machine)
        size = len(entry_of(array).fields) * (machine.layout.sizes[name] // array.each)
        if not 0 <= index < size:
            raise InputError(f"final: found {name}[{index}], expected an element of {name}, which has {size}")
        return self._number_of(array, index, machine, memory)

    @staticmethod
    def _number_of(array: Array, index: int, machine: Machine, memory: Sequence[ElementValue]) -> int:
        """Return a number of an array, of which each element of the source may have several."""
        entry, first = entry_of(array), machine.layout.start(array, 0)
        element, field = divmod(index, len(entry.fields))
        begin, width = entry.fields[field]
        place, shift = divmod(element * entry.width + begin, array.width)
        bits = 0
        for more in range((shift + width - 1) // array.width + 1):
            value = memory[first + place + more]
            if isinstance(value, PartialValue):
                raise InputError(f"final: {array.name}[{index}] may hold a value that nothing has set")
            bits |= value << more * array.width
        return _signed(bits >> shift & ((1 << width) - 1), width)

    @staticmethod
    def _array(name: str, machine: Machine) -> Array:
        """Return an array of the launch."""
        arrays = {array.name: array for array in machine.kernel.arrays if array.space in {"global", "constant"}}
        if name not in arrays:
            raise unknown("final", name, [*arrays, *(scalar for scalar, _ in machine.kernel.scalars)])
        return arrays[name]


_ALLOWED = (
    ast.Constant, ast.List, ast.Name, ast.Load, ast.Subscript, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare,
    ast.And, ast.Or, *_BINARY, *_COMPARISONS, *_UNARY,
)  # fmt: skip


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 and width > 1 else value
