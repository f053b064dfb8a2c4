"""Change the arithmetic of LLVM IR in text, so that LLVM may not conclude that nothing overflows.

Signed arithmetic wraps, or its overflow is a fault of its own (`Overflow`). So no operation keeps a mark such as `nsw`,
and no load keeps metadata by which it promises what it gives. Operations with a sign get a mark of ours (`SIGNED`), or
become calls of functions that check (`CHECKS`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.clang.marks import CHECKS, SIGNED

if TYPE_CHECKING:
    from synth_kernels.kernel_file import Overflow

#: Marks by which an instruction promises something, and gives poison if that is not so.
_MARKS = ("nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw")
_MARKED = re.compile(rf"^(  %\S+ = )([a-z]+) ((?:(?:{'|'.join(_MARKS)}) )+)(.*)$", re.MULTILINE)
#: Metadata by which a load promises what it gives.
_PROMISED = re.compile(r", !(?:range|noundef|nonnull|align) !\d+")
#: Operations on vectors, of which clang does not say which are signed.
_OF_VECTORS = re.compile(r"^  %\S+ = (?:add|sub|mul) <[^!\n]*?(?=, !dbg|$)", re.MULTILINE)
_DIVIDED = re.compile(r"^(  %\S+ = )(sdiv|srem) (.*)$", re.MULTILINE)
#: The type and the operands of an operation on numbers or vectors, and where it stands.
_VALUE = r"<[^>]*>|splat \([^)]*\)|[^\s,]+"
_OPERANDS = re.compile(rf"(i\d+|<\d+ x i\d+>) ({_VALUE}), ({_VALUE})(, !dbg !\d+)?")
_CHECKED = re.compile(rf'call (i\d+|<\d+ x i\d+>) @("{re.escape(CHECKS)}[^"]*")')


def mark_arithmetic(ir: str, overflow: Overflow) -> str:
    """Return LLVM IR as clang has written it, with other marks of operations."""
    ir = _PROMISED.sub("", ir)
    ir = _MARKED.sub(lambda match: _marked(match[1], match[2], match[3], match[4], overflow), ir)
    if overflow == "fault":
        return _DIVIDED.sub(lambda match: _marked(match[1], match[2], "nsw", match[3], overflow), ir)
    return _OF_VECTORS.sub(rf"\g<0>, !{SIGNED} !{{}}", ir)


def check_declarations(ir: str) -> list[str]:
    """Return the declarations of the functions that check operations in LLVM IR."""
    return sorted({f"declare {match[1]} @{match[2]}({match[1]}, {match[1]})" for match in _CHECKED.finditer(ir)})


def _marked(name: str, opcode: str, marks: str, rest: str, overflow: Overflow) -> str:
    """Return an operation without its marks: as it is, with a mark of ours, or as a call that checks it."""
    if "nsw" not in marks.split() or opcode not in {"add", "sub", "mul", "sdiv", "srem"}:
        return f"{name}{opcode} {rest}"
    if overflow == "wrap":
        return f"{name}{opcode} {rest}, !{SIGNED} !{{}}"
    match = _OPERANDS.fullmatch(rest)
    assert match is not None  # noqa: S101  (all such operations have this form)
    type_, first, second, debug = match.groups(default="")
    return f'{name}call {type_} @"{CHECKS}{opcode}.{type_}"({type_} {first}, {type_} {second}){debug}'
