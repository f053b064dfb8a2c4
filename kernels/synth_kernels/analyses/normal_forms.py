"""Normal forms of formulas, so that sums in another order are seen to be equal at once.

An integer of w bits is a polynomial with coefficients modulo 2^w. With *reals*, a floating-point number is a polynomial
with rational coefficients, as if nothing were ever rounded. What is no sum or product is an *atom*, named by its
operator and the normal forms of its operands. Minima, maxima and bitwise operations are sets of operands. Equal normal
forms are equal values. Unequal ones may be equal, too.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.floats import float_of
from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Hashable

    from synth_kernels.terms import Term

#: The number of each monomial, which is a sorted tuple of numbers of atoms.
Polynomial: TypeAlias = "dict[tuple[int, ...], Fraction]"
#: A product with more monomials is an atom.
MOST_MONOMIALS = 4096
_ARITHMETIC = {"fadd", "fsub", "fmul", "fdiv", "fneg", "fma", "fmuladd", "fpext", "fptrunc"}
_TO_REAL = {"sitofp", "uitofp"}
_LESS = {"slt": "s", "sle": "s", "ult": "u", "ule": "u"}
_FLOAT_LESS = {"lt": 0, "le": 0, "gt": 1, "ge": 1}


def is_float(term: Term) -> bool:
    """Return whether a term is a floating-point number by the function that computes it."""
    while term.operator == "select":
        term = term.operands[1] if not function_of(term.operands[2]) else term.operands[2]
    name = function_of(term).partition(".")[0]
    return bool(name) and name not in {"fcmp", "fptosi", "fptoui"}


def function_of(term: Term) -> str:
    """Return the name of the function that a term calls, or an empty text."""
    return term.operator.removeprefix("call ") if term.operator.startswith("call ") else ""


class NormalForms:
    """Computes normal forms. Without `reals`, functions on floating-point numbers are atoms like all others."""

    def __init__(self, *, reals: bool) -> None:
        self._reals = reals
        self._atoms: dict[Hashable, int] = {}
        self._found: dict[tuple[Term, bool], Polynomial] = {}
        #: The operands of minima, maxima and so on, by their atoms.
        self._members: dict[tuple[str, int], set[Hashable]] = {}

    def are_equal(self, one: Term, other: Term) -> bool:
        """Return whether two terms have the same normal form."""
        real = self._reals and (is_float(one) or is_float(other))
        return one is other or self.of(one, real=real) == self.of(other, real=real)

    def of(self, term: Term, *, real: bool = False) -> Polynomial:
        """Return the normal form of a term, read as a real number or as an integer."""
        if (term, real) not in self._found:
            for term_below in below([term]):  # operands come first, so that no recursion is deep
                kind = real if term_below is term else self._reals and is_float(term_below)
                if (term_below, kind) not in self._found:
                    self._found[term_below, kind] = self._real(term_below) if kind else self._integer(term_below)
        return self._found[term, real]

    def _atom(self, *key: Hashable) -> Polynomial:
        return {(self._atoms.setdefault(key, len(self._atoms)),): Fraction(1)}

    def _key(self, term: Term, *, real: bool = False) -> Hashable:
        return frozenset(self.of(term, real=real).items()), real or term.width

    def _real(self, term: Term) -> Polynomial:  # noqa: PLR0911  (a table of cases)
        name = function_of(term)
        operands = term.operands
        if term.value is not None:
            value = float_of(term.value, term.width)
            finite = value is not None and math.isfinite(value)
            return _number(Fraction(value or 0)) if finite else self._atom("bits", term.value, term.width)
        if name in _ARITHMETIC:
            return self._arithmetic(name, [self.of(operand, real=True) for operand in operands])
        if name.partition(".")[0] in {"fpext", "fptrunc"}:
            return self.of(operands[0], real=True)
        if name.partition(".")[0] in _TO_REAL:
            return self._atom(name, self._key(operands[0]))
        if name:
            return self._atom(name, *(self._key(operand, real=True) for operand in operands))
        if term.operator == "select":
            test, one, other = operands
            if (extreme := self._float_extreme(test, one, other)) is not None:
                return extreme
            return self._atom("select", self._key(test), self._key(one, real=True), self._key(other, real=True))
        return self._atom("float", self._key(term))

    def _arithmetic(self, name: str, parts: list[Polynomial]) -> Polynomial:  # noqa: PLR0911  (a table of cases)
        match name:
            case "fadd":
                return _sum(parts[0], parts[1])
            case "fsub":
                return _sum(parts[0], _scaled(parts[1], Fraction(-1)))
            case "fneg":
                return _scaled(parts[0], Fraction(-1))
            case "fmul":
                return self._product(parts[0], parts[1], 0)
            case "fma" | "fmuladd":
                return _sum(self._product(parts[0], parts[1], 0), parts[2])
            case "fdiv":
                divisor = parts[1]
                if list(divisor) == [()]:
                    return _scaled(parts[0], 1 / divisor[()])
                return self._product(parts[0], self._atom("1/", frozenset(divisor.items())), 0)
            case _:
                return parts[0]

    def _product(self, one: Polynomial, other: Polynomial, width: int) -> Polynomial:
        if len(one) * len(other) > MOST_MONOMIALS:
            return self._atom("product", frozenset({frozenset(one.items()), frozenset(other.items())}), width)
        found: Polynomial = {}
        for a, x in one.items():
            for b, y in other.items():
                key = tuple(sorted((*a, *b)))
                found[key] = found.get(key, Fraction(0)) + x * y
        return _reduced(found, width)

    def _float_extreme(self, test: Term, one: Term, other: Term) -> Polynomial | None:
        """Return the minimum or maximum that a choice by a comparison is, if there are no values that are no number."""
        name, _, rest = function_of(test).partition(".")
        if name != "fcmp" or rest[1:] not in _FLOAT_LESS:
            return None
        low, high = test.operands if not _FLOAT_LESS[rest[1:]] else test.operands[::-1]
        keys = [self._key(part, real=True) for part in (low, high, one, other)]
        if keys[:2] == keys[2:]:
            return self._extreme("fmin", one, other, real=True)
        return self._extreme("fmax", one, other, real=True) if keys[:2] == keys[:1:-1] else None

    def _extreme(self, kind: str, one: Term, other: Term, *, real: bool) -> Polynomial:
        return self._set(kind, [self.of(one, real=real), self.of(other, real=real)], 0 if real else one.width)

    def _set(self, kind: str, parts: list[Polynomial], width: int) -> Polynomial:
        """Return an operation of which the order of operands does not matter, nor how often each comes."""
        members: set[Hashable] = set()
        for part in parts:
            below = self._members.get((kind, next(iter(part))[0])) if _is_atom(part) else None
            members |= below if below is not None else {frozenset(part.items())}
        found = self._atom(kind, frozenset(members), width)
        self._members[kind, next(iter(found))[0]] = members
        return found

    def _integer(self, term: Term) -> Polynomial:
        operands, width = term.operands, term.width
        if term.value is not None:
            return _reduced(_number(Fraction(term.value)), width)
        name = function_of(term)
        if name:
            real = self._reals and not name.startswith(tuple(_TO_REAL))
            return self._atom(name, *(self._key(operand, real=real) for operand in operands), width)
        if term.name:
            return self._atom("value", term.name)
        if width == 1 and operands and operands[0].width == 1:
            return self._truth(term)
        return self._arithmetic_of(term)

    def _truth(self, term: Term) -> Polynomial:
        if term.operator in {"and", "or"}:
            return self._set(term.operator, [self.of(operand) for operand in term.operands], 1)
        if term.operator in {"eq", "xor"}:
            return self._atom(term.operator, frozenset(map(self._key, term.operands)))
        return self._atom(term.operator, *map(self._key, term.operands))

    def _arithmetic_of(self, term: Term) -> Polynomial:  # noqa: PLR0911  (a table of cases)
        operands, width = term.operands, term.width
        match term.operator:
            case "add":
                return _reduced(_sum(*map(self.of, operands)), width)
            case "sub":
                return _reduced(_sum(self.of(operands[0]), _scaled(self.of(operands[1]), Fraction(-1))), width)
            case "mul":
                return self._product(self.of(operands[0]), self.of(operands[1]), width)
            case "shl" if operands[1].value is not None:
                return _reduced(_scaled(self.of(operands[0]), Fraction(1 << operands[1].value)), width)
            case "not":
                return _reduced(_sum(_scaled(self.of(operands[0]), Fraction(-1)), _number(Fraction(-1))), width)
            case "and" | "or":
                return self._set(term.operator, [self.of(operand) for operand in operands], width)
            case "eq" | "xor":
                return self._atom(term.operator, frozenset(map(self._key, operands)), width)
            case "select":
                return self._choice(term)
            case "trunc" if operands[0].operator in {"zext", "sext"} and operands[0].operands[0].width == width:
                return self.of(operands[0].operands[0])
            case _:
                return self._atom(term.operator, *map(self._key, operands), width)

    def _choice(self, term: Term) -> Polynomial:
        test, one, other = term.operands
        if test.operator in _LESS:
            low, high = map(self._key, test.operands)
            pair = (self._key(one), self._key(other))
            sign = _LESS[test.operator]
            if (low, high) == pair:
                return self._extreme(f"{sign}min", one, other, real=False)
            if (high, low) == pair:
                return self._extreme(f"{sign}max", one, other, real=False)
        return self._atom("select", *map(self._key, term.operands))


def _is_atom(part: Polynomial) -> bool:
    return len(part) == 1 and next(iter(part.values())) == 1 and len(next(iter(part))) == 1


def _number(value: Fraction) -> Polynomial:
    return {(): value} if value else {}


def _sum(one: Polynomial, other: Polynomial) -> Polynomial:
    if len(one) < len(other):
        one, other = other, one
    found = dict(one)
    for key, value in other.items():
        found[key] = found.get(key, Fraction(0)) + value
        if not found[key]:
            del found[key]
    return found


def _scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return {key: value * factor for key, value in polynomial.items()} if factor else {}


def _reduced(found: Polynomial, width: int) -> Polynomial:
    """Return a polynomial without zeros. With a width, coefficients are numbers modulo 2^width."""
    if width:
        found = {key: value % (1 << width) for key, value in found.items()}
    return {key: value for key, value in found.items() if value}
