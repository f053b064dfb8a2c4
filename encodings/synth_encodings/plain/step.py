"""Clauses for one step of one instruction in one memory (definitions, section 1).

    taken = (Mem[loc] == check)
    if exch is not none: Mem[loc] = exch
    pc = target if taken else pc + 1

Each of these three lines has a family of clauses. What an instruction does in a memory does not depend on the other
threads. So it is stated once, by an *edge*, and holds in all states with that memory and program location.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.plain.fields import Fields, Place
    from synth_encodings.plain.formula import Formula

#: The content of the memory: the value of each location.
Memory = tuple[int, ...]


class Steps:
    """Variables for what each instruction does in each memory.

    `taken[place, memory]` says that the comparison holds. `after[place, memory][m]` says that the memory is m after the
    step. `edge[place, memory][m, pc]` says that the memory is m and the thread is at `pc` after the step. Each variable
    is true exactly if it says what the program does.
    """

    def __init__(self, formula: Formula, fields: Fields) -> None:
        self.memories = list(itertools.product(range(fields.values), repeat=fields.locations))
        self.taken: dict[tuple[Place, Memory], int] = {}
        self.after: dict[tuple[Place, Memory], dict[Memory, int]] = {}
        self.edge: dict[tuple[Place, Memory], dict[tuple[Memory, int], int]] = {}
        self._jumps: dict[tuple[Place, Memory], list[int]] = {}
        every = list(itertools.product(fields.places, self.memories))
        formula.family("comparison")
        for place, memory in every:
            self._compare(formula, fields, place, memory)
        formula.family("write")
        for place, memory in every:
            self._write(formula, fields, place, memory)
        formula.family("jump")
        for place, memory in every:
            self._jump(formula, fields, place, memory)
        formula.family("edge")
        for place, memory in every:
            self._join(formula, place, memory)

    def _compare(self, formula: Formula, fields: Fields, place: Place, memory: Memory) -> None:
        """Add the clauses: `taken` is true exactly if Mem[loc] == check."""
        taken = self.taken[place, memory] = formula.variable("taken", place, "in", written(memory))
        for loc, is_loc in enumerate(fields.loc[place]):
            for check, is_check in enumerate(fields.check[place]):
                formula.add(-is_loc, -is_check, taken if memory[loc] == check else -taken)

    def _write(self, formula: Formula, fields: Fields, place: Place, memory: Memory) -> None:
        """Add the clauses: after the step Mem[loc] is exch; without an exchange, the memory does not change."""
        possible = [memory]
        for loc, value in itertools.product(range(fields.locations), range(fields.values)):
            if memory[loc] != value:
                possible.append(changed(memory, loc, value))
        name = ("after", place, "in", written(memory), "memory")
        after = self.after[place, memory] = {m: formula.variable(*name, written(m)) for m in possible}
        formula.exactly_one(list(after.values()))
        formula.add(-fields.no_exchange(place), after[memory])
        for loc, value in itertools.product(range(fields.locations), range(fields.values)):
            formula.add(-fields.loc[place][loc], -fields.exch[place][value], after[changed(memory, loc, value)])

    def _jump(self, formula: Formula, fields: Fields, place: Place, memory: Memory) -> None:
        """Add the clauses: after the step the pc is the target if `taken` is true, and else the next location."""
        taken = self.taken[place, memory]
        pcs = range(fields.sizes[place.thread] + 1)
        jumps = [formula.variable("after", place, "in", written(memory), "pc", pc) for pc in pcs]
        self._jumps[place, memory] = jumps
        formula.exactly_one(jumps)
        formula.add(taken, jumps[place.pc + 1])
        for target, jump in zip(fields.target[place], jumps, strict=True):
            formula.add(-taken, -target, jump)

    def _join(self, formula: Formula, place: Place, memory: Memory) -> None:
        """Add the clauses: an edge is true exactly if its memory and its pc both follow."""
        edges = self.edge[place, memory] = {}
        for m, after in self.after[place, memory].items():
            for pc, jump in enumerate(self._jumps[place, memory]):
                name = ("edge", place, "in", written(memory), "to", written(m), "pc", pc)
                edge = edges[m, pc] = formula.variable(*name)
                formula.add(-edge, after)
                formula.add(-edge, jump)
                formula.add(edge, -after, -jump)


def changed(memory: Memory, loc: int, value: int) -> Memory:
    """Return a memory with `value` at the location `loc`, and otherwise the values of `memory`."""
    return (*memory[:loc], value, *memory[loc + 1 :])


def written(numbers: tuple[int, ...]) -> str:
    """Return values or program locations as they appear in the names of variables, such as `0,1`."""
    return ",".join(map(str, numbers))
