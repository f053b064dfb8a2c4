"""Change LLVM IR before any pass of LLVM sees it, so that it means what the source means, and not less.

- **Variables.** A variable that nothing was stored in holds any value, and the same one until something is stored. LLVM
  has no such values: with `undef`, each use may see another one, and passes choose what suits them. What is set on some
  paths only then counts as set on all. So something arbitrary is stored where the life of a variable begins, which
  clang marks. Where it does not, because a jump leads past a declaration, that is at the beginning of the function and
  at the declaration. `pointers` and `memory` know these values by their names.
- **Arithmetic** keeps no mark by which LLVM could conclude that nothing overflows (`overflow_marks`).
- **Functions** are to be inlined, or only those of our headers and of libraries (`inline_attributes`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.clang.inline_attributes import inline_all, inline_library
from synth_kernels.clang.layout import Layout
from synth_kernels.clang.marks import GIVES, TRAPS, UNSET
from synth_kernels.clang.overflow_marks import check_declarations, mark_arithmetic
from synth_kernels.clang.parser import named_types
from synth_kernels.clang.tokens import TokenLine

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from synth_kernels.clang.ir import Type
    from synth_kernels.kernel_file import Overflow

_ALLOCA = re.compile(r"^  %(\S+) = alloca (.+?)(?:, (?:align|addrspace).*)?$")
_BEGINS = re.compile(r"^  call void @llvm\.lifetime\.start\.p\d+\(.*?ptr(?: addrspace\(\d+\))? %([^\s,)]+)\)(.*)$")
_DECLARED = re.compile(r"^    #dbg_declare\(ptr(?: addrspace\(\d+\))? %([^\s,)]+), !(\d+), .*!(\d+)\)$")
#: The number of a variable that has several elements.
_COUNTED = re.compile(r", i\d+ [%\d]|^target\(")
_NAME = re.compile(r"%([\w.$-]+)")
_STORED = re.compile(r"^  store .*, ptr(?: addrspace\(\d+\))? %([\w.$-]+)(?:,|$)")
#: The end of a block.
_ENDS = re.compile(r"^  (?:br|switch|ret|unreachable)\b")
_SCALAR = re.compile(r"i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?|<\d+ x [^<>]+>")
#: A vector that becomes longer: it is the first operand, and the second one is nothing.
_WIDENED = re.compile(
    r"^(?P<begin>  %\S+ = shufflevector (?P<type><(?P<count>\d+) x [^<>]+>) \S+), (?P=type) (?:poison|undef), "
    r"(?P<masks><\d+ x i32>) <(?P<mask>[^<>]*)>(?P<debug>(?:, !dbg !\d+)?)$"
)
#: A constant vector of which a lane is from nowhere, but for the mask of a shuffle, which is not behind its type.
_LANES = re.compile(
    r"(?P<type><\d+ x (?!i32> <[^<>]*>(?:, !dbg|$))[^<>]+>) <(?P<lanes>[^<>]*\b(?:poison|undef)\b[^<>]*)>"
)


def prepare(ir: str, overflow: Overflow, *, modular: bool, optimised: bool = False) -> str:
    """Return LLVM IR as clang has written it, with these changes.

    If it will be `optimised`, lanes that a longer vector gets from nowhere become arbitrary, too.
    """
    ir = mark_arithmetic(ir, overflow)
    checks = check_declarations(ir)
    ir = "\n".join([*_Setting(ir, optimised=optimised).lines(), *checks])
    return inline_library(ir) if modular else inline_all(ir)


class _Setting:
    """Gives each variable of each function a value where its life begins."""

    def __init__(self, ir: str, *, optimised: bool) -> None:
        self._ir, self._optimised = ir, optimised
        self._types: Mapping[str, Type] = named_types(ir)
        match = re.search(r'^target datalayout = ".*?\bp:(\d+):', ir, re.MULTILINE)
        self._layout = Layout(int(match[1]) if match else 64)
        self._names = dict(re.findall(r'^!(\d+) = !DILocalVariable\(name: "(\w+)"', ir, re.MULTILINE))
        self._number = 0
        self._given: dict[str, None] = {}
        self._holding: list[str] = []

    def lines(self) -> Iterator[str]:
        """Yield the lines of the IR, with those that were added."""
        function: list[str] = []
        for line in self._ir.splitlines():
            if line.startswith("define "):
                function = [line]
            elif function:
                function.append(line)
                if line == "}":
                    yield from self._function(function)
                    function = []
            else:
                yield line
        yield from self._holding
        yield from (f"declare {type_} @{_quoted(GIVES + type_)}()" for type_ in self._given)
        if self._optimised:
            yield f"declare void @{_quoted(TRAPS)}()"

    def _function(self, lines: list[str]) -> Iterator[str]:
        allocations = [(number, match) for number, match in enumerate(map(_ALLOCA.match, lines)) if match]
        allocated = {match[1]: match[2] for _, match in allocations if not _COUNTED.search(match[2])}
        declared = [match for match in map(_DECLARED.match, lines) if match]
        called = {match[1]: self._names.get(match[2], "") for match in declared}
        where = {match[1]: f", !dbg !{match[3]}" for match in declared}
        begun = {match[1] for match in map(_BEGINS.match, lines) if match}
        unmarked = allocated.keys() - begun - _stored_at_once(lines)
        last = allocations[-1][0] if allocations else 0
        for number, line in enumerate(lines):
            yield from self._kept(line) if self._optimised else (line,)
            if (match := _BEGINS.match(line)) and match[1] in allocated:
                debug = re.search(r", !dbg !\d+", match[2])
                yield from self._set(match[1], allocated[match[1]], called.get(match[1], ""), debug[0] if debug else "")
            if (match := _DECLARED.match(line)) and match[1] in unmarked and number > last:
                yield from self._set(match[1], allocated[match[1]], called.get(match[1], ""), where[match[1]])
            for name in sorted(unmarked) if number == last else ():
                yield from self._set(name, allocated[name], called.get(name, ""), where.get(name, ""))

    def _kept(self, line: str) -> Iterator[str]:
        """Yield an instruction so that LLVM does not choose what the source leaves open.

        Lanes of a vector that it takes from nowhere become arbitrary, and code that no thread may reach is kept.
        """
        if line == "  unreachable" or line.startswith("  unreachable,"):
            yield f"  call void @{_quoted(TRAPS)}()"
        while match := _LANES.search(line):
            line = yield from self._filled(line, match)
        if (match := _WIDENED.match(line)) is None or "poison" not in match["mask"]:
            yield line
            return
        self._number += 1
        self._given.setdefault(type_ := match["type"])
        value = f"%synth.lanes.{self._number}"
        mask = match["mask"].replace("poison", match["count"])  # the first lane of the second vector
        yield f"  {value} = call {type_} @{_quoted(GIVES + type_)}(){match['debug']}"
        yield f"{match['begin']}, {type_} {value}, {match['masks']} <{mask}>{match['debug']}"

    def _filled(self, line: str, match: re.Match[str]) -> Generator[str, None, str]:
        """Yield what makes a constant vector of which some lanes are from nowhere, and return the line that uses it."""
        self._number += 1
        type_, lanes = match["type"], match["lanes"].split(", ")
        self._given.setdefault(type_)
        value = f"%synth.lanes.{self._number}"
        known = ", ".join(re.sub(r"(?:poison|undef)$", "zeroinitializer", lane) for lane in lanes)
        mask = ", ".join(
            f"i32 {number + len(lanes) * lane.endswith(('poison', 'undef'))}" for number, lane in enumerate(lanes)
        )
        yield f"  {value} = call {type_} @{_quoted(GIVES + type_)}()"
        yield f"  {value}.all = shufflevector {type_} <{known}>, {type_} {value}, <{len(lanes)} x i32> <{mask}>"
        return f"{line[: match.start()]}{type_} {value}.all{line[match.end() :]}"

    def _set(self, name: str, type_: str, called: str, debug: str) -> Iterator[str]:
        """Yield what stores an arbitrary value in a variable."""
        self._number += 1
        value = f"{UNSET}{called or ('result' if name.startswith('retval') else 'temporary')}.{self._number}"
        if _SCALAR.fullmatch(type_):
            self._given.setdefault(type_)
            yield f"  %{value} = call {type_} @{_quoted(GIVES + type_)}(){debug}"
            yield f"  store {type_} %{value}, ptr %{name}{debug}"
            return
        size = self._layout.size(TokenLine(type_, dict(self._types)).type())
        if size:
            self._holding.append(f"@{value} = external global [{size} x i8]")
            copied = f"ptr %{name}, ptr @{value}, i64 {size}, i1 false"
            yield f"  call void @llvm.memcpy.p0.p0.i64({copied}){debug}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _stored_at_once(lines: Iterable[str]) -> set[str]:
    """Return the variables in which a function stores before all else, as it does with its parameters.

    Only its first block counts.
    """
    used: set[str] = set()
    stored: set[str] = set()
    for line in lines:
        if _ALLOCA.match(line) or "#dbg_" in line:
            continue
        if _ENDS.match(line):
            break
        here = set(_NAME.findall(line))
        target = _STORED.match(line)
        stored |= {target[1]} - used if target is not None else set()
        used |= here
    return stored
