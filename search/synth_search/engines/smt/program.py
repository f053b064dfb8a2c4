"""An unknown program for Z3, and the conditions that it is in normal form (definitions, sections 1 and 2).

A field of an instruction is a list of Booleans, of which exactly one is true: `loc[2]` says that the location is 2. Z3
is quick with such fields, and they are easy to read.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import z3

from synth_checker.programs.program import Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Place: TypeAlias = tuple[int, int]
"""A thread id and a program location."""
#: `exch[NONE]` says that the instruction writes nothing.
NONE = -1


@dataclass(frozen=True)
class UnknownInstruction:
    """The fields of the instruction at a place: `loc[k]`, `check[v]`, `exch[v]` or `exch[NONE]`, and `target[pc]`."""

    loc: list[z3.BoolRef]
    check: list[z3.BoolRef]
    exch: list[z3.BoolRef]
    target: list[z3.BoolRef]
    is_branch: z3.BoolRef
    """The condition that the target is not the next instruction."""

    @property
    def has_exchange(self) -> z3.BoolRef:
        """The condition that the instruction writes to memory."""
        return z3.Not(self.exch[NONE])

    def fields(self) -> list[list[z3.BoolRef]]:
        """Return the four fields in the order in which an id has them."""
        return [self.loc, self.check, self.exch, self.target]

    def is_taken(self, memory: Sequence[int]) -> z3.BoolRef:
        """Return the condition that the comparison of the instruction holds in a memory."""
        return z3.Or([z3.And(self.loc[loc], self.check[value]) for loc, value in enumerate(memory)])

    def changes(self, memory: Sequence[int]) -> z3.BoolRef:
        """Return the condition that the instruction writes a value that differs from the one in memory."""
        others = [(loc, v) for loc, value in enumerate(memory) for v in range(len(self.check)) if v != value]
        return z3.Or([z3.And(self.loc[loc], self.exch[v]) for loc, v in others])


class UnknownProgram:
    """The unknown instructions of threads of given sizes, with given numbers of locations and values."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int) -> None:
        self.sizes, self.locations, self.values = sizes, locations, values
        self.at: dict[Place, UnknownInstruction] = {
            (thread, pc): _instruction(f"{thread}.{pc}", locations, values, size, pc)
            for thread, size in enumerate(sizes)
            for pc in range(size)
        }

    def is_well_formed(self) -> Iterator[z3.BoolRef]:
        """Yield the conditions that every field has exactly one value."""
        for instruction in self.at.values():
            for field in instruction.fields():
                yield z3.Or(field)
                yield from (z3.Not(z3.And(pair)) for pair in itertools.combinations(field, 2))

    def is_normal(self) -> Iterator[z3.BoolRef]:
        """Yield the conditions that the program is in normal form.

        There are no no-ops, and locations and non-zero values are named by first use. A rule decides about the checks
        of stores.
        """
        instructions = list(self.at.values())
        for instruction in instructions:
            yield z3.Or(instruction.has_exchange, instruction.is_branch)
        yield from _named_by_first_use([i.loc for i in instructions], first=0)
        yield from _named_by_first_use([field for i in instructions for field in (i.check, i.exch[:NONE])], first=1)

    def read(self, model: z3.ModelRef) -> tuple[Program, list[z3.BoolRef]]:
        """Return the program that a solution of Z3 describes, and the Booleans of its fields that are true."""
        true: list[z3.BoolRef] = []
        chosen: dict[Place, Instruction] = {}
        for place, instruction in self.at.items():
            numbers = []
            for field in instruction.fields():
                number = next(k for k, term in enumerate(field) if z3.is_true(model[term]))
                numbers.append(number)
                true.append(field[number])
            loc, check, exch, target = numbers
            chosen[place] = Instruction(loc, check, target, None if exch == self.values else exch)
        threads = [Thread(tuple(chosen[t, pc] for pc in range(size))) for t, size in enumerate(self.sizes)]
        return Program(tuple(threads)), true


def _instruction(name: str, locations: int, values: int, size: int, pc: int) -> UnknownInstruction:
    loc, check, exch, target = (
        [z3.Bool(f"{field} {name} is {k}") for k in range(number)]
        for field, number in (("loc", locations), ("check", values), ("exch", values + 1), ("target", size + 1))
    )
    return UnknownInstruction(loc, check, exch, target, is_branch=z3.Not(target[pc + 1]))


def _named_by_first_use(fields: list[list[z3.BoolRef]], *, first: int) -> Iterator[z3.BoolRef]:
    """Yield the conditions that a name above the first occurs only if the name below it occurs in an earlier field."""
    for k, field in enumerate(fields):
        for name in range(first + 1, len(field)):
            yield z3.Implies(field[name], z3.Or([before[name - 1] for before in fields[:k]]))
