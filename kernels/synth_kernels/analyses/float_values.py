"""The values of formulas that call functions on floating-point numbers, and queries about them.

A query has one of two meanings of these functions: IEEE 754 (`bits`), or functions of which nothing is known but that
equal operands give equal results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.analyses.normal_forms import function_of
from synth_kernels.floats import apply_function, is_exact
from synth_kernels.operators import BINARY, compute, is_undefined
from synth_kernels.program import Opaque
from synth_kernels.terms import below, definition_text, sort_of, term_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_kernels.terms import Term

_FORMATS = {16: "5 11", 32: "8 24", 64: "11 53"}
_IEEE = {"fadd": "fp.add RNE", "fsub": "fp.sub RNE", "fmul": "fp.mul RNE", "fdiv": "fp.div RNE", "fneg": "fp.neg"}
_IEEE |= {"fma": "fp.fma RNE", "fmuladd": "fp.fma RNE", "fabs": "fp.abs"}
_COMPARED = {"eq": "fp.eq", "lt": "fp.lt", "le": "fp.leq", "gt": "fp.gt", "ge": "fp.geq"}


def term_values(roots: Iterable[Term], values: Mapping[str, int]) -> dict[Term, int]:
    """Return the values of terms and of all below them; a variable without a value is 0."""
    results: dict[Term, int] = {}
    for term in below(roots):
        operands = [results[operand] for operand in term.operands]
        width = term.operands[-1].width if term.operands else 0
        if term.value is not None:
            results[term] = term.value
        elif term.name:
            results[term] = values.get(term.name, 0)
        elif name := function_of(term):
            results[term] = apply_function(Opaque("", name, (), term.width), operands, term.operands[0].width)
        else:
            undefined = term.operator in BINARY and is_undefined(term.operator, operands[-1], width)
            results[term] = 0 if undefined else compute(term.operator, operands, width, term.width)
    return results


def unknown_functions(roots: Iterable[Term]) -> set[str]:
    """Return the functions in some terms that can't be computed."""
    names = {function_of(term) for term in below(roots)}
    return {name for name in names if name and not is_exact(name)}


def query(claims: Iterable[Term], *, ieee: bool) -> str:
    """Return the query whether all these truth values can hold at once."""
    claims = list(claims)
    functions: dict[tuple[str, tuple[int, ...], int], str] = {}

    def lines() -> Iterator[str]:
        yield "(set-logic ALL)"
        for term in below(claims):
            name = function_of(term)
            if term.name:
                yield f"(declare-const {term_text(term)} {sort_of(term)})"
            elif name and ieee and (meaning := _ieee(term, name)):
                yield f"(declare-const t{term.number} {sort_of(term)})"
                yield f"(assert {meaning})"
            elif name:
                key = (name, tuple(operand.width for operand in term.operands), term.width)
                if key not in functions:
                    functions[key] = f"|{name} {len(functions)}|"
                    sorts = " ".join(map(sort_of, term.operands))
                    yield f"(declare-fun {functions[key]} ({sorts}) {sort_of(term)})"
                words = " ".join(map(term_text, term.operands))
                called = f"({functions[key]} {words})" if words else functions[key]
                yield f"(define-fun t{term.number} () {sort_of(term)} {called})"
            elif term.value is None:
                yield f"(define-fun t{term.number} () {sort_of(term)} {definition_text(term)})"
        yield from (f"(assert {term_text(claim)})" for claim in claims)
        yield "(check-sat)"

    return "\n".join(lines()) + "\n"


def _ieee(term: Term, name: str) -> str:
    """Return what says that a term is the result of a function of IEEE 754, or an empty text."""
    operands = [
        f"((_ to_fp {_FORMATS[operand.width]}) {term_text(operand)})"
        for operand in term.operands
        if operand.width in _FORMATS
    ]
    if len(operands) < len(term.operands):
        return ""
    kind, _, rest = name.partition(".")
    if kind in _IEEE:
        return f"(= ((_ to_fp {_FORMATS[term.width]}) t{term.number}) ({_IEEE[kind]} {' '.join(operands)}))"
    if kind == "fcmp":
        return f"(= t{term.number} {_comparison(rest, operands)})"
    return ""


def _comparison(word: str, operands: list[str]) -> str:
    no_number = f"(or {' '.join(f'(fp.isNaN {operand})' for operand in operands)})"
    if word in {"ord", "uno"}:
        return no_number if word == "uno" else f"(not {no_number})"
    predicate = word[1:]
    holds = (
        f"(not (fp.eq {' '.join(operands)}))" if predicate == "ne" else f"({_COMPARED[predicate]} {' '.join(operands)})"
    )
    return f"(or {no_number} {holds})" if word[0] == "u" else f"(and (not {no_number}) {holds})"
