"""Expressions in the text of a source file, and where they begin and end."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

#: A byte-order mark.
MARK = "\ufeff"
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_MEMBER = re.compile(r"(?:\.|->)\s*([A-Za-z_]\w*)")
_ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=(?!=)")
#: What stands before what gets a value if that is dereferenced, at the beginning of a statement.
_STARS = re.compile(r"(?:^|[;{}(,])\s*(\*+)\s*$")
_STATEMENT = re.compile(r"\b(if|while|for|switch)\s*\(")
_PAIRS = {"(": ")", "[": "]"}
#: A condition longer than this is cut.
_LONGEST = 120


@cache
def _read(file: str, _changed: float) -> list[str]:
    return Path(file).read_text("utf-8", "replace").splitlines()


def lines_of(file: str) -> list[str]:
    """Return the lines of a source file, which are none if it can't be read."""
    try:
        return _read(file, Path(file).stat().st_mtime)
    except (OSError, ValueError):
        return []


def line_of(file: str, line: int) -> str:
    """Return a line of a source file, or nothing if there is none."""
    lines = lines_of(file)
    return lines[line - 1].removeprefix(MARK) if 0 < line <= len(lines) else ""


def expression_at(text: str, column: int) -> str:
    """Return the expression that begins at a column, such as `A[i + 1].x`, as far as it stands in this line.

    If a member such as `x` begins there, the expression is the whole of `A[i + 1].x`. If the sign of an assignment
    stands there, it is what gets the value.
    """
    start = place = column - 1
    if _ASSIGNMENT.match(text, start):
        start = place = _start_of_target(text, start)
    if text[:start].rstrip().endswith((".", "->")):
        names = (match.start() for match in _WORD.finditer(text[:start]))
        start = place = next((name for name in names if place in _scan_expression(text, name)[1]), place)
    while place < len(text) and text[place] in "*&":
        place += 1
    return text[start : _scan_expression(text, place)[0]].strip()


def _start_of_target(text: str, sign: int) -> int:
    """Return where the expression begins that ends before the sign of an assignment, with its stars."""
    end = len(text[:sign].rstrip())
    starts = (match.start() for match in _WORD.finditer(text[:end]))
    start = next((begin for begin in starts if _scan_expression(text, begin)[0] == end), sign)
    return stars.start(1) if (stars := _STARS.search(text[:start])) else start


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
        elif member := _MEMBER.match(text, place):
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
    for match in _STATEMENT.finditer(text):
        end = _closing(text, match.end() - 1)
        if match.start() < column <= end:
            best = text[match.end() : end - 1]
            if match[1] == "for" and best.count(";") >= 2:
                best = best.split(";")[1]
    return best.strip()[:_LONGEST]
