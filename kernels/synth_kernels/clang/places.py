"""Where instructions stand in the source, by the debug information of LLVM IR.

For a store, clang notes where the sign of the assignment stands. For other accesses, it notes a place in the expression
that is accessed, such as `x` in `A[i].x`. `synth` shows where the whole expression begins, and takes its text from the
source.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from synth_kernels.clang.ir import reference
from synth_kernels.clang.source_expressions import MARK, condition_at, expression_at, line_of, lines_of
from synth_kernels.clang.toolchain import STUBS, headers
from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.clang.ir import IrFunction, Module


class Places:
    """The places of one kernel."""

    def __init__(self, module: Module, function: IrFunction) -> None:
        self._module = module
        #: Clang puts a kernel into a function of its own, which the kernel calls: that call is no call of the source.
        self._wrapper = function.metadata.get("dbg")
        own = f"__clang_ocl_kern_imp_{module.fields(self._wrapper).get('name', '')}"
        self._is_wrapped = any(name.endswith(own) for name in module.functions)
        self._made: dict[tuple[int, bool], SourcePlace | None] = {}

    def at(self, debug: int | None, *, with_text: bool = False) -> SourcePlace | None:
        """Return the place of an instruction, or None if nothing is known."""
        if debug is None:
            return None
        key = (debug, with_text)
        if key not in self._made:
            self._made[key] = self._make(debug, with_text=with_text)
        return self._made[key]

    def of_function(self, metadata: int | None) -> SourcePlace:
        """Return the place of a function."""
        fields = self._module.fields(metadata)
        return SourcePlace(self._file(metadata), int(fields.get("line", 0)))

    def _make(self, debug: int, *, with_text: bool) -> SourcePlace | None:
        here, *calls = _outside_library(list(self._inlined(debug)))
        if here.line == 0:
            return None
        text = (expression_at(line_of(here.file, here.line), here.column) or "") if with_text else ""
        return SourcePlace(here.file, here.line, here.column, text, tuple(calls))

    def _inlined(self, debug: int) -> Iterator[SourcePlace]:
        """Yield the place of an instruction, and behind it those of the calls by which it was inlined there."""
        number: int | None = debug
        while number is not None:
            location = self._module.fields(number)
            scope = reference(location.get("scope"))
            is_call_of_kernel = number != debug and self._is_wrapped and self._function(scope) == self._wrapper
            if not is_call_of_kernel:
                yield place(self._file(scope), int(location.get("line", 0)), int(location.get("column", 0)))
            number = reference(location.get("inlinedAt"))

    @staticmethod
    def within(pointer: SourcePlace | None, access: SourcePlace | None) -> SourcePlace | None:
        """Return the place of a pointer if it is in the statement of an access through it, or else that of the access.

        A pointer may be kept in a variable. Then it is made in an earlier statement.
        """
        if pointer is None or access is None:
            return access or pointer
        if (pointer.file, pointer.line, pointer.calls) != (access.file, access.line, access.calls):
            return access
        first, last = sorted((pointer.column, access.column))
        return access if ";" in line_of(access.file, access.line)[first - 1 : last - 1] else pointer

    def _function(self, scope: int | None) -> int | None:
        while scope is not None and "DISubprogram" not in self._module.metadata.get(scope, ""):
            scope = reference(self._module.fields(scope).get("scope"))
        return scope

    def _file(self, scope: int | None) -> str:
        while scope is not None:
            fields = self._module.fields(scope)
            if (file := reference(fields.get("file"))) is not None:
                return self._module.fields(file).get("filename", "")
            scope = reference(fields.get("scope"))
        return ""

    def condition(self, place: SourcePlace | None) -> SourcePlace | None:
        """Return the place of a branch with the text of its condition."""
        if place is None:
            return None
        text = condition_at(line_of(place.file, place.line), place.column)
        return SourcePlace(place.file, place.line, place.column, text, place.calls)


def _outside_library(places: list[SourcePlace]) -> list[SourcePlace]:
    """Return the places from the first one on that is in no library, or else the last one."""
    first = next((number for number, place in enumerate(places) if not is_of_library(place.file)), len(places) - 1)
    return places[first:]


@cache
def is_of_library(file: str) -> bool:
    """Return whether a file is a header of our own or of the C++ library: its lines tell a user nothing."""
    return Path(file).is_absolute() and any(folder in Path(file).parents for folder in (STUBS, headers()))


def place(file: str, line: int, column: int) -> SourcePlace:
    """Return a place. In the first line, clang counts the bytes of a byte-order mark as columns."""
    has_mark = line == 1 and column > 0 and "".join(lines_of(file)[:1]).startswith(MARK)
    return SourcePlace(file, line, column - len(MARK.encode()) if has_mark else column)
