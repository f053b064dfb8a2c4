"""The full encoding of a split: all rules as clauses, and loop formulas for what clauses alone can't say.

Every test of the split satisfies the clauses; a model of the clauses is a test if it claims exactly the reachable
states and its program can always terminate, and otherwise `refuted_by` gives clauses that refute it and no test. So a
solver that blocks each test it finds, and adds what refutes each other model, ends with exactly the tests: complete,
with no limit on the length of any execution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import reachable_states
from synth_checker.errors import InternalError
from synth_encodings import rules
from synth_encodings.cycle import non_termination_cycle
from synth_encodings.split import Answer, SplitEncoding
from synth_encodings.states import States, closure, holds, support, unfounded_clauses
from synth_encodings.step import local_edges
from synth_encodings.termination import possible_termination, trap_clause

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class FullEncoding(SplitEncoding):
    """The clauses of a split, and what to make of a model of them."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()) -> None:
        super().__init__(sizes, locations, values, without)
        steps = local_edges(self.cnf, self.program)
        self.states = States(self.cnf, self.program, steps)
        closure(self.cnf, self.states)
        support(self.cnf, self.states)
        possible_termination(self.cnf, self.states)
        non_termination_cycle(self.cnf, self.states)
        executions = rules.Executions(self.cnf, self.states, steps)
        rules.executed(self.cnf, executions)
        if "all-branches" not in without:
            rules.all_branches(executions)
        if "effective-stores" not in without:
            rules.effective_stores(executions)
        first = self.states.reachable[0]
        self._claims = slice(first - 1, first - 1 + len(self.states.all))

    @staticmethod
    def leading_places(sizes: tuple[int, ...]) -> list[int]:
        """All."""
        return list(range(sum(sizes)))

    def answer(self, model: Sequence[int]) -> Answer:
        """The program of a model, if it is a test; blocked or refuted."""
        id_, blocking = self.decode(model)
        clauses = self.refuted_by(model, id_)
        return Answer([], clauses) if clauses else Answer([id_], [blocking])

    def decode(self, model: Sequence[int]) -> tuple[str, list[int]]:
        """The id of a model's program, and the clause that blocks this program and no other."""
        id_, fields = self.program.decode(model)
        return id_, [-literal for literal in fields]

    def refuted_by(self, model: Sequence[int], id_: str) -> list[list[int]]:
        """Clauses that the model breaks and every test satisfies; none if the model's program is a test."""
        reached, trapped = reachable_states(id_, self.locations, self.values)
        if trapped:
            clauses = [trap_clause(self.states, model, trapped)]
        elif reached == [k for k, literal in enumerate(model[self._claims]) if literal > 0]:
            return []
        else:
            clauses = unfounded_clauses(self.states, model)
        if not clauses or any(holds(model, literal) for clause in clauses for literal in clause):
            msg = f"the model of {id_} claims other states than {reached}, and nothing refutes it"
            raise InternalError(msg)
        return clauses
