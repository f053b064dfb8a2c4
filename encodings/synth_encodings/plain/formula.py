"""A readable formula in conjunctive normal form: its variables and groups of its clauses have names.

A *family* is a group of clauses with a name, which says what the clauses demand together. A literal is a non-zero
integer as in DIMACS. The DIMACS text contains the names of variables and families as comments. The tests of this
project can leave out a family by its name, to show that the formula needs each family.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Clause = tuple[int, ...]


class Formula:
    """A formula: the names of the variables 1, 2, and so on, and the clauses of each family."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.families: dict[str, list[Clause]] = {}
        self._open: list[Clause] = []

    def variable(self, *name: object) -> int:
        """Make a new variable and return it. The parts of its name are joined by spaces."""
        self.names.append(" ".join(map(str, name)))
        return len(self.names)

    def family(self, name: str) -> None:
        """Open a new family of clauses. Clauses that are added from now on belong to it.

        Raises:
            InternalError: a family of this name exists already.
        """
        if name in self.families:
            raise InternalError(f"the clause family {name!r} is opened twice")
        self._open = self.families[name] = []

    def add(self, *literals: int) -> None:
        """Add a clause to the open family."""
        self._open.append(literals)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Add the clauses: exactly one of the literals is true."""
        self.add(*literals)
        for first, other in itertools.combinations(literals, 2):
            self.add(-first, -other)

    @property
    def clauses(self) -> list[Clause]:
        """Return the clauses of all families (named groups of clauses), in the order in which they were added."""
        return [clause for clauses in self.families.values() for clause in clauses]

    def dimacs(self, blocking: Iterable[Clause] = ()) -> Iterator[str]:
        """Yield the lines of the DIMACS text, without line ends. The clauses in `blocking` form a last family.

        The format requires that all comments come first: the name of each variable, and the range of clauses of each
        family.
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
