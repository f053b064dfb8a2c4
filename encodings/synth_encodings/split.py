"""The tests of one split of the instructions over the threads, as clauses and loop formulas.

Every test of the split satisfies the clauses; a model of the clauses is a test if it claims exactly the reachable
states and its program can always terminate, and otherwise `refuted_by` gives clauses that refute it and no test. So a
solver that blocks each test it finds, and adds what refutes each other model, ends with exactly the tests: complete,
with no limit on the length of any execution.

`sizes` fall from thread to thread: rules don't tell threads apart, so the tests of the other splits are those of this
one with its threads permuted (see `synth_encodings.orbits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import reachable_states
from synth_checker.errors import InternalError
from synth_encodings import naming, rules
from synth_encodings.cnf import Cnf
from synth_encodings.cycle import non_termination_cycle
from synth_encodings.states import States, closure, holds, support, unfounded_clauses
from synth_encodings.step import local_edges
from synth_encodings.termination import possible_termination, trap_clause
from synth_encodings.variables import ProgramVariables

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class SplitEncoding:
    """The clauses of a split, and what to make of a model of them."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()) -> None:
        self.sizes = sizes
        self.locations = useful_locations(sizes, locations, without)
        self.values = useful_values(sizes, values)
        self.cnf = Cnf()
        self.program = ProgramVariables(self.cnf, sizes, self.locations, self.values)
        steps = local_edges(self.cnf, self.program)
        self.states = States(self.cnf, self.program, steps)
        naming.normal_form(self.cnf, self.program)
        closure(self.cnf, self.states)
        support(self.cnf, self.states)
        possible_termination(self.cnf, self.states)
        non_termination_cycle(self.cnf, self.states)
        executions = rules.Executions(self.cnf, self.states, steps)
        rules.executed(self.cnf, executions)
        if "inter-thread-influence" not in without:
            rules.inter_thread_influence(self.cnf, self.program)
        if "all-branches" not in without:
            rules.all_branches(executions)
        if "effective-stores" not in without:
            rules.effective_stores(executions)
        if "meaningful-comparisons" not in without:
            rules.meaningful_comparisons(self.cnf, self.program)
        first = self.states.reachable[0]
        self._claims = slice(first - 1, first - 1 + len(self.states.all))

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

    def leading_fields(self) -> list[tuple[int, ...]]:
        """The literals of the fields by which a split is cut, see `leading_field_sizes`."""
        return [i.target.literals for i in self.program.instructions]


def leading_field_sizes(sizes: tuple[int, ...]) -> list[int]:
    """How many values each field has by which a split is cut: the targets, of which there are the most."""
    return [size + 1 for size in sizes for _ in range(size)]


def useful_locations(sizes: tuple[int, ...], locations: int, without: Collection[str]) -> int:
    """How many locations a program can name, if it may name so many.

    One an instruction; one for every two where `inter-thread-influence` holds, by which each is used in two threads.
    """
    most = sum(sizes) if "inter-thread-influence" in without else max(1, sum(sizes) // 2)
    return min(locations, most)


def useful_values(sizes: tuple[int, ...], values: int) -> int:
    """How many values a program can name: 0, and two an instruction."""
    return min(values, 1 + 2 * sum(sizes))
