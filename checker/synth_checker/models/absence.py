"""Why a thread is not in the fair set of a set expression: which parts of the expression leave it out.

A thread is missing from `A | B` because both parts lack it, from `A & B` because of each part that does, and from `A -
B` because A lacks it or B, which is taken away, has it. What cannot be taken apart further, a name or a function, is
the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_checker.models.expression import Expression, Function, Name, Operation, evaluate

_BINDING = ("|", "&", "-")


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of an expression, as text, and the threads in it, a bit mask; `taken_away` if it has the thread."""

    part: str
    threads: int
    taken_away: bool


def reasons_of_absence(
    expression: Expression, thread: int, *, live: int, stepped: int, everyone: int
) -> tuple[Reason, ...]:
    """The parts that leave a thread out of the set, from left to right; none if the thread is in it."""

    def value(node: Expression) -> int:
        return evaluate(node, live=live, stepped=stepped, everyone=everyone)

    def reasons(node: Expression) -> tuple[Reason, ...]:
        if value(node) >> thread & 1:
            return ()
        if not isinstance(node, Operation):
            return (Reason(written(node), value(node), taken_away=False),)
        if node.operator == "-":
            return reasons(node.left) or (Reason(written(node.right), value(node.right), taken_away=True),)
        return tuple(dict.fromkeys((*reasons(node.left), *reasons(node.right))))

    return reasons(expression)


def written(expression: Expression) -> str:
    """An expression as text, with the parentheses that it needs."""
    match expression:
        case Name(name):
            return name
        case Function(function, of):
            return f"{function}({written(of)})"
        case Operation(operator, left, right):
            # From the left: a - b - c is (a - b) - c.
            first, second = _inside(left, operator, 0), _inside(right, operator, 1)
            return f"{first} {operator} {second}"


def _inside(part: Expression, operator: str, more: int) -> str:
    loose = isinstance(part, Operation) and _BINDING.index(part.operator) < _BINDING.index(operator) + more
    return f"({written(part)})" if loose else written(part)
