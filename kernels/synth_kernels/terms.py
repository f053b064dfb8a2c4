"""Formulas over bit-vectors, truth values and maps, built with constant folding, and written in SMT-LIB.

Equal terms are one object. So a term that occurs often is written once, and the same value in both threads is the same
term. A term of width 1 is a truth value (sort `Bool`), and others are bit-vectors.

A map has a value for each index, and stands for what an array holds (sort `Array`). Its width is that of its values.
What is loaded from a map is a variable of its own, which each query defines. So a solver only has to say what was
loaded, and never what a whole map is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.operators import BINARY, CASTS, compute, is_undefined

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping


#: The width of an index of a map: an offset, and a bit that tells two arrays of the same name apart.
INDEX_WIDTH = 33
_MAPS = {"map", "stored", "merged"}


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An operator and its operands, or a constant with its `value`, or a variable with its `name`."""

    number: int
    operator: str
    operands: tuple[Term, ...]
    width: int
    value: int | None = None
    name: str = ""


class Terms:
    """Makes terms, each of them once."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Term] = {}
        self._names: dict[str, int] = {}
        self._opaque: dict[tuple[object, ...], Term] = {}
        self.true = self.constant(1, 1)
        self.false = self.constant(0, 1)

    def _make(
        self, operator: str, operands: tuple[Term, ...], width: int, value: int | None = None, name: str = ""
    ) -> Term:
        key = (operator, operands, width, value, name)
        if key not in self._made:
            self._made[key] = Term(len(self._made), operator, operands, width, value, name)
        return self._made[key]

    def constant(self, value: int, width: int) -> Term:
        """Return a number of so many bits."""
        return self._make("constant", (), width, value)

    def variable(self, name: str, width: int) -> Term:
        """Return a new variable, with a number after its name if the name is not new."""
        times = self._names[name] = self._names.get(name, 0) + 1
        return self._make("variable", (), width, name=name if times == 1 else f"{name}!{times}")

    def scalars(self, widths: Iterable[tuple[str, int]], fixed: Mapping[str, int]) -> dict[str, Term]:
        """Return constants for scalars with fixed values, and new variables for others. Each name has a width."""
        return {
            name: self.constant(fixed[name], width) if name in fixed else self.variable(name, width)
            for name, width in widths
        }

    def opaque(self, function: str, operands: tuple[Term, ...], width: int) -> Term:
        """Return what an unknown function gives for these operands: a variable, and the same for the same operands."""
        key = (function, operands, width)
        if key not in self._opaque:
            self._opaque[key] = self.variable(f"{function}()", width)
        return self._opaque[key]

    def call(self, function: str, operands: tuple[Term, ...], width: int) -> Term:
        """Return what a function gives for these operands. Only `synth_kernels.analyses` can read such terms."""
        return self._make(f"call {function}", operands, width)

    def map(self, name: str, width: int) -> Term:
        """Return a map of which nothing is known."""
        return self._make("map", (), width, name=self.variable(name, width).name)

    def stored(self, here: Term, index: Term, value: Term) -> Term:
        """Return a map with another value at an index."""
        return self._make("stored", (here, index, value), here.width)

    def merged(self, test: Term, first: Term, second: Term) -> Term:
        """Return the map `first` where the test holds, and `second` elsewhere."""
        if test.value is not None or first is second:
            return first if test.value or first is second else second
        return self._make("merged", (test, first, second), first.width)

    def loaded(self, here: Term, index: Term) -> Term:
        """Return the value of a map at an index."""
        if here.operator == "stored" and here.operands[1] is index:
            return here.operands[2]
        key = ("loaded", here, index)
        if key not in self._opaque:
            name = self.variable("loaded", here.width).name
            self._opaque[key] = self._make("loaded", (here, index), here.width, name=name)
        return self._opaque[key]

    def apply(self, operator: str, operands: tuple[Term, ...], width: int | None = None) -> Term:
        """Return the result of an operator of programs; only a cast needs the width of the result."""
        if operator == "select":
            return self.choose(*operands)
        if operator == "not":
            return self._not(operands[0])
        if operator in CASTS:
            assert width is not None  # noqa: S101  (the caller keeps this)
            return self._folded(operator, operands, width)
        if operator in {"and", "or", "xor", "eq"} and operands[0].width == 1:
            return self._of_truths(operator, *operands)
        if operator == "add" and operands[1].value == 0:
            return operands[0]
        return self._folded(operator, operands, 1 if BINARY[operator].compares else operands[0].width)

    def _folded(self, operator: str, operands: tuple[Term, ...], width: int) -> Term:
        values = [operand.value for operand in operands if operand.value is not None]
        here = operands[-1].width
        if len(values) == len(operands) and not (operator in BINARY and is_undefined(operator, values[-1], here)):
            return self.constant(compute(operator, values, here, width), width)
        if operator == "eq" and operands[0] is operands[1]:
            return self.true
        return self._make(operator, operands, width)

    def _not(self, term: Term) -> Term:
        if term.operator == "not":
            return term.operands[0]
        return self._folded("not", (term,), term.width)

    def _of_truths(self, operator: str, first: Term, second: Term) -> Term:
        if first.value is not None:
            first, second = second, first
        if second.value is None:
            if first is second:
                return {"and": first, "or": first, "xor": self.false, "eq": self.true}[operator]
            return self._make(operator, (first, second), 1)
        match operator, second.value:
            case ("and", 1) | ("or", 0) | ("xor", 0) | ("eq", 1):
                return first
            case ("and", 0) | ("or", 1):
                return second
            case _:
                return self._not(first)

    def all(self, *terms: Term) -> Term:
        """Return the conjunction of truth values."""
        conjunction = self.true
        for term in terms:
            conjunction = self._of_truths("and", conjunction, term)
        return conjunction

    def any(self, *terms: Term) -> Term:
        """Return the disjunction of truth values."""
        disjunction = self.false
        for term in terms:
            disjunction = self._of_truths("or", disjunction, term)
        return disjunction

    def implies(self, premise: Term, conclusion: Term) -> Term:
        """Return that `premise` implies `conclusion`."""
        return self.any(self._not(premise), conclusion)

    def no(self, term: Term) -> Term:
        """Return the negation of a truth value."""
        return self._not(term)

    def choose(self, test: Term, first: Term, second: Term) -> Term:
        """Return `first` where the test holds, and `second` elsewhere."""
        if test.value is not None:
            return first if test.value else second
        if first is second:
            return first
        if first.width == 1:
            return self.any(self.all(test, first), self.all(self._not(test), second))
        return self._make("select", (test, first, second), first.width)

    def extended(self, term: Term, width: int) -> Term:
        """Return a term with at least its own width, read as unsigned."""
        return term if term.width == width else self.apply("zext", (term,), width)

    def related(self, operator: str, term: Term) -> Term:
        """Return what an operator says of the other thread, in a formula that stands for a value of a program."""
        return self._make(operator, (term,), 1 if operator == "uniform" else term.width)

    def equal(self, first: Term, second: Term) -> Term:
        """Return whether two terms of the same width are equal."""
        return self.apply("eq", (first, second))


def below(roots: Iterable[Term], known: Container[Term] = ()) -> list[Term]:
    """Return the given terms and all that they consist of, operands first, but nothing at or below a known term."""
    terms: dict[int, Term] = {}
    todo = list(roots)
    while todo:
        term = todo.pop()
        if term.number not in terms and term not in known:
            terms[term.number] = term
            todo += term.operands
    return [terms[number] for number in sorted(terms)]


def evaluate(roots: Iterable[Term], values: Mapping[str, int]) -> dict[Term, int]:
    """Return the values of terms and of all that they consist of; a variable without a value is 0.

    A division by zero has the value that SMT-LIB gives it. Programs never use that value.
    """
    results: dict[Term, int] = {}
    for term in below(roots):
        if term.operator in _MAPS:
            continue
        if term.value is not None:
            results[term] = term.value
        elif term.name:
            results[term] = int(values.get(term.name, 0))
        else:
            operands = [results[operand] for operand in term.operands]
            width = term.operands[-1].width
            undefined = term.operator in BINARY and is_undefined(term.operator, operands[-1], width)
            results[term] = 0 if undefined else compute(term.operator, operands, width, term.width)
    return results


def sort_of(term: Term) -> str:
    """Return the sort of a term in SMT-LIB."""
    values = "Bool" if term.width == 1 else f"(_ BitVec {term.width})"
    return f"(Array (_ BitVec {INDEX_WIDTH}) {values})" if term.operator in _MAPS else values


def term_text(term: Term) -> str:
    """Return a term as an operand: a number, or the name that stands for it."""
    if term.value is not None:
        return ("true" if term.value else "false") if term.width == 1 else f"(_ bv{term.value} {term.width})"
    if term.name:
        return f"|{term.name}|"
    return f"t{term.number}"


def definition_text(term: Term) -> str:
    """Return the meaning of a term by the names of its operands."""
    words = [term_text(operand) for operand in term.operands]
    match term.operator:
        case "select" | "merged" | "stored":
            return f"({'store' if term.operator == 'stored' else 'ite'} {' '.join(words)})"
        case "not":
            return f"({'not' if term.width == 1 else 'bvnot'} {words[0]})"
        case "trunc":
            part = f"((_ extract {term.width - 1} 0) {words[0]})"
            return f"(= {part} #b1)" if term.width == 1 else part
        case "zext" | "sext":
            here = term.operands[0].width
            if here == 1:
                true = 1 if term.operator == "zext" else (1 << term.width) - 1
                return f"(ite {words[0]} (_ bv{true} {term.width}) (_ bv0 {term.width}))"
            word = {"zext": "zero_extend", "sext": "sign_extend"}[term.operator]
            return f"((_ {word} {term.width - here}) {words[0]})"
    operator = BINARY[term.operator]
    return f"({operator.of_truths if term.operands[0].width == 1 else operator.smt} {' '.join(words)})"


def script(claims: Iterable[Term], assumed: Mapping[Term, bool] | None = None) -> str:
    """Return the query whether all these truth values can hold at once, in SMT-LIB.

    `assumed` are variables with their values. Queries that differ only in these values are cheap for a solver.
    """
    claims, assumed = list(claims), assumed or {}
    terms = below([*claims, *assumed])

    def lines() -> Iterator[str]:
        yield f"(set-logic {'QF_ABV' if any(term.operator in _MAPS for term in terms) else 'QF_BV'})"
        for term in terms:
            if term.name:
                yield f"(declare-const {term_text(term)} {sort_of(term)})"
            elif term.value is None:
                yield f"(define-fun t{term.number} () {sort_of(term)} {definition_text(term)})"
            if term.operator == "loaded":
                yield f"(assert (= {term_text(term)} (select {' '.join(map(term_text, term.operands))})))"
        yield from (f"(assert {term_text(claim)})" for claim in claims)
        literals = " ".join(term_text(term) if holds else f"(not {term_text(term)})" for term, holds in assumed.items())
        yield f"(check-sat-assuming ({literals}))" if assumed else "(check-sat)"

    return "\n".join(lines()) + "\n"
