"""Mutants of a model: its set expression with one thing changed (mutation analysis, DeMillo, Lipton and Sayward 1978).

An implementation that gets a guarantee wrong is likely to get it nearly right; so a suite that tells a model from its
mutants says more than one that only tells it from other models. One of these is changed, in one place:

- an operator becomes another one;
- an operation becomes one of its operands, and so does a function;
- a function becomes another one;
- a name becomes another one, or `lowest`, `highest` or `upto` of itself.

Mutants with the same fair sets in every state on a cycle are one mutant, that with the shortest text; so are those that
have the model's own, which are none.
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
    """The mutants of a model, each a model called by its expression, by length and then by text.

    A model that is no set expression has none.

    Those that fair sets for at most so many threads do not tell apart are one.
    """
    if not isinstance(model.fair, Expression):
        return ()
    found = {_denoted(model.fair, threads): ""}
    by_text = {written(changed): changed for changed in _changed(model.fair)}
    return tuple(
        replace(model, name=text, definition=text, fair=by_text[text], about="")
        for text in sorted(by_text, key=lambda text: (len(text), text))
        if found.setdefault(_denoted(by_text[text], threads), text) == text
    )


def _changed(node: Expression) -> Iterator[Expression]:
    """Every expression with one change."""
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
    """The fair set in every state on a cycle: who has not stepped is live, and one of those who have is."""
    return tuple(
        live & evaluate(expression, live=live, stepped=stepped, everyone=everyone)
        for everyone in ((1 << t) - 1 for t in range(1, threads + 1))
        for live in range(everyone + 1)
        for stepped in range(everyone + 1)
        if live | stepped == everyone and live & stepped
    )
