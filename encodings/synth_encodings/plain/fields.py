"""The fields of the instructions, and the programs that they stand for.

Every field is one-hot: one variable a value, of which exactly one is true. That is more than a field of two values
needs, and the same for all. Blocking a program is the clause that some field has another value than it has there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.programs.program import Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Collection

    from synth_encodings.plain.formula import Clause, Formula


class Place(NamedTuple):
    """Where an instruction stands: thread id and program location."""

    thread: int
    pc: int

    def __str__(self) -> str:
        return f"{self.thread}:{self.pc}"


class Fields:
    """The variables of a split's programs: per place and field one a value.

    `exch` has one value more than the others, `values`, which means none. `target` is 0 ... n of its thread.
    """

    def __init__(self, formula: Formula, sizes: tuple[int, ...], locations: int, values: int) -> None:
        self.sizes, self.locations, self.values = sizes, locations, values
        self.places = [Place(thread, pc) for thread, size in enumerate(sizes) for pc in range(size)]
        formula.family("fields")

        def field(name: str, place: Place, count: int) -> list[int]:
            literals = [
                formula.variable(name, place, "=", "none" if name == "exch" and value == values else value)
                for value in range(count)
            ]
            formula.exactly_one(literals)
            return literals

        self.loc: dict[Place, list[int]] = {}
        self.check: dict[Place, list[int]] = {}
        self.exch: dict[Place, list[int]] = {}
        self.target: dict[Place, list[int]] = {}
        for place in self.places:
            self.loc[place] = field("loc", place, locations)
            self.check[place] = field("check", place, values)
            self.exch[place] = field("exch", place, values + 1)
            self.target[place] = field("target", place, sizes[place.thread] + 1)

    @property
    def count(self) -> int:
        """How many fields there are."""
        return 4 * len(self.places)

    def no_exchange(self, place: Place) -> int:
        """The literal: nothing is written."""
        return self.exch[place][self.values]

    def goes_on(self, place: Place) -> int:
        """The literal: the target is the next location, so this is no branch."""
        return self.target[place][place.pc + 1]

    def blocking(self, program: Program) -> Clause:
        """The clause that is false of this program and of no other.

        Raises:
            InputError: the program is not of this split, or uses more locations or values.
        """
        fits = tuple(map(len, program)) == self.sizes
        if not fits or program.locations() > self.locations or program.values() > self.values:
            split = "+".join(map(str, self.sizes))
            msg = f"found another program, expected split {split}, {self.locations} locations and {self.values} values"
            raise InputError(msg)
        clause: list[int] = []
        for thread, pc, instruction in program.instructions():
            place = Place(thread, pc)
            exch = self.values if instruction.exch is None else instruction.exch
            clause += [-self.loc[place][instruction.loc], -self.check[place][instruction.check]]
            clause += [-self.exch[place][exch], -self.target[place][instruction.target]]
        return tuple(clause)

    def program_of(self, true: Collection[int]) -> Program | None:
        """The program whose fields have the literals that are given true; None unless each field has exactly one."""
        threads: list[list[Instruction]] = [[] for _ in self.sizes]
        for place in self.places:
            found = []
            for literals in (self.loc[place], self.check[place], self.exch[place], self.target[place]):
                given = [value for value, literal in enumerate(literals) if literal in true]
                if len(given) != 1:
                    return None
                found += given
            loc, check, exch, target = found
            threads[place.thread].append(Instruction(loc, check, target, None if exch == self.values else exch))
        return Program(tuple(Thread(tuple(thread)) for thread in threads))
