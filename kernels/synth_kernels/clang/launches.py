"""The sizes of launches that a source in CUDA or HIP has beside its kernels, such as `scan<<<4, 64>>>(...)`.

This reads the text, because clang emits nothing for the host. Sizes count that are whole numbers, or that are computed
from named numbers of the file. If the launches of a kernel differ in a size, or if only a run knows it, there is none.
"""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.clang.cuda import blank_non_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NUMBER = re.compile(
    r"^[ \t]*\#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)$|\b(?:const|constexpr)\b[\w\s]*?\b(\w+)\s*=\s*([^;,{}]+)[;,]",
    re.MULTILINE,
)
#: The declarations of sizes in several dimensions: `dim3 groups(4), size(8, 8);` and `dim3 size = dim3(8, 8);`.
_DIM3 = re.compile(r"\bdim3\s+(\w[^;]*);")
_DECLARED = re.compile(r"(\w+)\s*(?:=\s*)?(?:dim3\s*)?[({]([^(){}]*(?:\([^()]*\)[^(){}]*)*)[)}]")
_IN_HIP = r"\bhipLaunchKernelGGL\s*\(\s*(?:HIP_KERNEL_NAME)?\s*\(?\s*{name}\s*(?:<[^<>]*>)?\s*\)?\s*,"
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}


class Sizes(NamedTuple):
    """The number of groups and the local size of launches, in up to three dimensions each, as far as they are known."""

    groups: tuple[int, ...] | None = None
    local: tuple[int, ...] | None = None


def launched_sizes(source: str, name: str) -> Sizes:
    """Return the sizes with which a source launches a kernel."""
    text = blank_non_code(source)
    known = _unambiguous_names((match[1] or match[3], match[2] or match[4]) for match in _NUMBER.finditer(source))
    sizes = (
        declaration for declared in _DIM3.finditer(text) for declaration in _DECLARED.finditer(declared[1].strip())
    )
    dims = _unambiguous_names((size[1], size[2]) for size in sizes)
    word = re.escape(name.split("<", maxsplit=1)[0])
    starts = [match.end() for match in re.finditer(rf"\b{word}\s*(?:<[^<>;]*>)?\s*<<<", text)]
    starts += [match.end() for match in re.finditer(_IN_HIP.format(name=word), text)]
    launches = [_sizes(text[start:], known, dims) for start in starts]
    groups, local = {launch.groups for launch in launches}, {launch.local for launch in launches}
    return Sizes(groups.pop() if len(groups) == 1 else None, local.pop() if len(local) == 1 else None)


def _unambiguous_names(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what names stand for, but for those that stand for two things."""
    values: dict[str, set[str]] = {}
    for name, value in pairs:
        values.setdefault(name, set()).add(value.strip())
    return {name: texts.pop() for name, texts in values.items() if len(texts) == 1}


def _sizes(text: str, known: Mapping[str, str], dims: Mapping[str, str]) -> Sizes:
    """Return the sizes that are the first two arguments of a launch."""
    parts, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if (letter == "," and not depth) or depth < 0 or text.startswith(">>>", place) or letter == ";":
            parts.append(text[begin:place].strip())
            begin = place + 1
            if len(parts) == 2 or letter != ",":
                break
    return Sizes(*(_dimensions(part, known, dims) for part in parts))


def _dimensions(text: str, known: Mapping[str, str], dims: Mapping[str, str]) -> tuple[int, ...] | None:
    match = re.fullmatch(r"dim3\s*[({](.*)[)}]", text, re.DOTALL)
    inside = match[1] if match else dims.get(text, text)
    numbers = [_number(part, known, 8) for part in inside.split(",")]
    sizes = [number for number in numbers if number is not None and number > 0]
    if len(sizes) != len(numbers) or len(sizes) > 3:
        return None
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return tuple(sizes)


def _number(text: str, known: Mapping[str, str], depth: int) -> int | None:
    """Return the value of an expression of numbers and names of numbers, or None if it has none."""
    try:
        tree = ast.parse(re.sub(r"\b(\d\w*?)[uUlL]+\b", r"\1", text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

    def value(node: ast.expr) -> int | None:
        match node:
            case ast.Constant(value=int() as number) if type(number) is int:
                return number
            case ast.Name(id=name) if name in known and depth:
                return _number(known[name], known, depth - 1)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                first, second = value(left), value(right)
                if (
                    first is None
                    or second is None
                    or (second == 0 and isinstance(op, ast.Div))
                    or abs(second) > 1 << 20
                ):
                    return None
                return int(_OPERATORS[type(op)](first, second))
            case _:
                return None

    return value(tree)
