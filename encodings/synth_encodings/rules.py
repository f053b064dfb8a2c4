"""Clauses for the rules about instructions (definitions, section 3): one function for each rule.

The modules `termination` and `cycle` have the rules `possible-termination` and `non-termination-cycle`, which are about
states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_encodings.cnf import Cnf
    from synth_encodings.states import EncodedStates
    from synth_encodings.step import InstructionSteps, Memory
    from synth_encodings.variables import ProgramVariables


class ExecutionLiterals:
    """A literal for each pair of an instruction and a content of the memory.

    The literal of a pair can be true only if some step executes this instruction in a reachable state with this memory.
    """

    def __init__(self, cnf: Cnf, states: EncodedStates, steps: Sequence[InstructionSteps]) -> None:
        self._cnf = cnf
        self.steps = steps
        self.in_memory: list[dict[Memory, int]] = []
        for instruction in (s.instruction for s in steps):
            literals: dict[Memory, int] = {}
            for memory, numbers in states.executing(instruction.thread, instruction.pc).items():
                literals[memory] = cnf.new()
                cnf.add((-literals[memory], *(states.reachable[number] for number in numbers)))
            self.in_memory.append(literals)

    def require(self, place: int, condition: int, outcome: dict[Memory, int]) -> None:
        """Add the clauses: if `condition` is true, the instruction at a place has the outcome in a reachable state."""
        ways = [self._cnf.only_if_all((seen, outcome[memory])) for memory, seen in self.in_memory[place].items()]
        self._cnf.add((-condition, *ways))


def executed(cnf: Cnf, executions: ExecutionLiterals) -> None:
    """Add the clauses: every instruction is executed in some reachable state."""
    for in_memory in executions.in_memory:
        cnf.add(in_memory.values())


def inter_thread_influence(cnf: Cnf, program: ProgramVariables) -> None:
    """Add the clauses for the rule `inter-thread-influence`.

    For every instruction with an exchange, another thread must have a branch on the same location. For every branch,
    another thread must have any instruction on the same location, even a check branch.
    """
    threads = range(len(program.sizes))
    for loc in range(program.locations):
        uses = [cnf.any_of(i.loc[loc] for i in program.of_thread(t)) for t in threads]
        branches = [cnf.any_of(cnf.all_of((i.loc[loc], i.is_branch)) for i in program.of_thread(t)) for t in threads]
        for i in program.instructions:
            others = [t for t in threads if t != i.thread]
            cnf.add((-i.loc[loc], -i.writes, *(branches[t] for t in others)))
            cnf.add((-i.loc[loc], -i.is_branch, *(uses[t] for t in others)))


def all_branches(executions: ExecutionLiterals) -> None:
    """Add the clauses: every branch is taken in some reachable state and not taken in some reachable state."""
    for place, steps in enumerate(executions.steps):
        not_taken = {memory: -literal for memory, literal in steps.taken.items()}
        executions.require(place, steps.instruction.is_branch, steps.taken)
        executions.require(place, steps.instruction.is_branch, not_taken)


def effective_stores(executions: ExecutionLiterals) -> None:
    """Add the clauses: every instruction with an exchange changes the memory in some reachable state."""
    for place, steps in enumerate(executions.steps):
        changed = {memory: -literal for memory, literal in steps.unchanged.items()}
        executions.require(place, steps.instruction.writes, changed)


def meaningful_comparisons(cnf: Cnf, program: ProgramVariables) -> None:
    """Add the clauses: every store compares with 0."""
    for instruction in program.instructions:
        cnf.add((-instruction.writes, instruction.is_branch, instruction.check[0]))
