"""Read formulas: by precedence, for operators that `operators` lists.

The reader takes a predicate and an expression by the same rules, and then refuses operands of the wrong kind. A reader
of whole texts gives it a list of tokens and takes the tokens that are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError, quoted
from synth_machines.formulas.binders import BinderReader
from synth_machines.formulas.cursor import MOST_NESTED
from synth_machines.formulas.formula import (
    CONSTANTS,
    GENERIC,
    FormulaConstant,
    FormulaName,
    FormulaNumber,
    FormulaOperation,
    is_predicate,
)
from synth_machines.formulas.operators import (
    CALLS,
    MANY,
    NOT_PRIORITY,
    OF_PREDICATES,
    PREFIX_MINUS,
    PRIORITIES,
    may_follow,
)
from synth_machines.formulas.tokens import tokens_of
from synth_machines.formulas.type_expressions import as_type

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.tokens import Token
    from synth_machines.formulas.types import Type


def read_predicate(text: str) -> Formula:
    """Read a predicate.

    Raises:
        InputError: the text is no predicate; the message says where.
        LimitError: the predicate is nested too deep.
    """
    reader = FormulaReader(tokens_of(text))
    formula = reader.predicate()
    reader.expect_end()
    return formula


def read_expression(text: str) -> Formula:
    """Read an expression. It raises the same errors as `read_predicate`."""
    reader = FormulaReader(tokens_of(text))
    formula = reader.expression()
    reader.expect_end()
    return formula


def read_type(text: str) -> Type:
    """Read a type, such as ℙ(ℤ×S). It raises the same errors as `read_predicate`."""
    reader = FormulaReader(tokens_of(text))
    type_ = reader.type()
    reader.expect_end()
    return type_


class FormulaReader(BinderReader):
    """Reads formulas from a list of tokens."""

    def predicate(self) -> Formula:
        """Read a predicate."""
        return self._of_kind(is_wanted=True, lowest=0)

    def expression(self, lowest: int = 4) -> Formula:
        """Read an expression whose operators bind at least as tightly as `lowest`."""
        return self._of_kind(is_wanted=False, lowest=lowest)

    def type(self) -> Type:
        """Read a type."""
        token = self.next
        type_ = as_type(self.expression(5))
        if type_ is None:
            raise self.fail("a type", token)
        return type_

    def _of_kind(self, *, is_wanted: bool, lowest: int) -> Formula:
        token = self.next
        formula = self._formula(lowest)
        self._check(formula, token, is_wanted=is_wanted)
        return formula

    def _check(self, formula: Formula, token: Token, *, is_wanted: bool) -> None:
        if is_predicate(formula) != is_wanted:
            what, other = ("a predicate", "an expression") if is_wanted else ("an expression", "a predicate")
            raise InputError(f"{token.place}: found {other} that begins with {quoted(token.text)}, expected {what}")

    def _formula(self, lowest: int) -> Formula:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise LimitError(f"{self.next.place}: found more than {MOST_NESTED} formulas inside each other")
        start = self.next
        left = self._prefix()
        previous, previous_priority, length = "", 99, 0
        while self.next.kind == "symbol" and (priority := PRIORITIES.get(self.next.text, -1)) >= lowest:
            operator = self.next.text
            if priority == previous_priority and not may_follow(previous, operator):
                raise self.fail(f"parentheses, because {operator} stands beside {previous}")
            length += 1
            if length > MOST_NESTED and operator not in MANY:
                raise LimitError(f"{self.next.place}: found more than {MOST_NESTED} operators beside each other")
            self._check(left, start, is_wanted=operator in OF_PREDICATES)
            self.take()
            operand = self.next
            right = self._formula(priority + 1)
            self._check(right, operand, is_wanted=operator in OF_PREDICATES)
            is_same = operator == previous and priority == previous_priority
            if is_same and operator in MANY and isinstance(left, FormulaOperation):
                left = FormulaOperation(operator, (*left.operands, right))
            else:
                left = FormulaOperation(operator, (left, right))
            previous, previous_priority = operator, priority
        self.depth -= 1
        return left

    def _prefix(self) -> Formula:
        token = self.next
        if self.is_next("¬"):
            self.take()
            operand = self.next
            formula = self._formula(NOT_PRIORITY)
            self._check(formula, operand, is_wanted=True)
            return FormulaOperation("¬", (formula,))
        if self.is_next("−"):
            self.take()
            if self.next.kind == "number" and not self._is_power_next():
                return self._postfixes(FormulaNumber(-int(self.take().text)), token)
            return FormulaOperation("−", (self.expression(PREFIX_MINUS + 1),))
        if self.is_next("∀", "∃", "⋃", "⋂", "λ"):
            return self.quantified()
        return self._postfixes(self._primary(), token)

    def _is_power_next(self) -> bool:
        after = self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        return after.kind == "symbol" and after.text == "^"

    def _postfixes(self, formula: Formula, start: Token) -> Formula:
        length = 0
        while self.is_next("(", "[", "∼", "⦂"):
            self._check(formula, start, is_wanted=False)
            length += 1
            if length > MOST_NESTED:
                raise LimitError(f"{self.next.place}: found more than {MOST_NESTED} arguments behind each other")
            opening = self.take().text
            if opening == "∼":
                formula = FormulaOperation("∼", (formula,))
            elif opening == "⦂":
                formula = self._typed(formula)
            else:
                closing = {"(": ")", "[": "]"}[opening]
                argument = self.expression()
                self.expect(closing)
                formula = FormulaOperation(opening + closing, (formula, argument))
        return formula

    def _typed(self, formula: Formula) -> Formula:
        if not isinstance(formula, FormulaConstant) or formula.word not in GENERIC:
            raise self.fail(f"a type only after a bound name or after {', '.join(GENERIC)}")
        return FormulaConstant(formula.word, self.type())

    def _primary(self) -> Formula:
        token = self.next
        if self.is_name_next:
            return FormulaName(self.take().text)
        if token.kind == "number":
            return FormulaNumber(int(self.take().text))
        if token.kind != "symbol":
            raise self.fail("a formula")
        if token.text in CONSTANTS:
            return FormulaConstant(self.take().text)
        if token.text in CALLS:
            return self._call()
        if token.text == "(":
            self.take()
            formula = self._formula(0)
            self.expect(")")
            return formula
        if token.text == "{":
            return self._set()
        raise self.fail("a formula")

    def _call(self) -> Formula:
        operator = self.take().text
        self.expect("(")
        operands = [self.predicate() if operator == "bool" else self.expression()]
        while operator == "partition" and self.is_next(","):
            self.take()
            operands.append(self.expression())
        self.expect(")")
        return FormulaOperation(operator, tuple(operands))

    def _set(self) -> Formula:
        self.expect("{")
        if self.is_next("}"):
            self.take()
            return FormulaConstant("∅")
        if self.is_name_next and self.has_bound_names():
            formula: Formula = self.comprehension("{}", self.bound_names())
        else:
            first = self.expression()
            formula = self.implicit("{}", first) if self.is_next("∣") else self._members(first)
        self.expect("}")
        return formula

    def _members(self, first: Formula) -> Formula:
        members = [first]
        while self.is_next(","):
            self.take()
            members.append(self.expression())
        return FormulaOperation("{,}", tuple(members))
