"""Set expressions over threads, in which models are written (definitions, section 4).

    live & (stepped | lowest(live))

The sets are `live`, `stepped`, `all` and `none`. The functions are `lowest(S)`, `highest(S)` and `upto(S)`; `upto(S)`
is the set of all threads with ids up to the highest id in S. The operators are `-`, `&` and `|`; `-` binds most tightly
and `|` least. A set of threads is a bit mask in which bit t stands for thread t.
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
#: The operators, from the one that binds most tightly to the one that binds least.
OPERATORS: tuple[Operator, ...] = get_args(Operator)
#: The limit for nested parentheses, because reading one takes six levels of Python's call stack.
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a set expression: one of the four sets, or a set of a guarded automaton."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """An application of a function in a set expression: `lowest(of)`, `highest(of)` or `upto(of)`."""

    function: FunctionName
    of: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """An application of an operator in a set expression: `left - right`, `left & right` or `left | right`."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Name | Function | Operation


def evaluate(expression: Expression, /, *, live: int, stepped: int, everyone: int, **others: int) -> int:
    """Return the set of threads that an expression denotes, as a bit mask.

    `live`, `stepped` and `everyone` are the sets of the threads that are live, that have stepped, and of all threads.
    `others` maps further names in the expression to sets. All sets are bit masks.
    """
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
    """Return whether the set with this name occurs in the expression."""
    match expression:
        case Name(set_name):
            return set_name == name
        case Function(_, of):
            return mentions(of, name)
        case Operation(_, left, right):
            return mentions(left, name) or mentions(right, name)


def functions_in(expression: Expression) -> frozenset[Function]:
    """Return all applications of functions in an expression, also those within others."""
    match expression:
        case Name():
            return frozenset()
        case Function(_, of):
            return functions_in(of) | {expression}
        case Operation(_, left, right):
            return functions_in(left) | functions_in(right)


def written(expression: Expression) -> str:
    """Return the text of an expression, with only those parentheses that `parse` needs to read it back."""
    match expression:
        case Name(name):
            return name
        case Function(function, of):
            return f"{function}({written(of)})"
        case Operation(operator, left, right):
            # Of two equal operators, the left one is applied first.
            return f"{_operand(left, operator)} {operator} {_operand(right, operator, is_right=True)}"


def _operand(node: Expression, operator: Operator, *, is_right: bool = False) -> str:
    tighter = not isinstance(node, Operation) or (
        OPERATORS.index(node.operator) < OPERATORS.index(operator) + (not is_right)
    )
    return written(node) if tighter else f"({written(node)})"


def parse(text: str, source: str = "model expression", column: int = 1) -> Expression:
    """Read a set expression. `column` is the column of its line at which it starts; `source` is its name in messages.

    Raises:
        InputError: the text is not an expression; the message names the first wrong word and its column.
    """
    words = Words(text, source, column)
    expression = read_expression(words)
    if words.word:
        words.fail("an operator (-, &, |) or the end")
    return expression


def read_expression(words: Words, names: Sequence[str] = NAMES) -> Expression:
    """Read the set expression that comes next among some words, up to the first word that cannot continue it.

    `names` are the names of sets that the expression may use.

    Raises:
        InputError: the words do not begin with an expression; the message names the first wrong word and its column.
    """
    return _Reader(words, names).level(0)


class _Reader:
    """A parser that uses precedence climbing, from the operator that binds least to the one that binds most tightly."""

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
            self._words.fail(f"at most {MAX_DEPTH} nested parentheses")
        self._words.expect("(")
        self._depth += 1
        inner = self.level(0)
        self._words.expect(")")
        self._depth -= 1
        return inner
