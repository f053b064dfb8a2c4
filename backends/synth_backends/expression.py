"""Integer expressions: written once, evaluated here, and spelt in the language of each target.

    value((WORKGROUP / 2), {"workgroup": 5})     2
    spelt((WORKGROUP / 2), C_LIKE)               workgroup / 2u

All values are unsigned integers of 32 bits, which every device has. Evaluation refuses what would leave that range, so
an expression that was evaluated everywhere it is used means the same in every language.
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
#: The higher binds the tighter; a name or a number binds tightest, a choice loosest.
_BINDING = {"<": 1, "==": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}


class Expression:
    """What has a value once the names in it have one; Python's operators make larger ones."""

    __slots__ = ()

    def __add__(self, other: Expression | int) -> Expression:
        return Operation("+", self, _lifted(other))

    def __sub__(self, other: Expression | int) -> Expression:
        return Operation("-", self, _lifted(other))

    def __mul__(self, other: Expression | int) -> Expression:
        return Operation("*", self, _lifted(other))

    def __truediv__(self, other: Expression | int) -> Expression:
        """Rounded down, as C divides unsigned integers."""
        return Operation("/", self, _lifted(other))

    def __mod__(self, other: Expression | int) -> Expression:
        return Operation("%", self, _lifted(other))

    def is_below(self, other: Expression | int) -> Expression:
        """The condition of a choice."""
        return Operation("<", self, _lifted(other))

    def is_equal_to(self, other: Expression | int) -> Expression:
        """The condition of a choice."""
        return Operation("==", self, _lifted(other))


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """Something that is given, or defined before."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation(Expression):
    """Two operands and what is between them."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice(Expression):
    """One of two expressions; the other is not evaluated."""

    condition: Expression
    yes: Expression
    no: Expression


def choice(condition: Expression, yes: Expression | int, no: Expression | int) -> Expression:
    """`yes` where the condition holds, else `no`."""
    return Choice(condition, _lifted(yes), _lifted(no))


def _lifted(operand: Expression | int) -> Expression:
    return Number(operand) if isinstance(operand, int) else operand


def value(expression: Expression, names: Mapping[str, int]) -> int:
    """The value, where names have these.

    Raises:
        InternalError: a name has none, or a value on the way is negative or takes more than 32 bits.
    """
    match expression:
        case Number(found):
            pass
        case Name(name) if name in names:
            found = names[name]
        case Operation(symbol, left, right):
            found = _OPERATIONS[symbol](value(left, names), value(right, names))
        case Choice(condition, yes, no):
            found = value(yes if value(condition, names) else no, names)
        case _:
            msg = f"{expression}: no value for this"
            raise InternalError(msg)
    if not 0 <= found < WORD:
        msg = f"{expression}: found {found}, expected 0 to {WORD - 1}"
        raise InternalError(msg)
    return found


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a language writes what is not the same in all: templates for `str.format`.

    `definition` has the fields name and value; `choice` has condition, yes and no, and `choice_is_call` says that it
    needs no parentheses around it. `renamed` pairs names that the language keeps for itself with others.
    """

    definition: str
    number: str = "{}u"
    choice: str = "{condition} ? {yes} : {no}"
    choice_is_call: bool = False
    renamed: tuple[tuple[str, str], ...] = ()

    def name(self, name: str) -> str:
        """A name as this language can write it."""
        return dict(self.renamed).get(name, name)


#: C, C++, CUDA, HIP, OpenCL C, Metal and GLSL differ at most in how a definition begins.
C_LIKE = Spelling("const unsigned {name} = {value};")


def spelt(expression: Expression, spelling: Spelling) -> str:
    """The expression in a language, with no more parentheses than it needs."""
    match expression:
        case Number(found):
            return spelling.number.format(found)
        case Name(name):
            return spelling.name(name)
        case Operation(symbol, left, right):
            # To the right of an operator one that binds as tightly needs parentheses: a - (b - c).
            binding = _BINDING[symbol]
            return f"{_operand(left, binding, spelling)} {symbol} {_operand(right, binding + 1, spelling)}"
        case Choice(condition, yes, no):
            # A further choice may stand behind the colon as it is, and is then read as a list of cases.
            parts = {"condition": spelt(condition, spelling), "yes": _operand(yes, 1, spelling)}
            return spelling.choice.format(no=spelt(no, spelling), **parts)
        case _:
            msg = f"{expression}: no expression"
            raise InternalError(msg)


def _operand(expression: Expression, least_binding: int, spelling: Spelling) -> str:
    text = spelt(expression, spelling)
    match expression:
        case Operation(symbol) if _BINDING[symbol] < least_binding:
            return f"({text})"
        case Choice() if not spelling.choice_is_call:
            return f"({text})"
        case _:
            return text
