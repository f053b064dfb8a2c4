"""Integer expressions: written once in Python, evaluated here, and translated into the language of each target.

    value((WORKGROUP / 2), {"workgroup": 5})     2
    spelt((WORKGROUP / 2), C_LIKE)               workgroup / 2u

All values are unsigned 32-bit integers, which every device has. Evaluation refuses a value outside this range. So an
expression that has been evaluated for all its uses means the same in every language.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WORD = 1 << 32
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "==": operator.eq,
}
#: How tightly an operator binds; a higher number binds more tightly. A name or number binds tightest, a choice least.
_BINDING = {"<": 1, "==": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}


class Expression:
    """An expression; to compute its value, one needs the values of the names in it.

    Python's operators make larger expressions of expressions.
    """

    __slots__ = ()

    def __add__(self, other: Expression | int) -> Expression:
        return Arithmetic("+", self, _lifted(other))

    def __sub__(self, other: Expression | int) -> Expression:
        return Arithmetic("-", self, _lifted(other))

    def __mul__(self, other: Expression | int) -> Expression:
        return Arithmetic("*", self, _lifted(other))

    def __truediv__(self, other: Expression | int) -> Expression:
        """Return the quotient, rounded down as in C."""
        return Arithmetic("/", self, _lifted(other))

    def __mod__(self, other: Expression | int) -> Expression:
        return Arithmetic("%", self, _lifted(other))

    def is_below(self, other: Expression | int) -> Expression:
        """Return the condition that this expression is less than another one."""
        return Arithmetic("<", self, _lifted(other))

    def is_equal_to(self, other: Expression | int) -> Expression:
        """Return the condition that this expression is equal to another one."""
        return Arithmetic("==", self, _lifted(other))


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A constant in an expression."""

    value: int


@dataclass(frozen=True, slots=True)
class NameTerm(Expression):
    """A name in an expression. The caller of `evaluate` gives its value; emitted code defines a variable so named."""

    name: str


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """Two operands and the operator between them."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice(Expression):
    """An expression with the value of `yes` if the condition holds, and else that of `no`.

    Only the expression whose value is taken is evaluated.
    """

    condition: Expression
    yes: Expression
    no: Expression


def choice(condition: Expression, yes: Expression | int, no: Expression | int) -> Expression:
    """Return the expression that has the value of `yes` if the condition holds, and else that of `no`."""
    return Choice(condition, _lifted(yes), _lifted(no))


def _lifted(operand: Expression | int) -> Expression:
    return Number(operand) if isinstance(operand, int) else operand


def evaluate(expression: Expression, names: Mapping[str, int]) -> int:
    """Return the value of an expression. `names` maps the names in it to their values.

    Raises:
        InternalError: a name has no value, or some value on the way is negative or needs more than 32 bits.
    """
    match expression:
        case Number(found):
            pass
        case NameTerm(name) if name in names:
            found = names[name]
        case Arithmetic(symbol, left, right):
            found = _OPERATIONS[symbol](evaluate(left, names), evaluate(right, names))
        case Choice(condition, yes, no):
            found = evaluate(yes if evaluate(condition, names) else no, names)
        case _:
            raise InternalError(f"{expression}: the caller has given no value for this name")
    if not 0 <= found < WORD:
        raise InternalError(f"{expression}: found {found}, expected 0 to {WORD - 1}")
    return found


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the language of a target writes those parts of an expression that differ between languages.

    The fields are templates for `str.format`. `definition` has the fields name and value. `choice` has the fields
    condition, yes and no; `choice_is_call` says that a choice needs no parentheses around it, because the language
    writes it as a call. `renamed` pairs each name that is a keyword of the language with the name to use instead.
    """

    definition: str
    number: str = "{}u"
    choice: str = "{condition} ? {yes} : {no}"
    choice_is_call: bool = False
    renamed: tuple[tuple[str, str], ...] = ()

    def name(self, name: str) -> str:
        """Return a name as this language can write it."""
        return dict(self.renamed).get(name, name)


#: The spelling of C, C++, CUDA, HIP, OpenCL C, Metal and GLSL. They differ at most in how a definition begins.
C_LIKE = Spelling("const unsigned {name} = {value};")


def spell(expression: Expression, spelling: Spelling) -> str:
    """Return the text of an expression in a language, with only the parentheses that it needs."""
    match expression:
        case Number(found):
            return spelling.number.format(found)
        case NameTerm(name):
            return spelling.name(name)
        case Arithmetic(symbol, left, right):
            # A right operand needs parentheses if its operator binds equally tightly: a - (b - c).
            binding = _BINDING[symbol]
            return f"{_operand(left, binding, spelling)} {symbol} {_operand(right, binding + 1, spelling)}"
        case Choice(condition, yes, no):
            # A choice after the colon needs no parentheses; the text then reads like a list of cases.
            parts = {"condition": spell(condition, spelling), "yes": _operand(yes, 1, spelling)}
            return spelling.choice.format(no=spell(no, spelling), **parts)
        case _:
            raise InternalError(
                f"{expression}: this is not an expression, expected a Number, Name, Operation or Choice"
            )


def _operand(expression: Expression, least_binding: int, spelling: Spelling) -> str:
    text = spell(expression, spelling)
    match expression:
        case Arithmetic(symbol) if _BINDING[symbol] < least_binding:
            return f"({text})"
        case Choice() if not spelling.choice_is_call:
            return f"({text})"
        case _:
            return text
