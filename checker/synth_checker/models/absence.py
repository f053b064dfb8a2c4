"""Why a thread is not in the fair set of a set expression: which parts of the expression leave it out.

A thread is missing from `A | B` because both parts lack it, from `A & B` because of each part that does, and from `A -
B` because A lacks it or B, which is taken away, has it. What cannot be taken apart further, a name or a function, is
the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_checker.models.expression import Expression, Operation, evaluate, written


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of an expression, as text, and the threads in it, a bit mask; `taken_away` if it has the thread."""

    part: str
    threads: int
    taken_away: bool


def reasons_of_absence(
    expression: Expression, thread: int, /, *, live: int, stepped: int, everyone: int, **others: int
) -> tuple[Reason, ...]:
    """The parts that leave a thread out of the set, from left to right; none if the thread is in it."""

    def value(node: Expression) -> int:
        return evaluate(node, live=live, stepped=stepped, everyone=everyone, **others)

    def reasons(node: Expression) -> tuple[Reason, ...]:
        if value(node) >> thread & 1:
            return ()
        if not isinstance(node, Operation):
            return (Reason(written(node), value(node), taken_away=False),)
        if node.operator == "-":
            return reasons(node.left) or (Reason(written(node.right), value(node.right), taken_away=True),)
        return tuple(dict.fromkeys((*reasons(node.left), *reasons(node.right))))

    return reasons(expression)
