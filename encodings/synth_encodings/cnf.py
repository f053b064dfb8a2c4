"""A growing set of clauses, with functions for the few logical gates that the encodings need.

Literals are non-zero integers as in DIMACS. Variable 1 is always true. So constants are literals too, and a gate with a
constant input is simplified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TRUE = 1
FALSE = -TRUE


class Cnf:
    """A set of clauses over the variables from 1 to `variables`. Variable 1 is true."""

    def __init__(self) -> None:
        self.variables = 1
        self.clauses: list[list[int]] = [[TRUE]]
        self._gates: dict[tuple[int, ...], int] = {}

    def new(self) -> int:
        """Make a new variable and return it."""
        self.variables += 1
        return self.variables

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause. False literals are removed from it; a clause with a true literal is not added."""
        literals = [literal for literal in clause if literal != FALSE]
        if TRUE not in literals:
            self.clauses.append(literals)

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all given literals are true."""
        inputs = tuple(sorted({literal for literal in literals if literal != TRUE}))
        if FALSE in inputs or any(-literal in inputs for literal in inputs):
            return FALSE
        if len(inputs) <= 1:
            return inputs[0] if inputs else TRUE
        gate = self._gates.get(inputs)
        if gate is None:
            gate = self._gates[inputs] = self.new()
            for literal in inputs:
                self.add((-gate, literal))
            self.add((gate, *(-literal for literal in inputs)))
        return gate

    def any_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if at least one of the given literals is true."""
        return -self.all_of(-literal for literal in literals)

    def only_if_all(self, literals: Iterable[int]) -> int:
        """Return a literal that can be true only if all given literals are true. It may be false even then.

        This takes fewer clauses than `all_of`. It suffices if no clause contains the negation of the literal.
        """
        inputs = {literal for literal in literals if literal != TRUE}
        if FALSE in inputs:
            return FALSE
        if len(inputs) <= 1:
            return next(iter(inputs), TRUE)
        half = self.new()
        for literal in inputs:
            self.add((-half, literal))
        return half
