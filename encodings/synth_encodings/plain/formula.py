"""A formula in conjunctive normal form that can be read: its variables have names, its clauses belong to families.

A literal is a non-zero integer as in DIMACS. Names and families become comments of the DIMACS text, and a family can be
left out by its name, so that tests can show that each is needed.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Clause = tuple[int, ...]


class Formula:
    """Variables 1, 2, ... with their names, and the clauses of each family in the order in which they were said."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.families: dict[str, list[Clause]] = {}
        self._open: list[Clause] = []

    def variable(self, *name: object) -> int:
        """A new variable; the parts of its name are joined by blanks."""
        self.names.append(" ".join(map(str, name)))
        return len(self.names)

    def family(self, name: str) -> None:
        """Open a family: what is added from now on belongs to it."""
        if name in self.families:
            msg = f"the clause family {name!r} is opened twice"
            raise InternalError(msg)
        self._open = self.families[name] = []

    def add(self, *literals: int) -> None:
        """Add a clause to the family that is open."""
        self._open.append(literals)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """One of the literals is true, and no two are."""
        self.add(*literals)
        for one, other in itertools.combinations(literals, 2):
            self.add(-one, -other)

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of all families, in their order."""
        return [clause for clauses in self.families.values() for clause in clauses]

    def dimacs(self, blocking: Iterable[Clause] = ()) -> Iterator[str]:
        """The lines of the DIMACS text, without line ends; `blocking` is a family of its own, the last.

        All comments come first, as the format wants it: the name of each variable and the clauses of each family.
        """
        families = {**self.families, "blocked": list(blocking)}
        for number, name in enumerate(self.names, 1):
            yield f"c variable {number}: {name}"
        first = 1
        for family, clauses in families.items():
            yield f"c clauses {first} to {first + len(clauses) - 1}: {family}" if clauses else f"c no clauses: {family}"
            first += len(clauses)
        yield f"p cnf {len(self.names)} {first - 1}"
        for clause in itertools.chain.from_iterable(families.values()):
            yield " ".join(map(str, (*clause, 0)))
