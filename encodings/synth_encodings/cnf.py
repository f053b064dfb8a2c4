"""A growing set of clauses, with the few gates the encoding needs.

Literals are non-zero integers as in DIMACS. Variable 1 is true, so constants are literals too and gates fold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

TRUE = 1
FALSE = -TRUE


class Cnf:
    """Clauses over the variables 1 ... `variables`; 1 is true."""

    def __init__(self) -> None:
        self.variables = 1
        self.clauses: list[list[int]] = [[TRUE]]
        self._gates: dict[tuple[int, ...], int] = {}

    def new(self) -> int:
        """A fresh variable."""
        self.variables += 1
        return self.variables

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause; false literals are left out, a clause that is true is dropped."""
        literals = [literal for literal in clause if literal != FALSE]
        if TRUE not in literals:
            self.clauses.append(literals)

    def all_of(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly if all given ones are."""
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
        """A literal that is true exactly if some given one is."""
        return -self.all_of(-literal for literal in literals)

    def only_if_all(self, literals: Iterable[int]) -> int:
        """A literal that may be true only if all given ones are: half a gate, for where it occurs in one polarity."""
        inputs = {literal for literal in literals if literal != TRUE}
        if FALSE in inputs:
            return FALSE
        if len(inputs) <= 1:
            return next(iter(inputs), TRUE)
        half = self.new()
        for literal in inputs:
            self.add((-half, literal))
        return half
