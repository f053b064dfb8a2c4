"""Compute the fewest clauses that express a relation, from the truth table of the relation.

A clause is useful if it is false in some row that the relation forbids, and in no row that it allows. Some rows cannot
occur, such as two values of a one-hot field at once. A clause may be true or false in these. There are two exact steps,
as in Quine (1952) and McCluskey (1956), though their first step would list rows that cannot occur, too:

1. Find the shortest useful clauses. A clause that is false in a forbidden row takes its literals from the negation of
   that row. It is true in an allowed row exactly if it has a literal of an input in which the two rows differ. So the
   shortest clauses are the minimal sets of inputs that contain one of the differences to each allowed row.
2. Find the fewest of these that together are false in all forbidden rows. This is a minimum cover, found by branch and
   bound.

The same table always gives the same clauses: the search keeps nothing between calls, and never iterates over a set.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Clause = tuple[int, ...]
#: A row, or a set of rows or inputs, as a number whose bits are the members; bit k stands for input k.
Bits = int
#: The number of clauses, and the number of literals in all of them.
Cost = tuple[int, int]


class _Candidate(NamedTuple):
    """A useful clause, and the forbidden rows in which it is false, by their indices."""

    clause: Clause
    rules_out: Bits


def minimal_clauses(inputs: int, holds: Callable[[tuple[bool, ...]], bool | None]) -> tuple[Clause, ...]:
    """Return as few clauses as possible which say that a relation over `inputs` Booleans holds.

    `holds(bits)` is the relation's truth table; it returns None if `bits` cannot occur. A clause is a tuple of non-zero
    integers: k stands for input k-1, and -k for its negation. If several answers have the fewest clauses, the result is
    one with the fewest literals. The clauses are sorted.
    """
    rows: dict[bool | None, list[Bits]] = {True: [], False: [], None: []}
    for bits in itertools.product((False, True), repeat=inputs):
        rows[holds(bits)].append(sum(bit << k for k, bit in enumerate(bits)))
    return tuple(sorted(_minimum_cover(len(rows[False]), _candidates(rows[False], rows[True]))))


def _candidates(forbidden: Sequence[Bits], allowed: Sequence[Bits]) -> list[_Candidate]:
    """Return the shortest useful clauses; of several that exclude the same rows, one with the fewest literals."""
    best: dict[Bits, Clause] = {}
    for row in forbidden:
        for chosen in _minimal_hitting_sets(row ^ other for other in allowed):
            rules_out = sum(1 << place for place, other in enumerate(forbidden) if not (row ^ other) & chosen)
            clause = tuple(-(k + 1) if row >> k & 1 else k + 1 for k in _members(chosen))
            known = best.get(rules_out)
            if known is None or (len(clause), clause) < (len(known), known):
                best[rules_out] = clause
    return _undominated([_Candidate(clause, rules_out) for rules_out, clause in best.items()])


def _minimal_hitting_sets(sets: Iterable[Bits]) -> list[Bits]:
    """Return the minimal sets that have a common member with each of `sets` (Berge, 1989)."""
    found = [0]
    for set_ in sets:
        hitting = [chosen for chosen in found if chosen & set_]
        extended = [chosen | 1 << k for chosen in found if not chosen & set_ for k in _members(set_)]
        found = hitting + [new for new in extended if not any(old & new == old for old in hitting)]
    return found


def _undominated(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Drop each candidate that excludes no more rows than another of at most its length; the most useful come first."""
    kept: list[_Candidate] = []
    for candidate in sorted(
        candidates, key=lambda candidate: (-candidate.rules_out.bit_count(), len(candidate.clause), candidate.clause)
    ):
        if not any(
            candidate.rules_out & other.rules_out == candidate.rules_out and len(other.clause) <= len(candidate.clause)
            for other in kept
        ):
            kept.append(candidate)
    return kept


def _minimum_cover(rows: int, candidates: Sequence[_Candidate]) -> list[Clause]:
    """Return the clauses of the least total cost that together exclude all rows."""
    of_row = [[candidate for candidate in candidates if candidate.rules_out >> row & 1] for row in range(rows)]
    touched = [_union(option.rules_out for option in of_row[row]) for row in range(rows)]
    shortest = [min(len(option.clause) for option in of_row[row]) for row in range(rows)]
    best: tuple[Cost, list[Clause]] | None = None

    def at_least(left: Bits) -> Cost:
        """Return a lower bound for the cost: if no candidate excludes two of some rows, each needs its own clause."""
        clauses = literals = 0
        while left:
            row = min(_members(left), key=lambda row: (touched[row] & left).bit_count())
            clauses, literals, left = clauses + 1, literals + shortest[row], left & ~touched[row]
        return clauses, literals

    def search(left: Bits, chosen: list[Clause]) -> None:
        nonlocal best
        clauses, literals = at_least(left)
        cost = len(chosen) + clauses, sum(map(len, chosen)) + literals
        if best is not None and cost >= best[0]:
            return
        if not left:
            best = cost, chosen
            return
        row = min(_members(left), key=lambda row: len(of_row[row]))
        for candidate in sorted(of_row[row], key=lambda candidate: -(candidate.rules_out & left).bit_count()):
            search(left & ~candidate.rules_out, [*chosen, candidate.clause])

    search((1 << rows) - 1, [])
    return best[1] if best is not None else []


def _members(bits: Bits) -> list[int]:
    return [k for k in range(bits.bit_length()) if bits >> k & 1]


def _union(sets: Iterable[Bits]) -> Bits:
    union = 0
    for set_ in sets:
        union |= set_
    return union
