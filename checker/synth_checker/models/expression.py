"""Set expressions over threads, in which models are written (definitions, section 4).

    live & (stepped | lowest(live))

The sets are `live`, `stepped`, `all`, `none`; the functions `lowest(S)` and `upto(S)`; the operators `-`, `&`, `|`,
binding in this order. A set of threads is a bit mask: bit t for thread t.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NoReturn, get_args

from synth_checker.errors import InputError

SetName = Literal["live", "stepped", "all", "none"]
FunctionName = Literal["lowest", "upto"]
Operator = Literal["-", "&", "|"]
NAMES: tuple[SetName, ...] = get_args(SetName)
FUNCTIONS: tuple[FunctionName, ...] = get_args(FunctionName)
#: From the one that binds tightest to the loosest.
OPERATORS: tuple[Operator, ...] = get_args(Operator)
#: Far beyond any model; deeper expressions would exhaust Python's stack.
MAX_WORDS = 300
#: Parentheses inside each other, for the same reason: reading one takes six calls.
MAX_DEPTH = 50
_TOKEN = re.compile(r"\s*([A-Za-z_]+|\S)")


@dataclass(frozen=True, slots=True)
class Name:
    """One of the four named sets."""

    name: SetName


@dataclass(frozen=True, slots=True)
class Function:
    """`lowest(of)` or `upto(of)`."""

    function: FunctionName
    of: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """`left - right`, `left & right` or `left | right`."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Name | Function | Operation


def evaluate(expression: Expression, *, live: int, stepped: int, everyone: int) -> int:
    """The set an expression denotes, for the sets of live, of stepped and of all threads."""

    def value(node: Expression) -> int:
        match node:
            case Name(name):
                return {"live": live, "stepped": stepped, "all": everyone, "none": 0}[name]
            case Function("lowest", of):
                threads = value(of)
                return threads & -threads
            case Function("upto", of):
                return (1 << value(of).bit_length()) - 1
            case Operation("-", left, right):
                return value(left) & ~value(right)
            case Operation("&", left, right):
                return value(left) & value(right)
            case Operation("|", left, right):
                return value(left) | value(right)
        raise AssertionError(node)

    return value(expression)


def mentions(expression: Expression, name: str) -> bool:
    """Whether a named set occurs in the expression."""
    match expression:
        case Name(found):
            return found == name
        case Function(_, of):
            return mentions(of, name)
        case Operation(_, left, right):
            return mentions(left, name) or mentions(right, name)


def written(expression: Expression) -> str:
    """The text of an expression, with no more parentheses than `parse` needs to read it back."""
    match expression:
        case Name(name):
            return name
        case Function(function, of):
            return f"{function}({written(of)})"
        case Operation(operator, left, right):
            # Of equal operators the left one binds first.
            return f"{_operand(left, operator)} {operator} {_operand(right, operator, is_right=True)}"


def _operand(node: Expression, operator: Operator, *, is_right: bool = False) -> str:
    tighter = not isinstance(node, Operation) or (
        OPERATORS.index(node.operator) < OPERATORS.index(operator) + (not is_right)
    )
    return written(node) if tighter else f"({written(node)})"


def parse(text: str, source: str = "model expression", column: int = 1) -> Expression:
    """Read a set expression, which starts at a column of its line.

    Raises:
        InputError: with the offending word and its column.
    """
    return _Parser(text, source, column).expression()


class _Parser:
    """Precedence climbing, from the loosest operator to the tightest."""

    _BINDING = OPERATORS[::-1]

    def __init__(self, text: str, source: str, column: int) -> None:
        self._source = source
        self._words = [(match.group(1), match.start(1) + column) for match in _TOKEN.finditer(text)]
        self._words.append(("", len(text) + column))
        self._at = 0
        self._depth = 0
        if len(self._words) > MAX_WORDS:
            self._at = MAX_WORDS
            self._fail(f"at most {MAX_WORDS} words")

    def expression(self) -> Expression:
        found = self._level(0)
        if self._word:
            self._fail("an operator (-, &, |) or the end")
        return found

    @property
    def _word(self) -> str:
        return self._words[self._at][0]

    def _level(self, level: int) -> Expression:
        if level == len(self._BINDING):
            return self._atom()
        operator = self._BINDING[level]
        left = self._level(level + 1)
        while self._word == operator:
            self._at += 1
            left = Operation(operator, left, self._level(level + 1))
        return left

    def _atom(self) -> Expression:
        word = self._word
        if word in NAMES:
            self._at += 1
            return Name(word)
        if word in FUNCTIONS:
            self._at += 1
            return Function(word, self._parenthesised())
        if word == "(":
            return self._parenthesised()
        return self._fail(f"a set ({', '.join(NAMES)}), lowest(S), upto(S) or a parenthesis")

    def _parenthesised(self) -> Expression:
        if self._word == "(" and self._depth == MAX_DEPTH:
            self._fail(f"at most {MAX_DEPTH} parentheses inside each other")
        self._expect("(")
        self._depth += 1
        inner = self._level(0)
        self._expect(")")
        self._depth -= 1
        return inner

    def _expect(self, word: str) -> None:
        if self._word != word:
            self._fail(f"'{word}'")
        self._at += 1

    def _fail(self, expected: str) -> NoReturn:
        word, column = self._words[self._at]
        found = repr(word) if word else "the end"
        msg = f"{self._source}: column {column}: found {found}, expected {expected}"
        raise InputError(msg)
