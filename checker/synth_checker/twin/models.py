"""Evaluate models directly from their set expressions, with Python's sets and no tables (definitions, section 4).

The state of a model is always the set of the threads that have stepped, even if the expression does not mention it. So
this module also checks the automata that the other modules make from the expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from synth_checker.models.expression import Expression, Function, Name
from synth_checker.twin.semantics import lts, start
from synth_checker.twin.verdicts import TwinProduct, fails_strongly, fails_weakly, product

if TYPE_CHECKING:
    from collections.abc import Hashable

    from synth_checker.programs.program import Program

Threads = frozenset[int]


def lowest(threads: Threads) -> Threads:
    """Return the set of the lowest id in a set, or the empty set."""
    return frozenset({min(threads)}) if threads else threads


def highest(threads: Threads) -> Threads:
    """Return the set of the highest id in a set, or the empty set."""
    return frozenset({max(threads)}) if threads else threads


def upto(threads: Threads) -> Threads:
    """Return the set of all ids that are not above the highest id in a set, or the empty set."""
    return frozenset(range(max(threads) + 1)) if threads else threads


def denoted(expression: Expression, *, live: Threads, stepped: Threads, everyone: Threads) -> Threads:
    """Return the set of threads that an expression denotes."""

    def value(node: Expression) -> Threads:
        if isinstance(node, Name):
            return {"live": live, "stepped": stepped, "all": everyone, "none": frozenset[int]()}[node.name]
        if isinstance(node, Function):
            return {"lowest": lowest, "highest": highest, "upto": upto}[node.function](value(node.of))
        left, right = value(node.left), value(node.right)
        return {"-": left - right, "&": left & right, "|": left | right}[node.operator]

    return value(expression)


def history_product(program: Program, expression: Expression) -> TwinProduct:
    """Return the product of a program and the set of threads that have stepped, which includes terminated threads."""
    everyone = frozenset(range(len(program)))

    def advance(stepped: Hashable, thread: int, still_live: bool) -> Threads:  # noqa: ARG001, FBT001  (an `Advance`)
        return cast("Threads", stepped) | {thread}

    def fair_set(stepped: Hashable, live: Threads) -> Threads:
        return denoted(expression, live=live, stepped=cast("Threads", stepped), everyone=everyone)

    return product(lts(program), start(program), frozenset(), advance, fair_set)


def passes(program: Program, expression: Expression) -> tuple[bool, bool]:
    """Return whether a program passes the weak form and the strong form of a model, given by its set expression."""
    product = history_product(program, expression)
    return not fails_weakly(product), not fails_strongly(product)
