"""Clauses for one step of one instruction in one memory (definitions, section 1).

    taken = (Mem[loc] == check)
    if exch is not none: Mem[loc] = exch
    pc = target if taken else pc + 1

For each instruction and memory, there is a literal for the comparison, and a literal for each memory that the write can
produce. The clauses for these literals are as few as possible; `truth_table` derives them from the truth tables of the
three lines. A *local edge* combines a next memory with a next program location. It has one literal, which all states
with the same program location and memory share. So a clause about transitions needs only that one literal.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

from synth_encodings.truth_table import minimal_clauses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_encodings.cnf import Cnf
    from synth_encodings.variables import Field, InstructionVariables, ProgramVariables

#: The content of the memory: the value of each location.
Memory = tuple[int, ...]
Clauses = tuple[tuple[int, ...], ...]


class LocalEdge(NamedTuple):
    """A possible result of an instruction in a memory: the next memory, the next program location, and a literal.

    The literal says that the instruction has this result.
    """

    memory: Memory
    pc: int
    literal: int


class InstructionOutcomes:
    """Literals for what one instruction does in each memory: its comparison, its effects and its jumps.

    An effect is a next memory, and a jump is a next program location. Each comes with the literal which says that the
    instruction does this.
    """

    def __init__(self, cnf: Cnf, instruction: InstructionVariables, memories: Sequence[Memory]) -> None:
        self.instruction = instruction
        self.taken: dict[Memory, int] = {}
        self.unchanged: dict[Memory, int] = {}
        self.effects: dict[Memory, list[tuple[Memory, int]]] = {}
        self.jumps: dict[Memory, list[tuple[int, int]]] = {}
        locations, values = len(instruction.loc), len(instruction.check)
        self.writes = {
            (loc, value): _defined(cnf, instruction.loc, instruction.exch, _writes(locations, values, loc, value))
            for loc in range(locations)
            for value in range(values)
        }
        for memory in memories:
            self.taken[memory] = _defined(cnf, instruction.loc, instruction.check, _compares(values, memory))
            self.unchanged[memory] = _defined(cnf, instruction.loc, instruction.exch, _leaves(values, memory))
            self.effects[memory] = self._memories_after(memory)
            self.jumps[memory] = self._pcs_after(cnf, memory)

    def _memories_after(self, memory: Memory) -> list[tuple[Memory, int]]:
        changed = [
            ((*memory[:loc], value, *memory[loc + 1 :]), literal)
            for (loc, value), literal in self.writes.items()
            if memory[loc] != value
        ]
        return [(memory, self.unchanged[memory]), *changed]

    def _pcs_after(self, cnf: Cnf, memory: Memory) -> list[tuple[int, int]]:
        instruction, taken = self.instruction, self.taken[memory]
        following = instruction.pc + 1
        return [
            (pc, cnf.any_of((-taken, target)) if pc == following else cnf.all_of((taken, target)))
            for pc, target in enumerate(instruction.target.literals)
        ]


class InstructionSteps(InstructionOutcomes):
    """Literals for what one instruction does in each memory, including its local edges."""

    def __init__(self, cnf: Cnf, instruction: InstructionVariables, memories: Sequence[Memory]) -> None:
        super().__init__(cnf, instruction, memories)
        self.edges = {
            memory: [
                LocalEdge(after, pc, cnf.all_of((effect, jump)))
                for after, effect in self.effects[memory]
                for pc, jump in self.jumps[memory]
            ]
            for memory in memories
        }


def memories(program: ProgramVariables) -> list[Memory]:
    """Return all possible contents of the memory. The value of the last location changes fastest."""
    return list(itertools.product(range(program.values), repeat=program.locations))


def local_edges(cnf: Cnf, program: ProgramVariables) -> list[InstructionSteps]:
    """Return the literals of every instruction, including local edges, in program order."""
    all_memories = memories(program)
    return [InstructionSteps(cnf, instruction, all_memories) for instruction in program.instructions]


def _defined(cnf: Cnf, left: Field, right: Field, clauses: Clauses) -> int:
    """Return a new literal that is true exactly if the two fields are in the relation which `clauses` define."""
    literal = cnf.new()
    inputs = (*left.variables, *right.variables, literal)
    for clause in clauses:
        cnf.add(inputs[abs(k) - 1] * (1 if k > 0 else -1) for k in clause)
    return literal


@functools.cache
def _compares(values: int, memory: Memory) -> Clauses:
    """Return the clauses that define whether `Mem[loc] == check`."""
    return _definition(len(memory), values, lambda loc, check: memory[loc] == check)


@functools.cache
def _leaves(values: int, memory: Memory) -> Clauses:
    """Return the clauses that define whether the memory stays as it is: `exch` is none, or equals Mem[loc]."""
    return _definition(len(memory), values + 1, lambda loc, exch: exch == values or memory[loc] == exch)


@functools.cache
def _writes(locations: int, values: int, location: int, value: int) -> Clauses:
    """Return the clauses that define whether the instruction writes `value` to `location`."""
    return _definition(locations, values + 1, lambda loc, exch: (loc, exch) == (location, value))


def _definition(left: int, right: int, holds: Callable[[int, int], bool]) -> Clauses:
    """Return clauses over the variables of two fields, with `left` and `right` values, and a literal for `holds`."""
    width = _width(left)

    def row(bits: tuple[bool, ...]) -> bool | None:
        values = _value(left, bits[:width]), _value(right, bits[width:-1])
        return None if None in values else holds(*values) == bits[-1]  # type: ignore[arg-type]

    return minimal_clauses(width + _width(right) + 1, row)


def _width(values: int) -> int:
    """Return how many variables a field with so many values has; see `Field.of`."""
    return {1: 0, 2: 1}.get(values, values)


def _value(values: int, bits: tuple[bool, ...]) -> int | None:
    """Return the value for which a field's variables stand, or None if they stand for no value."""
    if _width(values) == values:
        return bits.index(True) if sum(bits) == 1 else None
    return int(any(bits))
