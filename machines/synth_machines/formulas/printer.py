"""Write formulas as text: in Unicode, with as few parentheses as the reader allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Constant, Name, Number, Operation
from synth_machines.formulas.names import free_names
from synth_machines.formulas.operators import (
    MANY,
    NOT_PRIORITY,
    POSTFIX,
    PREFIX_MINUS,
    PRIORITIES,
    PRIVATE,
    TIGHTEST,
    may_follow,
)
from synth_machines.formulas.types import shown_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from synth_machines.formulas.formula import Bound, Formula

#: Operators that are written without spaces around them.
_TIGHT = {"^"}


def shown(formula: Formula, *, quote: Callable[[str], str] = str, with_types: bool = False, rodin: bool = False) -> str:
    """Return a formula as text.

    `quote` writes a name. `with_types` adds the types of bound names and of constants such as ∅, as far as they are
    known. `rodin` spells `<+` and the like as Rodin's files do.
    """
    return _Writer(quote, with_types=with_types, rodin=rodin).text(formula)


class _Writer:
    def __init__(self, quote: Callable[[str], str], *, with_types: bool, rodin: bool) -> None:
        self._quote = quote
        self._with_types = with_types
        self._rodin = rodin

    def text(self, formula: Formula, lowest: int = -1) -> str:
        """Return a formula, in parentheses if it binds less tightly than `lowest`."""
        match formula:
            case Name(name):
                return self._quote(name)
            case Number(value):
                text = f"−{-value}" if value < 0 else str(value)
                return f"({text})" if value < 0 and lowest > PREFIX_MINUS else text
            case Constant(word, kind):
                if self._with_types and kind is not None:
                    return f"({word} ⦂ {shown_type(kind)})"
                return word
            case Binding():
                text, priority = self._binding(formula)
            case Operation():
                text, priority = self._operation(formula)
        return f"({text})" if priority < lowest else text

    def _operation(self, formula: Operation) -> tuple[str, int]:
        operator, operands = formula.operator, formula.operands
        match operator:
            case "()" | "[]":
                return f"{self.text(operands[0], POSTFIX)}{operator[0]}{self.text(operands[1])}{operator[1]}", POSTFIX
            case "∼":
                return f"{self.text(operands[0], POSTFIX)}∼", POSTFIX
            case "{,}":
                return f"{{{self._listed(operands)}}}", TIGHTEST
            case "¬":
                return f"¬{self.text(operands[0], NOT_PRIORITY)}", NOT_PRIORITY
            case "−" if len(operands) == 1:
                text = self.text(operands[0], PREFIX_MINUS + 1)
                # A number behind the sign would be read as one negative number, as in −(2 ∗ i).
                return f"−({text})" if text[0].isdigit() else f"−{text}", PREFIX_MINUS
            case _ if operator in PRIORITIES:
                return self._infix(operator, operands), PRIORITIES[operator]
            case _:
                return f"{operator}({self._listed(operands)})", TIGHTEST

    def _infix(self, operator: str, operands: tuple[Formula, ...]) -> str:
        priority = PRIORITIES[operator]
        first, *others = operands
        texts = [self._left(operator, first), *(self.text(other, priority + 1) for other in others)]
        spelt = PRIVATE.get(operator, operator) if self._rodin else operator
        return (spelt if operator in _TIGHT else f" {spelt} ").join(texts)

    def _left(self, operator: str, operand: Formula) -> str:
        """Return the left operand, without parentheses if its operator may stand beside this one."""
        priority = PRIORITIES[operator]
        inner = operand.operator if isinstance(operand, Operation) else ""
        is_beside = PRIORITIES.get(inner) == priority and may_follow(inner, operator)
        # The reader joins `a ∧ b ∧ c`, so a conjunction inside a conjunction needs its parentheses.
        is_joined = inner == operator and operator in MANY
        if isinstance(operand, Operation) and len(operand.operands) == 1 and inner == "−":
            is_beside, is_joined = True, False
        return self.text(operand, priority if is_beside and not is_joined else priority + 1)

    def _binding(self, formula: Binding) -> tuple[str, int]:
        condition, value = formula.condition, formula.value
        if value is None:
            return f"{formula.binder}{self._bounds(formula.bound)}·{self.text(condition)}", -1
        if formula.form == "lambda" and isinstance(value, Operation):
            pattern = self._pattern(value.operands[0], {name.name: name for name in formula.bound})
            return f"λ{pattern}·{self.text(condition)} ∣ {self.text(value.operands[1])}", -1
        is_implicit = formula.form == "implicit" and free_names(value) == list(formula.names) and not self._with_types
        if is_implicit:
            text = f"{self.text(value)} ∣ {self.text(condition)}"
        else:
            text = f"{self._bounds(formula.bound)}·{self.text(condition)} ∣ {self.text(value)}"
        return (f"{{{text}}}", TIGHTEST) if formula.binder == "{}" else (f"{formula.binder}{text}", -1)

    def _pattern(self, pattern: Formula, bound: dict[str, Bound]) -> str:
        if isinstance(pattern, Operation):
            left, right = pattern.operands
            second = self._pattern(right, bound)
            return f"{self._pattern(left, bound)} ↦ {f'({second})' if isinstance(right, Operation) else second}"
        return self._bound(bound[pattern.name]) if isinstance(pattern, Name) else self.text(pattern)

    def _bounds(self, bound: Iterable[Bound]) -> str:
        return ",".join(map(self._bound, bound))

    def _bound(self, bound: Bound) -> str:
        has_type = self._with_types and bound.type is not None
        return (
            f"{self._quote(bound.name)} ⦂ {shown_type(bound.type)}"
            if has_type and bound.type
            else self._quote(bound.name)
        )

    def _listed(self, formulas: Iterable[Formula]) -> str:
        return ", ".join(self.text(formula) for formula in formulas)
