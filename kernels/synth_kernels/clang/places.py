"""Where instructions stand in the source, by the debug information of LLVM IR.

Clang places an access at its pointer, and a store at the sign of the assignment. The place that `synth` shows is where
the expression of the pointer begins, if that is known, and the text of that expression comes from the source.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from synth_kernels.program import Place

if TYPE_CHECKING:
    from synth_kernels.clang.ir import Function, Module

_NUMBER = re.compile(r"!(\d+)")
_PAIRS = {"(": ")", "[": "]"}
#: A condition longer than this is cut.
_LONGEST = 120


class Places:
    """The places of one kernel."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        #: Clang puts a kernel into a function of its own, which the kernel calls: that call is no call of the source.
        self._wrapper = function.metadata.get("dbg")
        self._made: dict[tuple[int, bool], Place | None] = {}

    def at(self, debug: int | None, *, with_text: bool = False) -> Place | None:
        """Return the place of an instruction, or None if nothing is known."""
        if debug is None:
            return None
        key = (debug, with_text)
        if key not in self._made:
            self._made[key] = self._make(debug, with_text=with_text)
        return self._made[key]

    def of_function(self, metadata: int | None) -> Place:
        """Return the place of a function."""
        found = self._module.fields(metadata)
        return Place(self._file(metadata), int(found.get("line", 0)))

    def _make(self, debug: int, *, with_text: bool) -> Place | None:
        here = self._module.fields(debug)
        line, column = int(here.get("line", 0)), int(here.get("column", 0))
        calls: list[Place] = []
        outer = _reference(here.get("inlinedAt"))
        while outer is not None:
            call = self._module.fields(outer)
            if self._function(_reference(call.get("scope"))) != self._wrapper or not self._is_wrapped:
                file = self._file(_reference(call.get("scope")))
                calls.append(Place(file, int(call.get("line", 0)), int(call.get("column", 0))))
            outer = _reference(call.get("inlinedAt"))
        if line == 0:
            return None
        file = self._file(_reference(here.get("scope")))
        text = (expression_at(line_of(file, line), column) or "") if with_text else ""
        return Place(file, line, column, text, tuple(calls))

    @property
    def _is_wrapped(self) -> bool:
        name = self._module.fields(self._wrapper).get("name", "")
        return any(function.endswith(f"__clang_ocl_kern_imp_{name}") for function in self._module.functions)

    def _function(self, scope: int | None) -> int | None:
        while scope is not None and "DISubprogram" not in self._module.metadata.get(scope, ""):
            scope = _reference(self._module.fields(scope).get("scope"))
        return scope

    def _file(self, scope: int | None) -> str:
        while scope is not None:
            found = self._module.fields(scope)
            if (file := _reference(found.get("file"))) is not None:
                return self._module.fields(file).get("filename", "")
            scope = _reference(found.get("scope"))
        return ""

    def condition(self, place: Place | None) -> Place | None:
        """Return the place of a branch with the text of its condition."""
        if place is None:
            return None
        text = condition_at(line_of(place.file, place.line), place.column)
        return Place(place.file, place.line, place.column, text, place.calls)


def _reference(text: str | None) -> int | None:
    match = _NUMBER.match(text or "")
    return int(match[1]) if match else None


@cache
def _lines(file: str, _changed: float) -> list[str]:
    try:
        return Path(file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def line_of(file: str, line: int) -> str:
    """Return a line of a source file, or nothing if there is none."""
    try:
        lines = _lines(file, Path(file).stat().st_mtime)
    except (OSError, ValueError):
        return ""
    return lines[line - 1] if 0 < line <= len(lines) else ""


def expression_at(text: str, column: int) -> str:
    """Return the expression that begins at a column, such as `A[i + 1].x`, as far as it stands in this line."""
    start = place = column - 1
    while place < len(text) and text[place] in "*&":
        place += 1
    match = re.compile(r"[A-Za-z_]\w*").match(text, place)
    if match:
        place = match.end()
    elif text[place : place + 1] != "(":
        return ""
    while place < len(text):
        if text[place] in _PAIRS:
            place = _closing(text, place)
        elif member := re.compile(r"(?:\.|->)\s*[A-Za-z_]\w*").match(text, place):
            place = member.end()
        else:
            break
    return text[start:place].strip()


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
