"""An unknown program: every field of every instruction, and what it is to be in normal form (definitions, 1 and 2).

A field is a list of Booleans, of which exactly one is true: `loc[2]` says that the location is 2. This is what Z3 is
quick with, and reads well.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import z3

from synth_checker.program import Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Place: TypeAlias = tuple[int, int]
"""A thread id and a program location."""
#: `exch[NONE]` says that nothing is written.
NONE = -1


@dataclass(frozen=True)
class UnknownInstruction:
    """The fields of the instruction at a place: `loc[k]`, `check[v]`, `exch[v]` or `exch[NONE]`, and `target[pc]`."""

    loc: list[z3.BoolRef]
    check: list[z3.BoolRef]
    exch: list[z3.BoolRef]
    target: list[z3.BoolRef]
    is_branch: z3.BoolRef
    """The target is not what follows anyway."""

    @property
    def has_exchange(self) -> z3.BoolRef:
        """It writes."""
        return z3.Not(self.exch[NONE])

    def fields(self) -> list[list[z3.BoolRef]]:
        """The four, in the order of an id."""
        return [self.loc, self.check, self.exch, self.target]

    def is_taken(self, memory: Sequence[int]) -> z3.BoolRef:
        """The comparison holds in a memory."""
        return z3.Or([z3.And(self.loc[loc], self.check[value]) for loc, value in enumerate(memory)])

    def changes(self, memory: Sequence[int]) -> z3.BoolRef:
        """It writes another value than there is."""
        others = [(loc, v) for loc, value in enumerate(memory) for v in range(len(self.check)) if v != value]
        return z3.Or([z3.And(self.loc[loc], self.exch[v]) for loc, v in others])


class UnknownProgram:
    """The instructions of threads of given sizes, over so many locations and values."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int) -> None:
        self.sizes, self.locations, self.values = sizes, locations, values
        self.at: dict[Place, UnknownInstruction] = {
            (thread, pc): _instruction(f"{thread}.{pc}", locations, values, size, pc)
            for thread, size in enumerate(sizes)
            for pc in range(size)
        }

    def is_well_formed(self) -> Iterator[z3.BoolRef]:
        """Every field is one thing."""
        for instruction in self.at.values():
            for field in instruction.fields():
                yield z3.Or(field)
                yield from (z3.Not(z3.And(pair)) for pair in itertools.combinations(field, 2))

    def is_normal(self) -> Iterator[z3.BoolRef]:
        """No no-op; locations and non-zero values are named by first use. A store's check is the matter of a rule."""
        instructions = list(self.at.values())
        for instruction in instructions:
            yield z3.Or(instruction.has_exchange, instruction.is_branch)
        yield from _named_by_first_use([i.loc for i in instructions], first=0)
        yield from _named_by_first_use([field for i in instructions for field in (i.check, i.exch[:NONE])], first=1)

    def read(self, model: z3.ModelRef) -> tuple[Program, list[z3.BoolRef]]:
        """The program in a model, and the Booleans that are true of its fields alone."""
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
    """Whoever uses a name above the first has the one below it in some field before."""
    for k, field in enumerate(fields):
        for name in range(first + 1, len(field)):
            yield z3.Implies(field[name], z3.Or([before[name - 1] for before in fields[:k]]))
