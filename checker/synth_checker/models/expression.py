"""Set expressions over threads, in which models are written (definitions, section 4).

    live & (stepped | lowest(live))

The sets are `live`, `stepped`, `all`, `none`; the functions `lowest(S)`, `highest(S)` and `upto(S)`; the operators `-`,
`&`, `|`, binding in this order. A set of threads is a bit mask: bit t for thread t.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from synth_checker.models.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FunctionName = Literal["lowest", "highest", "upto"]
Operator = Literal["-", "&", "|"]
NAMES = ("live", "stepped", "all", "none")
FUNCTIONS: tuple[FunctionName, ...] = get_args(FunctionName)
_CALLS = ", ".join(f"{function}(S)" for function in FUNCTIONS)
_OF_MASKS: dict[FunctionName, Callable[[int], int]] = {
    "lowest": lambda threads: threads & -threads,
    "highest": lambda threads: 1 << threads.bit_length() >> 1,
    "upto": lambda threads: (1 << threads.bit_length()) - 1,
}
#: From the one that binds tightest to the loosest.
OPERATORS: tuple[Operator, ...] = get_args(Operator)
#: Parentheses inside each other: reading one takes six calls of Python's stack.
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Name:
    """One of the four named sets, or a set of an automaton (`synth_checker.models.guarded`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """`lowest(of)`, `highest(of)` or `upto(of)`."""

    function: FunctionName
    of: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """`left - right`, `left & right` or `left | right`."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Name | Function | Operation


def evaluate(expression: Expression, /, *, live: int, stepped: int, everyone: int, **others: int) -> int:
    """The set an expression denotes, for the sets of live, of stepped and of all threads, and others by their names."""
    named = {"live": live, "stepped": stepped, "all": everyone, "none": 0, **others}

    def value(node: Expression) -> int:
        match node:
            case Name(name):
                return named[name]
            case Function(function, of):
                return _OF_MASKS[function](value(of))
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
    words = Words(text, source, column)
    found = read_expression(words)
    if words.word:
        words.fail("an operator (-, &, |) or the end")
    return found


def read_expression(words: Words, names: Sequence[str] = NAMES) -> Expression:
    """Read the set expression that comes next among some words, as far as it goes; `names` are the sets there are.

    Raises:
        InputError: with the offending word and its column.
    """
    return _Reader(words, names).level(0)


class _Reader:
    """Precedence climbing, from the loosest operator to the tightest."""

    _BINDING = OPERATORS[::-1]

    def __init__(self, words: Words, names: Sequence[str]) -> None:
        self._words = words
        self._names = names
        self._depth = 0

    def level(self, level: int) -> Expression:
        if level == len(self._BINDING):
            return self._atom()
        operator = self._BINDING[level]
        left = self.level(level + 1)
        while self._words.takes(operator):
            left = Operation(operator, left, self.level(level + 1))
        return left

    def _atom(self) -> Expression:
        word = self._words.word
        if word in self._names:
            return Name(self._words.take())
        if word in FUNCTIONS:
            self._words.take()
            return Function(word, self._parenthesised())
        if word == "(":
            return self._parenthesised()
        return self._words.fail(f"a set ({', '.join(self._names)}), {_CALLS} or a parenthesis")

    def _parenthesised(self) -> Expression:
        if self._words.word == "(" and self._depth == MAX_DEPTH:
            self._words.fail(f"at most {MAX_DEPTH} parentheses inside each other")
        self._words.expect("(")
        self._depth += 1
        inner = self.level(0)
        self._words.expect(")")
        self._depth -= 1
        return inner
