"""Change the attributes of functions in LLVM IR, as text, so that LLVM inlines them: all but kernels, or some.

A function names groups of attributes, as `define ... #0 {`, and the groups stand at the end, as
`attributes #0 = { ... }`. A group that is to be inlined has `alwaysinline`, and no longer the opposite. All else in it
stays, and so do the groups that no definition names: those of declarations and calls.
"""

from __future__ import annotations

import re

from synth_kernels.clang.places import is_of_library

_GROUP = re.compile(r"^attributes #(\d+) = \{(.*)\}$", re.MULTILINE)
_DEFINED = re.compile(r"^define .*$", re.MULTILINE)
_NAMED = re.compile(r" #(\d+)(?= |$)")
_KERNEL = re.compile(r"\b(?:spir_kernel|ptx_kernel|amdgpu_kernel)\b")
_AGAINST = re.compile(r"\b(?:noinline|optnone|alwaysinline) ")
_FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)"', re.MULTILINE)
_SUBPROGRAM = re.compile(r"^!(\d+) = distinct !DISubprogram\(.*?file: !(\d+)", re.MULTILINE)


def inline_all(ir: str) -> str:
    """Return LLVM IR in which each function is to be inlined. Nothing calls a kernel, so kernels stay."""
    defined = {number for line in _DEFINED.findall(ir) for number in _NAMED.findall(line)}
    return _GROUP.sub(lambda match: _inlined_group(match[2], match[1]) if match[1] in defined else match[0], ir)


def inline_library(ir: str) -> str:
    """Return LLVM IR in which only functions of headers of our own or of libraries are to be inlined.

    Functions with and without this may share a group. So each group has a copy that is to be inlined, of which such
    functions have the number, and the group itself stays.
    """
    files = dict(_FILE.findall(ir))
    own = {number for number, file in _SUBPROGRAM.findall(ir) if not is_of_library(files.get(file, ""))}

    def changed(match: re.Match[str]) -> str:
        debug = re.search(r"!dbg !(\d+)", match[0])
        if _KERNEL.search(match[0]) or (debug is not None and debug[1] in own):
            return match[0]
        return _NAMED.sub(lambda named: f" #{_copy(named[1])}", match[0], count=1)

    groups = "\n".join(_inlined_group(match[2], _copy(match[1])) for match in _GROUP.finditer(ir))
    return f"{_DEFINED.sub(changed, ir)}\n{groups}\n"


def _copy(number: str) -> str:
    """Return the number of the copy of a group, which no other group has: 100000 for 0, 110000 for 1, and so on."""
    return f"1{number}0000"


def _inlined_group(words: str, number: str) -> str:
    return f"attributes #{number} = {{ alwaysinline{_AGAINST.sub('', words)}}}"
