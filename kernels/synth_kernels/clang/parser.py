"""Read the text of LLVM IR into `ir`, line by line: named types, variables, metadata and functions."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from synth_kernels.clang.instructions import read_instruction
from synth_kernels.clang.ir import IrBlock, IrFunction, Module, Parameter, Type, Variable
from synth_kernels.clang.tokens import TokenLine, bare_name
from synth_kernels.deadline import NEVER, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.clang.ir import Value

_LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):')
_KERNELS = {"spir_kernel", "ptx_kernel", "amdgpu_kernel"}


def named_types(ir: str) -> dict[str, Type]:
    """Return the types that have names. A type may stand before those of its members, so all are read repeatedly."""
    texts = re.findall(r"^%.* = type .*", ir, re.MULTILINE)
    types: dict[str, Type] = {}
    before = None
    while before != types:
        before = dict(types)
        for text in texts:
            line = TokenLine(text, types)
            name = bare_name(line.next())
            line.place += 2
            types[name] = line.type()
    return types


class _Parser:
    """Reads a module line by line."""

    def __init__(self, until: float) -> None:
        self.until = until
        self.module = Module()
        self.types: dict[str, Type] = {}

    def line(self, text: str) -> TokenLine:
        return TokenLine(text, self.types)

    def read(self, text: str) -> Module:
        pure = set(re.findall(r"^attributes (#\d+) = .*memory\(none\)", text, re.MULTILINE))
        declared = re.findall(r'^declare .*?@("[^"]*"|[-\w$.]+)\(.*(#\d+)', text, re.MULTILINE)
        self.module.pure = {name.strip('"') for name, attributes in declared if attributes in pure}
        always = set(re.findall(r"^attributes (#\d+) = .*\balwaysinline\b", text, re.MULTILINE))
        defined = re.findall(r'^define .*?@("[^"]*"|[-\w$.]+)\(.*?\) .*?(#\d+)', text, re.MULTILINE)
        self.module.inlined = {name.strip('"') for name, attributes in defined if attributes in always}
        self.types = named_types(text)
        lines = iter(text.splitlines())
        for text_ in lines:
            if text_.startswith("target datalayout"):
                match = re.search(r"[\"-]p:(\d+):", text_)
                self.module.pointer_bits = int(match[1]) if match else 64
            elif text_.startswith("@"):
                self._variable(self.line(text_))
            elif match := re.match(r"!(\d+) = (.*)", text_):
                self.module.metadata[int(match[1])] = match[2]
            elif text_.startswith("define"):
                self._function(self.line(text_), lines)
        return self.module

    def _variable(self, line: TokenLine) -> None:
        name = bare_name(line.next())
        line.expect("=")
        space = 0
        while line.ahead not in {"global", "constant"}:
            if line.ahead in {"alias", "ifunc", ""}:
                return
            if line.ahead == "addrspace":
                space = line.space()
            else:
                line.next()
                line.group()
        is_constant = line.next() == "constant"
        debug = re.search(r", !dbg !(\d+)", line.text)
        type_ = line.type()

        def read_initial() -> Value | None:
            return line.value(type_) if line.ahead not in {",", ""} else None

        self.module.variables[name] = Variable(
            name, space, type_, is_constant, int(debug[1]) if debug else None, functools.cache(read_initial)
        )

    def _function(self, line: TokenLine, lines: Iterator[str]) -> None:
        is_kernel = False
        while line.ahead[:1] != "@":
            is_kernel = line.next() in _KERNELS or is_kernel
        name = bare_name(line.next())
        line.expect("(")
        parameters = []
        for _ in line.listed(")"):
            if line.accept("..."):
                continue
            type_ = line.type()
            attributes = line.attributes()
            own = bare_name(line.next()) if line.ahead[:1] == "%" else ""
            parameters.append(Parameter(own, type_, "noalias" in attributes, attributes.get("byval")))
        metadata = {}
        while line.ahead and line.ahead != "{":
            word = line.next()
            if word[0] == "!" and line.ahead[:1] == "!":
                metadata[word[1:]] = int(line.next()[1:])
        function = IrFunction(name, is_kernel, parameters, metadata)
        self._body(function, lines)
        self.module.functions[name] = function

    def _body(self, function: IrFunction, lines: Iterator[str]) -> None:
        block: IrBlock | None = None
        for text in lines:
            if text == "}":
                return
            check(self.until, "the kernels were read")
            if match := _LABEL.match(text):
                block = IrBlock(match[1].strip('"'))
                function.blocks.append(block)
            elif text.strip() and not text.strip().startswith((";", "#dbg_")):
                if block is None:
                    block = IrBlock("")
                    function.blocks.append(block)
                whole = text
                if text.lstrip().startswith("switch") and "]" not in text:
                    for more in lines:
                        whole += more
                        if "]" in more:
                            break
                block.instructions.append(read_instruction(self.line(whole)))


def parse_module(text: str, until: float = NEVER) -> Module:
    """Return the module of a text in LLVM IR. Reading it is given up at the time `until`."""
    return _Parser(until).read(text)
