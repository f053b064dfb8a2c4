"""Print the clauses of the 2x2 producer-consumer as docs/build/encoding.md shows them; a test compares the two."""

from __future__ import annotations

import itertools
import textwrap
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from synth_encodings import normal_form, rules
from synth_encodings.cnf import Cnf
from synth_encodings.cycle import non_termination_cycle
from synth_encodings.full import FullEncoding
from synth_encodings.states import EncodedStates, closure_clauses, support_clauses
from synth_encodings.step import InstructionSteps, local_edges
from synth_encodings.termination import possible_termination
from synth_encodings.variables import ProgramVariables

if TYPE_CHECKING:
    from collections.abc import Iterable

SIZES, LOCATIONS, VALUES = (1, 1), 1, 2
TEST = "00_0-0011"  # thread 0 waits for what thread 1 stores


class Example:
    """The clauses of the split, family by family, in the order in which `FullEncoding` makes them."""

    def __init__(self) -> None:
        self.cnf = cnf = Cnf()
        self.families: list[tuple[str, list[list[int]]]] = []
        self.program = ProgramVariables(cnf, SIZES, LOCATIONS, VALUES)
        self._end("fields")
        normal_form.normal_form(cnf, self.program)
        self._end("normal form")
        rules.inter_thread_influence(cnf, self.program)
        self._end("inter-thread-influence")
        rules.meaningful_comparisons(cnf, self.program)
        self._end("meaningful-comparisons")
        self.steps = local_edges(cnf, self.program)
        self._end("steps")
        self.states = EncodedStates(cnf, self.program, self.steps)
        closure_clauses(cnf, self.states)
        self._end("closure")
        support_clauses(cnf, self.states)
        self._end("support")
        possible_termination(cnf, self.states)
        self._end("possible-termination")
        non_termination_cycle(cnf, self.states)
        self._end("non-termination-cycle")
        executions = rules.ExecutionLiterals(cnf, self.states, self.steps)
        rules.executed(cnf, executions)
        self._end("executed")
        rules.all_branches(executions)
        self._end("all-branches")
        rules.effective_stores(executions)
        self._end("effective-stores")
        self.names = self._names()

    def _end(self, family: str) -> None:
        known = sum(len(clauses) for _, clauses in self.families)
        self.families.append((family, self.cnf.clauses[known:]))

    def _names(self) -> dict[int, str]:
        names = {1: "true"}
        for steps in self.steps:
            i = steps.instruction
            for name, field in zip(("loc", "check", "exch", "target"), i.fields, strict=True):
                for value, literal in enumerate(field.literals):
                    none = name == "exch" and value == VALUES
                    _name(names, literal, f"{name}{i.thread}={'none' if none else value}")
            self._name_steps(names, steps, i.thread)
        for literal, state in zip(self.states.reachable, self.states.all, strict=True):
            _name(names, literal, f"reach[{_digits(state.memory)},{_digits(state.pcs)}]")
        for number in range(2, self.cnf.variables + 1):
            names.setdefault(number, f"g{number}")
        return names

    @staticmethod
    def _name_steps(names: dict[int, str], steps: InstructionSteps, thread: int) -> None:
        for (_, value), literal in steps.writes.items():
            _name(names, literal, f"writes{thread}={value}")
        for memory, edges in steps.edges.items():
            _name(names, steps.taken[memory], f"taken{thread}[{_digits(memory)}]")
            _name(names, steps.unchanged[memory], f"same{thread}[{_digits(memory)}]")
            for edge in edges:
                _name(names, edge.literal, f"edge{thread}[{_digits(memory)}->{_digits(edge.memory)},pc {edge.pc}]")

    def model(self) -> list[int]:
        """A model that the solver finds with the test's fields: check, exch and target of each thread."""
        wait, store = self.program.instructions
        fields = [wait.check[0], wait.exch[VALUES], wait.target[0], store.check[0], store.exch[1], store.target[1]]
        with Solver("cadical195", bootstrap_with=self.cnf.clauses) as solver:
            if not solver.solve(assumptions=fields):
                raise AssertionError(TEST)
            model: list[int] = solver.get_model()
        return model

    def written(self, literals: Iterable[int]) -> str:
        """Literals by name."""
        return " | ".join(("" if k > 0 else "~") + self.names[abs(k)] for k in literals)


def _name(names: dict[int, str], literal: int, name: str) -> None:
    if literal > 1:
        names.setdefault(literal, name)


def _digits(numbers: tuple[int, ...]) -> str:
    return "".join(map(str, numbers))


def block() -> str:
    """The text."""
    example = Example()
    states = example.states
    lines = [f"{example.cnf.variables} variables, {len(example.cnf.clauses)} clauses."]
    given = [name for k, name in sorted(example.names.items()) if name[0] != "g"]
    shown = []
    for _, group in itertools.groupby(given[1:], key=lambda name: name.partition("[")[0]):
        names = list(group)
        shown += names[:2] if len(names) <= 2 else [*names[:2], f"... ({len(names)})"]
    lines += textwrap.wrap(", ".join(shown), 100, initial_indent="    ", subsequent_indent="    ")
    for family, clauses in example.families:
        lines.append(f"{family}: {len(clauses)}")
        named = [c for c in clauses if all(example.names[abs(k)][0] != "g" for k in c)]
        lines += ["    " + example.written(clause) for clause in (named or clauses)[-2:]]
    model = example.model()
    id_, blocking = FullEncoding(SIZES, LOCATIONS, VALUES).decode(model)
    reached = [example.names[k] for k in states.reachable if model[k - 1] > 0]
    lines += [f"the model: {id_}", "    " + ", ".join(reached), "then blocked by", "    " + example.written(blocking)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(block(), end="")
