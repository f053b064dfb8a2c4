"""Mutants of a model: its set expression with one change (mutation analysis, DeMillo, Lipton and Sayward 1978).

An implementation that breaks a promise is likely to be almost right. So a suite should tell a model not only from other
models, but also from its mutants. A mutant has one of these changes, in one place:

- an operator becomes another one;
- an operation or a function becomes one of its operands;
- a function becomes another one;
- a name becomes another one, or becomes an operand of `lowest`, `highest` or `upto`.

Of several mutants with the same fair sets in every state on a cycle, only the one with the shortest text is kept. A
mutant with the same fair sets as the model itself is dropped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.models.expression import (
    FUNCTIONS,
    NAMES,
    OPERATORS,
    Expression,
    Function,
    Name,
    Operation,
    evaluate,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models import Model


def mutants(model: Model, threads: int) -> tuple[Model, ...]:
    """Return the mutants of a model, sorted by the length of their expressions and then by text.

    Each mutant is a model whose name is its expression. Only a model that is a set expression has mutants. Two mutants
    are different if their fair sets differ for some number of threads up to `threads`.
    """
    if not isinstance(model.fair, Expression):
        return ()
    texts = {_denoted(model.fair, threads): ""}
    by_text = {written(changed): changed for changed in _changed(model.fair)}
    return tuple(
        replace(model, name=text, definition=text, fair=by_text[text], about="")
        for text in sorted(by_text, key=lambda text: (len(text), text))
        if texts.setdefault(_denoted(by_text[text], threads), text) == text
    )


def _changed(node: Expression) -> Iterator[Expression]:
    """Yield every expression that differs from this one by one change."""
    match node:
        case Name(name):
            yield from (Name(other) for other in NAMES if other != name)
            yield from (Function(function, node) for function in FUNCTIONS)
        case Function(function, of):
            yield of
            yield from (Function(other, of) for other in FUNCTIONS if other != function)
            yield from (Function(function, changed) for changed in _changed(of))
        case Operation(operator, left, right):
            yield from (left, right)
            yield from (Operation(other, left, right) for other in OPERATORS if other != operator)
            yield from (Operation(operator, changed, right) for changed in _changed(left))
            yield from (Operation(operator, left, changed) for changed in _changed(right))


def _denoted(expression: Expression, threads: int) -> tuple[int, ...]:
    """Return the fair sets in all states on a cycle.

    There, every thread that has not stepped is live, and so is at least one that has.
    """
    return tuple(
        live & evaluate(expression, live=live, stepped=stepped, everyone=everyone)
        for everyone in ((1 << t) - 1 for t in range(1, threads + 1))
        for live in range(everyone + 1)
        for stepped in range(everyone + 1)
        if live | stepped == everyone and live & stepped
    )
