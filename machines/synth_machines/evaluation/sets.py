"""Operators on sets and relations over values. A lazy set can be asked for its elements, but not listed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_machines.evaluation.values import Evaluated, LazySet, UnboundedError
from synth_machines.formulas.operators import FUNCTIONS, RELATION_SETS

if TYPE_CHECKING:
    from typing import TypeAlias

    Set: TypeAlias = "frozenset[Evaluated] | LazySet"

#: The powers of a set with more elements are not listed.
_MOST_LISTED = 12


def contains(members: Set, evaluated: Evaluated) -> bool:
    """Return whether a value is in a set."""
    if isinstance(members, LazySet):
        return members.contains(evaluated)
    if isinstance(evaluated, LazySet):
        if evaluated.is_infinite:
            return False
        raise UnboundedError("a set")
    return evaluated in members


def listed(members: Evaluated) -> frozenset[Evaluated]:
    """Return a finite set, or raise UnboundedError."""
    if isinstance(members, frozenset):
        return members
    raise UnboundedError("a set")


def as_set(value: Evaluated) -> Set:
    """Return a value that is a set."""
    assert isinstance(value, frozenset | LazySet)  # noqa: S101  (formulas are well typed)
    return value


def equal(left: Evaluated, right: Evaluated) -> bool:
    """Return whether two values are equal."""
    if isinstance(left, LazySet) or isinstance(right, LazySet):
        if left is right:
            return True
        one, other = (left, right) if isinstance(left, LazySet) else (right, left)
        if isinstance(one, LazySet) and one.is_infinite and isinstance(other, frozenset):
            return False
        raise UnboundedError("a set")
    if isinstance(left, tuple) and isinstance(right, tuple):
        return equal(left[0], right[0]) and equal(left[1], right[1])
    return left == right


def is_subset(left: Set, right: Set) -> bool:
    """Return whether `left ⊆ right`."""
    if isinstance(left, LazySet):
        if left is right:
            return True
        if left.is_infinite and isinstance(right, frozenset):
            return False
        raise UnboundedError("a set")
    return all(contains(right, element) for element in left)


def pairs(relation: Evaluated) -> list[tuple[Evaluated, Evaluated]]:
    """Return the pairs of a finite relation."""
    return [pair for pair in listed(relation) if isinstance(pair, tuple)]


def operate(operator: str, parts: list[Set]) -> Set:
    """Return the value of an operator with sets."""
    first, last = parts[0], parts[-1]
    match operator:
        case "∪":
            if all(isinstance(part, frozenset) for part in parts):
                return frozenset().union(*(listed(part) for part in parts))
            is_infinite = any(isinstance(part, LazySet) and part.is_infinite for part in parts)
            return LazySet(lambda element: any(contains(part, element) for part in parts), is_infinite)
        case "∩":
            finite = [part for part in parts if isinstance(part, frozenset)]
            if finite:
                return frozenset(element for element in finite[0] if all(contains(part, element) for part in parts))
            return LazySet(lambda element: all(contains(part, element) for part in parts))
        case "∖":
            if isinstance(first, frozenset):
                return frozenset(element for element in first if not contains(last, element))
            is_infinite = first.is_infinite and isinstance(last, frozenset)
            return LazySet(lambda element: contains(first, element) and not contains(last, element), is_infinite)
        case "×":
            return _product(first, last)
        case "ℙ" | "ℙ1":
            return _powers(first, is_empty_left_out=operator == "ℙ1")
        case "dom" | "ran":
            return frozenset(pair[operator == "ran"] for pair in pairs(first))
        case "∼":
            return frozenset((right, left) for left, right in pairs(first))
        case "[]":
            return frozenset(right for left, right in pairs(first) if contains(last, left))
        case "◁" | "⩤":
            return frozenset(pair for pair in pairs(last) if contains(first, pair[0]) == (operator == "◁"))
        case "▷" | "⩥":
            return frozenset(pair for pair in pairs(first) if contains(last, pair[1]) == (operator == "▷"))
        case "⊗":
            return frozenset((a, (b, d)) for a, b in pairs(first) for c, d in pairs(last) if a == c)
        case "∥":
            return frozenset(((a, c), (b, d)) for a, b in pairs(first) for c, d in pairs(last))
    found, *others = parts[::-1] if operator == "∘" else parts
    for other in others:
        found = overridden(found, other) if operator == "<+" else composed(found, other)
    return found


def _product(left: Set, right: Set) -> Set:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return frozenset(itertools.product(left, right))
    if frozenset() in (left, right):
        return frozenset()
    is_infinite = all(bool(part) if isinstance(part, frozenset) else part.is_infinite for part in (left, right))
    return LazySet(
        lambda pair: isinstance(pair, tuple) and contains(left, pair[0]) and contains(right, pair[1]), is_infinite
    )


def _powers(members: Set, *, is_empty_left_out: bool) -> Set:
    least = 1 if is_empty_left_out else 0
    if isinstance(members, frozenset) and len(members) <= _MOST_LISTED:
        sizes = range(least, len(members) + 1)
        return frozenset(
            frozenset(combination) for size in sizes for combination in itertools.combinations(members, size)
        )
    is_infinite = isinstance(members, LazySet) and members.is_infinite

    def is_in(evaluated: Evaluated) -> bool:
        return not (is_empty_left_out and evaluated == frozenset()) and is_subset(as_set(evaluated), members)

    return LazySet(is_in, is_infinite)


def overridden(relation: Set, change: Set) -> Set:
    """Return `relation <+ change`."""
    places = {left for left, _ in pairs(change)}
    return frozenset(pair for pair in pairs(relation) if pair[0] not in places) | listed(change)


def composed(first: Set, second: Set) -> Set:
    """Return `first ; second`."""
    return frozenset((a, d) for a, b in pairs(first) for c, d in pairs(second) if b == c)


def is_between(relation: Evaluated, arrow: str, left: Set, right: Set) -> bool:
    """Return whether `relation ∈ left arrow right`."""
    found = pairs(relation)
    places, values = frozenset(place for place, _ in found), frozenset(value for _, value in found)
    if not all(contains(left, first) and contains(right, other) for first, other in found):
        return False
    if arrow in FUNCTIONS:
        total, injective, surjective = FUNCTIONS[arrow]
        if len(places) < len(found) or (injective and len(values) < len(found)):
            return False
    else:
        total, surjective = RELATION_SETS[arrow]
    return (not total or is_subset(left, places)) and (not surjective or is_subset(right, values))
