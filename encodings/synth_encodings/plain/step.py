"""One step of one instruction in one memory (definitions, section 1).

    taken = (Mem[loc] == check)
    if exch is not none: Mem[loc] = exch
    pc = target if taken else pc + 1

Each line of the sentence is a family. Neither knows the other threads, so what an instruction does in a memory is said
once, by an *edge*, and holds in all states with that memory and pc.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.plain.fields import Fields, Place
    from synth_encodings.plain.formula import Formula

#: The value of each location.
Memory = tuple[int, ...]


class Steps:
    """What each instruction does in each memory.

    `taken[place, memory]`: the comparison holds. `after[place, memory][m]`: the memory is then m. `edge[place,
    memory][m, pc]`: it is then m and the pc of the thread is `pc`. All are true of a program exactly if they say so.
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
        """`taken` is Mem[loc] == check."""
        taken = self.taken[place, memory] = formula.variable("taken", place, "in", written(memory))
        for loc, is_loc in enumerate(fields.loc[place]):
            for check, is_check in enumerate(fields.check[place]):
                formula.add(-is_loc, -is_check, taken if memory[loc] == check else -taken)

    def _write(self, formula: Formula, fields: Fields, place: Place, memory: Memory) -> None:
        """Mem[loc] is then exch; without one, the memory is as it was."""
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
        """The pc is then the target if taken, else the next location."""
        taken = self.taken[place, memory]
        pcs = range(fields.sizes[place.thread] + 1)
        jumps = [formula.variable("after", place, "in", written(memory), "pc", pc) for pc in pcs]
        self._jumps[place, memory] = jumps
        formula.exactly_one(jumps)
        formula.add(taken, jumps[place.pc + 1])
        for target, jump in zip(fields.target[place], jumps, strict=True):
            formula.add(-taken, -target, jump)

    def _join(self, formula: Formula, place: Place, memory: Memory) -> None:
        """An edge is a memory and a pc at once."""
        edges = self.edge[place, memory] = {}
        for m, after in self.after[place, memory].items():
            for pc, jump in enumerate(self._jumps[place, memory]):
                name = ("edge", place, "in", written(memory), "to", written(m), "pc", pc)
                edge = edges[m, pc] = formula.variable(*name)
                formula.add(-edge, after)
                formula.add(-edge, jump)
                formula.add(edge, -after, -jump)


def changed(memory: Memory, loc: int, value: int) -> Memory:
    """The memory with another value at one location."""
    return (*memory[:loc], value, *memory[loc + 1 :])


def written(numbers: tuple[int, ...]) -> str:
    """Values or pcs as names write them: `0,1`."""
    return ",".join(map(str, numbers))
