"""Write candidates for a reader: as annotations of C, or as lines of a typed program. Both can be pasted.

Names in C are those of the source, as far as the typed program still has them: clang calls the value that a loop gives
to the variable `i` for example `i.0`. A candidate with another value that no variable of the source has can't be
written in C, and is written as lines of a typed program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.operators import CASTS
from synth_kernels.program import IDS, KINDS
from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from synth_kernels.flow import Flow
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<", "eq": "=="}
_OF_TRUTHS = {"and": "&&", "or": "||", "xor": "!=", "eq": "=="}
_UNSIGNED = {"udiv": "/", "urem": "%", "lshr": ">>", "ult": "<", "ule": "<="}
_SIGNED = {"sdiv": "/", "srem": "%", "ashr": ">>", "slt": "<", "sle": "<="}
_TYPES = {1: "bool", 32: "int", 64: "long"}
_OPENCL = {
    "lid": "get_local_id({})",
    "gid": "get_group_id({})",
    "lsize": "get_local_size({})",
    "groups": "get_num_groups({})",
    "offset": "get_global_offset({})",
}
_CUDA = {"lid": "threadIdx.{}", "gid": "blockIdx.{}", "lsize": "blockDim.{}", "groups": "gridDim.{}"}


class _NoWords(Exception):  # noqa: N818  (no error: the candidate is written in another way)
    """A formula has something that an annotation of C can't say."""


def scope_of(flow: Flow, header: str) -> set[str]:
    """Return the values of the variables that an annotation of a loop may use: those that loops around it change."""
    return {name for loop in flow.around(header) for name, _ in flow.kernel.block(loop.header).parameters}


def annotation(meaning: Term, kernel: Kernel, scope: Collection[str], *, cuda: bool) -> str | None:
    """Return a candidate as an annotation of C, or None if C has no words for it."""
    try:
        return f"__invariant({_AnnotationWriter(kernel, meaning, scope, cuda=cuda).text(meaning, outermost=True)})"
    except _NoWords:
        return None


def contract_annotation(meaning: Term, kernel: Kernel, word: str, *, cuda: bool) -> str | None:
    """Return a clause of a contract as an annotation of C such as `__requires(...)`, or None if C can't say it."""
    assert kernel.function is not None  # noqa: S101  (only functions have contracts)
    names = {name: name for name, _ in kernel.function.parameters if re.fullmatch(r"\w+", name)}
    names |= {name: f"__return_val_{_TYPES[width]}()" for name, width in kernel.function.results if width in _TYPES}
    for region, array in kernel.function.arrays:
        if region.startswith("%") and re.fullmatch(r"\w+", region[1:]):
            unit = kernel.array(array).width // 8
            names[f"{region[1:]}.offset"] = f"((int)__ptr_offset_bytes({region[1:]}) / {unit})"
    if len(kernel.function.results) > 1:
        names = {name: text for name, text in names.items() if not text.startswith("__return_val")}
    try:
        return (
            f"__{word}({_AnnotationWriter(kernel, meaning, (), cuda=cuda, names=names).text(meaning, outermost=True)})"
        )
    except _NoWords:
        return None


def typed_lines(meaning: Term, prefix: str) -> list[str]:
    """Return a candidate as lines of a typed program, whose names begin with a prefix."""
    names: dict[Term, str] = {}
    lines: list[str] = []
    for term in below([meaning]):
        if term.value is not None:
            names[term] = f"{term.value}:i{term.width}"
        elif term.name:
            names[term] = term.name
        else:
            names[term] = f"{prefix}{len(lines)}"
            operands = [names[operand] for operand in term.operands]
            cast = f" to i{term.width}" if term.operator in CASTS else ""
            lines.append(f"{names[term]} = {term.operator} {', '.join(operands)}{cast}")
    return [*lines, f"invariant {names[meaning]}"]


class _AnnotationWriter:
    def __init__(
        self,
        kernel: Kernel,
        meaning: Term,
        scope: Collection[str],
        *,
        cuda: bool,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._kernel, self._scope, self._cuda = kernel, scope, cuda
        self._names = names or {}
        self._scalars = {name for name, _ in kernel.scalars}
        flags = [
            term.name.split(".", 1)
            for term in below([meaning])
            if term.name.startswith(tuple(f"{kind}." for kind in KINDS))
        ]
        self._place = flags[0] if flags else None

    def text(self, term: Term, *, outermost: bool = False) -> str:
        if term.value is not None:
            return self._number(term)
        if term.name:
            return self._name(term)
        text = self._operation(term)
        return text if outermost or re.fullmatch(r"!?__\w+\([^()]*(\(\))?\)", text) else f"({text})"

    def _number(self, term: Term) -> str:
        value = term.value or 0
        if term.width == 1:
            return "true" if value else "false"
        signed = value - (1 << term.width) if value >> (term.width - 1) else value
        return f"({signed})" if signed < 0 else str(signed)

    def _name(self, term: Term) -> str:  # noqa: PLR0911  (one for each kind of name)
        name = term.name
        if name in self._names:
            return self._names[name]
        if name.startswith("before."):
            kind, _, array = name.removeprefix("before.").partition(".")
            return f"__old_bool(__{kind}({_plain(array)}))"
        if name in IDS:
            word, number = name.split(".")
            if self._cuda and word not in _CUDA:
                raise _NoWords
            return _CUDA[word].format("xyz"[int(number)]) if self._cuda else f"(int){_OPENCL[word].format(number)}"
        if name in {"enabled", "same_group"}:
            return f"__{name}()"
        if name == "watched":
            return self._watched()
        kind, _, array = name.partition(".")
        if kind in KINDS and array:
            return f"__{kind}({_plain(array)})"
        if name in self._scalars:
            return _plain(name)
        if name in self._scope and (match := re.fullmatch(r"([A-Za-z_]\w*?)(?:\.\d+)+", name)):
            return match[1]
        raise _NoWords

    def _watched(self) -> str:
        if self._place is None:
            raise _NoWords
        kind, array = self._place
        unit = self._kernel.array(array).width // 8
        return f"((int)__{kind}_offset_bytes({_plain(array)}) / {unit})"

    def _operation(self, term: Term) -> str:
        width = term.operands[-1].width
        if width not in _TYPES or term.width not in _TYPES:
            raise _NoWords
        if term.operator in {"uniform", "other"}:
            return f"__{term.operator}_{_TYPES[width]}({self.text(term.operands[0], outermost=True)})"
        if term.operator == "select":
            test, chosen, otherwise = map(self.text, term.operands)
            return f"{test} ? {chosen} : {otherwise}"
        if term.operator in {"not", *CASTS}:
            return self._of_one(term.operator, term.operands[0], _TYPES[term.width])
        return self._of_two(term, _TYPES[width])

    def _of_one(self, operator: str, operand: Term, type_: str) -> str:
        text = self.text(operand)
        if operator == "not":
            if operand.name.startswith(tuple(f"{kind}." for kind in KINDS)):
                return f"__no_{text.removeprefix('__')}"
            return f"{'!' if operand.width == 1 else '~'}{text}"
        unsigned = f"(unsigned {_TYPES[operand.width]})" if operator == "zext" and operand.width > 1 else ""
        return f"({type_}){unsigned}{text}"

    def _of_two(self, term: Term, type_: str) -> str:
        operator = term.operator
        symbols = _OF_TRUTHS if type_ == "bool" else _SYMBOLS
        if operator in symbols:
            parts = _chain(term) if operator in {"add", "and", "or"} else term.operands
            return f" {symbols[operator]} ".join(map(self.text, parts))
        sign, symbol = ("unsigned ", _UNSIGNED[operator]) if operator in _UNSIGNED else ("", _SIGNED[operator])
        cast = f"({sign}{type_})"
        first_cast, second_cast = ("" if sign == "" and part.value is not None else cast for part in term.operands)
        return f"{first_cast}{self.text(term.operands[0])} {symbol} {second_cast}{self.text(term.operands[1])}"


def _chain(term: Term) -> list[Term]:
    """Return the parts of a chain of equal operators, such as those of a disjunction."""
    return [
        part
        for operand in term.operands
        for part in (_chain(operand) if operand.operator == term.operator else [operand])
    ]


def _plain(name: str) -> str:
    if not re.fullmatch(r"\w+", name):
        raise _NoWords
    return name
