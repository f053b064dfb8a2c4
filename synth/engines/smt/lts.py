"""What an unknown program does: its steps between all states, and which of them it reaches (definitions, section 1).

The reached states are a least fixpoint. That they are closed under steps is plain; that there are no others is said by
a rank: each but the start is reached by a step from a state of less depth. Depths are integers, of which there are
enough for any program.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import z3

from synth.engines.smt.program import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.engines.smt.program import UnknownInstruction, UnknownProgram

Memory = tuple[int, ...]


class SmtState(NamedTuple):
    """The value of every memory location, and the program location of every thread."""

    memory: Memory
    pcs: tuple[int, ...]


class SmtLts:
    """All states of programs of these sizes; `steps[s]` has every (when, after): the fields for which s steps there."""

    def __init__(self, program: UnknownProgram) -> None:
        self.memories = list(itertools.product(range(program.values), repeat=program.locations))
        every_pcs = list(itertools.product(*(range(size + 1) for size in program.sizes)))
        self.states = list(itertools.starmap(SmtState, itertools.product(self.memories, every_pcs)))
        self.start, self.end = every_pcs[0], every_pcs[-1]
        self.reached = {state: z3.Bool(f"reached {state}") for state in self.states}
        self.steps: dict[SmtState, list[tuple[z3.BoolRef, SmtState]]] = {state: [] for state in self.states}
        for (thread, pc), instruction in program.at.items():
            for memory in self.memories:
                outcomes = _outcomes(instruction, pc, memory)
                for pcs in every_pcs:
                    if pcs[thread] == pc:
                        self.steps[SmtState(memory, pcs)] += [
                            (when, SmtState(memory_after, (*pcs[:thread], pc_after, *pcs[thread + 1 :])))
                            for (memory_after, pc_after), when in outcomes.items()
                        ]

    def is_that_of_the_program(self) -> Iterator[z3.BoolRef]:
        """Reached are the start, whatever a step leads to from there, and no other."""
        depth = self.ranks("depth")
        leading_to: dict[SmtState, list[z3.BoolRef]] = defaultdict(list)
        for state, steps in self.steps.items():
            for when, after in steps:
                yield z3.Implies(z3.And(self.reached[state], when), self.reached[after])
                leading_to[after].append(z3.And(self.reached[state], when, depth[state] < depth[after]))
        for state in self.states:
            is_start = state.pcs == self.start and not any(state.memory)
            yield self.reached[state] if is_start else z3.Implies(self.reached[state], z3.Or(leading_to[state]))

    def ranks(self, name: str) -> dict[SmtState, z3.ArithRef]:
        """An integer for each state."""
        return {state: z3.Int(f"{name} {state}") for state in self.states}

    def executed_in(self, thread: int, pc: int) -> dict[Memory, z3.BoolRef]:
        """For each memory, that an instruction is executed in it."""
        return {
            memory: z3.Or([self.reached[s] for s in self.states if s.memory == memory and s.pcs[thread] == pc])
            for memory in self.memories
        }


def _outcomes(instruction: UnknownInstruction, pc: int, memory: Memory) -> dict[tuple[Memory, int], z3.BoolRef]:
    """Every memory and pc after a step, with the fields for which it leads there: compare, then write, then move on."""
    ways: dict[tuple[Memory, int], list[z3.BoolRef]] = defaultdict(list)
    for loc, value in enumerate(memory):
        for exch in (NONE, *range(len(instruction.check))):
            after = memory if exch == NONE else (*memory[:loc], exch, *memory[loc + 1 :])
            writes = z3.And(instruction.loc[loc], instruction.exch[exch])
            ways[after, pc + 1].append(z3.And(writes, z3.Not(instruction.check[value])))
            for target, jumps in enumerate(instruction.target):
                ways[after, target].append(z3.And(writes, instruction.check[value], jumps))
    return {after: z3.Or(some) for after, some in ways.items()}
