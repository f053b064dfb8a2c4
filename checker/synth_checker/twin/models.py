"""Models straight from their set expressions, over Python's own sets and without tables (definitions, section 4).

The history is kept as it is, the set of the threads that have stepped, whether the expression asks for it or not; so
this also checks the automata that the models are compiled to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from synth_checker.models.expression import Expression, Function, Name
from synth_checker.twin.semantics import lts, start
from synth_checker.twin.verdicts import Product, fails_strongly, fails_weakly, product

if TYPE_CHECKING:
    from collections.abc import Hashable

    from synth_checker.programs.program import Program

Threads = frozenset[int]


def lowest(threads: Threads) -> Threads:
    """The lowest id, as a set."""
    return frozenset({min(threads)}) if threads else threads


def highest(threads: Threads) -> Threads:
    """The highest id, as a set."""
    return frozenset({max(threads)}) if threads else threads


def upto(threads: Threads) -> Threads:
    """All ids not above the highest; empty if there is none."""
    return frozenset(range(max(threads) + 1)) if threads else threads


def denoted(expression: Expression, *, live: Threads, stepped: Threads, everyone: Threads) -> Threads:
    """The set that an expression denotes."""

    def value(node: Expression) -> Threads:
        if isinstance(node, Name):
            return {"live": live, "stepped": stepped, "all": everyone, "none": frozenset[int]()}[node.name]
        if isinstance(node, Function):
            return {"lowest": lowest, "highest": highest, "upto": upto}[node.function](value(node.of))
        left, right = value(node.left), value(node.right)
        return {"-": left - right, "&": left & right, "|": left | right}[node.operator]

    return value(expression)


def history_product(program: Program, expression: Expression) -> Product:
    """The product of a program and the history of who has stepped, terminated threads included."""
    everyone = frozenset(range(len(program)))

    def advance(stepped: Hashable, thread: int, still_live: bool) -> Threads:  # noqa: ARG001, FBT001  (an `Advance`)
        return cast("Threads", stepped) | {thread}

    def fair_set(stepped: Hashable, live: Threads) -> Threads:
        return denoted(expression, live=live, stepped=cast("Threads", stepped), everyone=everyone)

    return product(lts(program), start(program), frozenset(), advance, fair_set)


def passes(program: Program, expression: Expression) -> tuple[bool, bool]:
    """The verdicts of `twin.verdicts.passes` without an automaton in between: (weak, strong)."""
    made = history_product(program, expression)
    return not fails_weakly(made), not fails_strongly(made)
