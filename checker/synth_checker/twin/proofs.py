"""Check DRUP proofs step by step. This is the slow and simple version of `synth_checker.proofs`.

A clause is a set of literals, and a literal is an integer as in DIMACS. Unit propagation looks at every clause until
nothing changes any more. This module accepts the same proofs as the C++ core, and refuses others with the same words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: The most bytes of a line.
LONGEST_LINE = 1 << 24

_HEADER = re.compile(rb"p cnf (0|[1-9][0-9]{0,6}) (0|[1-9][0-9]{0,11})")
_LITERALS = re.compile(rb"(?:-?[1-9][0-9]{0,6} )*0")

Clause = frozenset[int]


class _InvalidProof(Exception):  # noqa: N818  (an answer, not an error)
    pass


def refusal(formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    """Return why a proof does not show that a formula is unsatisfiable, or None if it does."""
    try:
        variables, clauses = _read_formula(formula)
        _check(variables, clauses, proof)
    except _InvalidProof as reason:
        return str(reason)
    return None


def _read_formula(text: Iterable[bytes]) -> tuple[int, list[Clause]]:
    variables, announced, clauses = 0, None, []
    for place, line in _lines("formula", text):
        if announced is not None:
            if (clause := _read_clause(line, variables)) is None:
                raise _InvalidProof(f"{place} is not a clause: literals of the header's variables, and then 0")
            clauses.append(clause)
        elif header := _HEADER.fullmatch(line):
            variables, announced = int(header[1]), int(header[2])
        elif not line.startswith(b"c"):
            raise _InvalidProof(f"{place} is neither a comment nor a header, such as 'p cnf 5 8'")
    if announced is None:
        raise _InvalidProof("the formula has no header")
    if len(clauses) != announced:
        raise _InvalidProof(f"the formula has {len(clauses)} clauses, its header says {announced}")
    return variables, clauses


def _check(variables: int, formula: list[Clause], proof: Iterable[bytes]) -> None:
    clauses = [clause for clause in formula if not _is_tautology(clause)]
    fixed = _propagated(clauses, frozenset())
    proven = False
    for place, line in _lines("proof", proof):
        clause = _read_clause(line.removeprefix(b"d "), variables)
        if clause is None:
            raise _InvalidProof(f"{place} is not a step: literals of the formula's variables and 0, maybe after 'd'")
        if _is_tautology(clause):
            continue
        if line.startswith(b"d "):
            if clause in clauses:
                clauses.remove(clause)
            continue
        # After a contradiction, every clause follows.
        if fixed is not None and _propagated(clauses, fixed | {-literal for literal in clause}) is not None:
            raise _InvalidProof(f"{place} does not follow by unit propagation")
        clauses.append(clause)
        fixed = None if fixed is None else _propagated(clauses, fixed)
        proven = proven or not clause
    if not proven:
        raise _InvalidProof("the empty clause is not in the proof")


def _propagated(clauses: list[Clause], assumed: frozenset[int]) -> frozenset[int] | None:
    """Return the given literals and all that follow by unit propagation; None if they contradict each other."""
    true = set(assumed)
    before = None
    while len(true) != before:
        before = len(true)
        for clause in clauses:
            possible = [literal for literal in clause if -literal not in true]
            if len(possible) <= 1:
                true.update(possible)
            if not possible:
                return None
    return None if any(-literal in true for literal in true) else frozenset(true)


def _read_clause(text: bytes, variables: int) -> Clause | None:
    """Return the literals of a text that ends with 0, without duplicates; None if the text has another form."""
    if not _LITERALS.fullmatch(text):
        return None
    *literals, _ = map(int, text.split())
    return frozenset(literals) if all(abs(literal) <= variables for literal in literals) else None


def _is_tautology(clause: Clause) -> bool:
    return any(-literal in clause for literal in clause)


def _lines(name: str, pieces: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield each line of a text after the words that name its place in messages."""
    *lines, rest = b"".join(pieces).split(b"\n")
    for number, line in enumerate([*lines, rest] if rest else lines, 1):
        place = f"{name} line {number}"
        if len(line) > LONGEST_LINE:
            raise _InvalidProof(f"{place} is too long for a clause")
        yield place, line
