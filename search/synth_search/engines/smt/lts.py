"""Formulas for the steps of an unknown program, and for the states that it reaches (definitions, section 1).

The reached states are a least fixpoint. One condition says that a step from a reached state leads to a reached state.
Another says that no further states are reached: every state but the start has a depth, and a step leads to it from a
reached state of less depth. Depths are integers, so that there are enough of them for any program.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import z3

from synth_search.engines.smt.program import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_search.engines.smt.program import UnknownInstruction, UnknownProgram

Memory = tuple[int, ...]


class SmtState(NamedTuple):
    """A state: the value of every memory location, and the program location (pc) of every thread."""

    memory: Memory
    pcs: tuple[int, ...]


class SmtLts:
    """The states and steps of all programs whose threads have the given sizes.

    `steps[s]` lists all pairs (when, after) for the state `s`: under the condition `when` on the fields of the program,
    a step leads from `s` to the state `after`.
    """

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
        """Yield the conditions that exactly the start, and the states to which steps lead from it, are reached."""
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
        """Return a new integer variable of Z3 for each state. Its name begins with `name`."""
        return {state: z3.Int(f"{name} {state}") for state in self.states}

    def executed_in(self, thread: int, pc: int) -> dict[Memory, z3.BoolRef]:
        """Return for each memory the condition that the program executes the instruction at a place in that memory."""
        return {
            memory: z3.Or([self.reached[s] for s in self.states if s.memory == memory and s.pcs[thread] == pc])
            for memory in self.memories
        }


def _outcomes(instruction: UnknownInstruction, pc: int, memory: Memory) -> dict[tuple[Memory, int], z3.BoolRef]:
    """Return each memory and pc to which a step of an instruction can lead, with the condition on its fields for that.

    A step first compares, then writes, then moves on.
    """
    ways: dict[tuple[Memory, int], list[z3.BoolRef]] = defaultdict(list)
    for loc, value in enumerate(memory):
        for exch in (NONE, *range(len(instruction.check))):
            after = memory if exch == NONE else (*memory[:loc], exch, *memory[loc + 1 :])
            writes = z3.And(instruction.loc[loc], instruction.exch[exch])
            ways[after, pc + 1].append(z3.And(writes, z3.Not(instruction.check[value])))
            for target, jumps in enumerate(instruction.target):
                ways[after, target].append(z3.And(writes, instruction.check[value], jumps))
    return {after: z3.Or(outcomes) for after, outcomes in ways.items()}
