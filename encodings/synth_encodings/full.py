"""The full encoding of a split: clauses for all rules, and loop formulas for what clauses alone cannot express.

Every test of the split satisfies the clauses. A solution of the clauses is a test if it marks exactly the reachable
states as reachable, and its program can always terminate. Otherwise `refuted_by` returns clauses that exclude the
solution and no test. The search blocks each test that it finds, and adds these clauses for each other solution. So it
ends with exactly the tests of the split, and no execution is too long for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import reachable_states
from synth_checker.errors import InternalError
from synth_encodings import rules
from synth_encodings.cycle import non_termination_cycle
from synth_encodings.split import Answer, SplitEncoding
from synth_encodings.states import EncodedStates, closure_clauses, is_true, support_clauses, unfounded_clauses
from synth_encodings.step import local_edges
from synth_encodings.termination import possible_termination, trap_clause

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class FullEncoding(SplitEncoding):
    """The clauses of a split for all rules, with a checker of their solutions."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()) -> None:
        super().__init__(sizes, locations, values, without)
        steps = local_edges(self.cnf, self.program)
        self.states = EncodedStates(self.cnf, self.program, steps)
        closure_clauses(self.cnf, self.states)
        support_clauses(self.cnf, self.states)
        possible_termination(self.cnf, self.states)
        non_termination_cycle(self.cnf, self.states)
        executions = rules.ExecutionLiterals(self.cnf, self.states, steps)
        rules.executed(self.cnf, executions)
        if "all-branches" not in without:
            rules.all_branches(executions)
        if "effective-stores" not in without:
            rules.effective_stores(executions)
        first = self.states.reachable[0]
        self._claims = slice(first - 1, first - 1 + len(self.states.all))

    @staticmethod
    def leading_places(sizes: tuple[int, ...]) -> list[int]:
        """Return the places of the instructions by whose targets the search may be divided: all places."""
        return list(range(sum(sizes)))

    def answer(self, model: Sequence[int]) -> Answer:
        """Answer a solution with its program if that is a test, and with clauses that exclude the solution."""
        id_, blocking = self.decode(model)
        clauses = self.refuted_by(model, id_)
        return Answer([], clauses) if clauses else Answer([id_], [blocking])

    def decode(self, model: Sequence[int]) -> tuple[str, list[int]]:
        """Return the id of a solution's program, and the clause that excludes this program and no other."""
        id_, fields = self.program.decode(model)
        return id_, [-literal for literal in fields]

    def refuted_by(self, model: Sequence[int], id_: str) -> list[list[int]]:
        """Return clauses that a solution breaks and every test satisfies.

        There are none if the solution's program is a test.

        Raises:
            InternalError: the solution does not mark the reachable states, but no clause refutes it.
        """
        reached, trapped = reachable_states(id_, self.locations, self.values)
        if trapped:
            clauses = [trap_clause(self.states, model, trapped)]
        elif reached == [k for k, literal in enumerate(model[self._claims]) if literal > 0]:
            return []
        else:
            clauses = unfounded_clauses(self.states, model)
        if not clauses or any(is_true(model, literal) for clause in clauses for literal in clause):
            raise InternalError(
                f"the solution for {id_} marks other states as reachable than {reached}, but no clause refutes it"
            )
        return clauses
