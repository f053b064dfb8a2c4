"""Terms of SMT-LIB as text, made with the simplifications that keep queries short."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TRUE, FALSE = "true", "false"


def conj(parts: Iterable[str]) -> str:
    """Return the conjunction of terms."""
    return _joined("and", parts, TRUE, FALSE)


def disj(parts: Iterable[str]) -> str:
    """Return the disjunction of terms."""
    return _joined("or", parts, FALSE, TRUE)


def _joined(operator: str, parts: Iterable[str], neutral: str, dominant: str) -> str:
    kept = list(dict.fromkeys(part for part in parts if part != neutral))
    if dominant in kept:
        return dominant
    if len(kept) > 1:
        return f"({operator} {' '.join(kept)})"
    return kept[0] if kept else neutral


def negation(part: str) -> str:
    """Return the negation of a term."""
    if part in {TRUE, FALSE}:
        return FALSE if part == TRUE else TRUE
    return f"(not {part})"


def implies(left: str, right: str) -> str:
    """Return `left` ⇒ `right`."""
    if TRUE in {left, right}:
        return right
    if left == FALSE:
        return TRUE
    return negation(left) if right == FALSE else f"(=> {left} {right})"


def equals(left: str, right: str) -> str:
    """Return the equation of two terms."""
    if left == right:
        return TRUE
    if TRUE in {left, right}:
        return left if right == TRUE else right
    return f"(= {left} {right})"


def if_else(condition: str, then: str, otherwise: str) -> str:
    """Return the term that is `then` where the condition holds, and else `otherwise`."""
    if condition in {TRUE, FALSE} or then == otherwise:
        return otherwise if condition == FALSE else then
    return f"(ite {condition} {then} {otherwise})"


def quantified(word: str, variables: Sequence[tuple[str, str]], body: str) -> str:
    """Return a quantified term; `variables` are names with their sorts."""
    if not variables or body in {TRUE, FALSE}:
        return body
    return f"({word} ({' '.join(f'({name} {sort})' for name, sort in variables)}) {body})"


def application(function: str, arguments: Sequence[str]) -> str:
    """Return a function applied to arguments; without arguments it is a constant."""
    return f"({function} {' '.join(arguments)})" if arguments else function


def number(value: int) -> str:
    """Return a whole number."""
    return str(value) if value >= 0 else f"(- {-value})"
