"""Where instructions stand in the source, by the debug information of LLVM IR.

For a store, clang notes where the sign of the assignment stands. For other accesses, it notes a place in the expression
that is accessed, such as `x` in `A[i].x`. `synth` shows where the whole expression begins, and takes its text from the
source.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from synth_kernels.clang.ir import reference
from synth_kernels.clang.toolchain import STUBS, headers
from synth_kernels.source_place import SourcePlace

if TYPE_CHECKING:
    from synth_kernels.clang.ir import IrFunction, Module

#: A byte-order mark.
_MARK = "\ufeff"
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=(?!=)")
#: What stands before what gets a value if that is dereferenced, at the beginning of a statement.
_STARS = re.compile(r"(?:^|[;{}(,])\s*(\*+)\s*$")
_PAIRS = {"(": ")", "[": "]"}
#: A condition longer than this is cut.
_LONGEST = 120


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
        chain = [self._module.fields(debug)]
        while (outer := reference(chain[-1].get("inlinedAt"))) is not None:
            chain.append(self._module.fields(outer))
        places = [
            place(self._file(scope), int(location.get("line", 0)), int(location.get("column", 0)))
            for location in chain
            if self._function(scope := reference(location.get("scope"))) != self._wrapper
            or location is chain[0]
            or not self._is_wrapped
        ]
        while len(places) > 1 and is_of_library(places[0].file):
            places.pop(0)
        here, *calls = places
        if here.line == 0:
            return None
        text = (expression_at(line_of(here.file, here.line), here.column) or "") if with_text else ""
        return SourcePlace(here.file, here.line, here.column, text, tuple(calls))

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


@cache
def is_of_library(file: str) -> bool:
    """Return whether a file is a header of our own or of the C++ library: its lines tell a user nothing."""
    return Path(file).is_absolute() and any(folder in Path(file).parents for folder in (STUBS, headers()))


def place(file: str, line: int, column: int) -> SourcePlace:
    """Return a place. In the first line, clang counts the bytes of a byte-order mark as columns."""
    has_mark = line == 1 and column > 0 and "".join(_lines(file)[:1]).startswith(_MARK)
    return SourcePlace(file, line, column - len(_MARK.encode()) if has_mark else column)


@cache
def _read(file: str, _changed: float) -> list[str]:
    return Path(file).read_text("utf-8", "replace").splitlines()


def _lines(file: str) -> list[str]:
    """Return the lines of a source file, which are none if it can't be read."""
    try:
        return _read(file, Path(file).stat().st_mtime)
    except (OSError, ValueError):
        return []


def line_of(file: str, line: int) -> str:
    """Return a line of a source file, or nothing if there is none."""
    lines = _lines(file)
    return lines[line - 1].removeprefix(_MARK) if 0 < line <= len(lines) else ""


def expression_at(text: str, column: int) -> str:
    """Return the expression that begins at a column, such as `A[i + 1].x`, as far as it stands in this line.

    If a member such as `x` begins there, the expression is the whole of `A[i + 1].x`. If the sign of an assignment
    stands there, it is what gets the value.
    """
    start = place = column - 1
    if _ASSIGNMENT.match(text, start):
        end = len(text[:start].rstrip())
        starts = (match.start() for match in _WORD.finditer(text[:end]))
        start = place = next((begin for begin in starts if _scan_expression(text, begin)[0] == end), place)
        if match := _STARS.search(text[:start]):
            start = place = match.start(1)
    if text[:start].rstrip().endswith((".", "->")):
        names = (match.start() for match in _WORD.finditer(text[:start]))
        start = place = next((name for name in names if place in _scan_expression(text, name)[1]), place)
    while place < len(text) and text[place] in "*&":
        place += 1
    return text[start : _scan_expression(text, place)[0]].strip()


def _scan_expression(text: str, start: int) -> tuple[int, list[int]]:
    """Return where the expression that begins at `start` ends, and where the members that it names begin."""
    members: list[int] = []
    if match := _WORD.match(text, start):
        place = match.end()
    elif text[start : start + 1] == "(":
        place = start
    else:
        return 0, members
    while place < len(text):
        if text[place] in _PAIRS:
            place = _closing(text, place)
        elif member := re.compile(r"(?:\.|->)\s*([A-Za-z_]\w*)").match(text, place):
            members.append(member.start(1))
            place = member.end()
        else:
            break
    return place, members


def _closing(text: str, start: int) -> int:
    """Return the end of what the bracket at `start` opens, or of the line."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place + 1
    return len(text)


def condition_at(text: str, column: int) -> str:
    """Return the condition of the `if`, `while`, `for` or `switch` of a line that goes on to this column."""
    best = ""
    for match in re.finditer(r"\b(if|while|for|switch)\s*\(", text):
        end = _closing(text, match.end() - 1)
        if match.start() < column <= end:
            best = text[match.end() : end - 1]
            if match[1] == "for" and best.count(";") >= 2:
                best = best.split(";")[1]
    return best.strip()[:_LONGEST]
