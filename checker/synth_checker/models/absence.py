"""Explain why a thread is not in the fair set: which parts of the model's set expression leave it out.

The explanation follows the operators of the expression:

- A thread is not in `A | B` because neither `A` nor `B` contains it.
- A thread is not in `A & B` because `A`, `B` or both do not contain it.
- A thread is not in `A - B` because `A` does not contain it, or because `B` does.

So the explanation goes down into the parts of the expression, until it comes to a name or a function, such as `stepped`
or `lowest(live)`. This is the reason that it gives.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_checker.models.expression import Expression, Operation, evaluate, written


@dataclass(frozen=True, slots=True)
class AbsenceReason:
    """A reason why a thread is not in the set that an expression denotes: a part of the expression.

    `part` is the text of that part. `threads` is the set that the part denotes, as a bit mask. If `taken_away` is
    False, the thread is missing in this set. If it is True, the set contains the thread, and the expression subtracts
    the set.
    """

    part: str
    threads: int
    taken_away: bool


def reasons_of_absence(
    expression: Expression, thread: int, /, *, live: int, stepped: int, everyone: int, **others: int
) -> tuple[AbsenceReason, ...]:
    """Return the reasons why a thread is not in the set that an expression denotes, from left to right.

    The result is empty if the thread is in the set.

    `live`, `stepped`, `everyone` and `others` are the sets for which the names in the expression stand, as bit masks.
    """

    def value(node: Expression) -> int:
        return evaluate(node, live=live, stepped=stepped, everyone=everyone, **others)

    def reasons(node: Expression) -> tuple[AbsenceReason, ...]:
        if value(node) >> thread & 1:
            return ()
        if not isinstance(node, Operation):
            return (AbsenceReason(written(node), value(node), taken_away=False),)
        if node.operator == "-":
            return reasons(node.left) or (AbsenceReason(written(node.right), value(node.right), taken_away=True),)
        return tuple(dict.fromkeys((*reasons(node.left), *reasons(node.right))))

    return reasons(expression)
