"""The SAT variables for the fields of the instructions of a split.

Every field is one-hot: it has a variable for each value, and exactly one of them is true. A field with two values could
do with one variable, but the same rule for all fields is simpler. A clause can exclude one program: it says that some
field has another value than in that program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.programs.program import Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Collection

    from synth_encodings.plain.formula import Clause, Formula


class Place(NamedTuple):
    """The place of an instruction: its thread id and its program location."""

    thread: int
    pc: int

    def __str__(self) -> str:
        return f"{self.thread}:{self.pc}"


class Fields:
    """The variables of the programs of a split: for each place and field, one variable for each value.

    The field `exch` has one value more than the field `check`; this last value, `values`, means that nothing is
    written. The field `target` has the values from 0 to the size of its thread.
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
        """Return the number of fields."""
        return 4 * len(self.places)

    def no_exchange(self, place: Place) -> int:
        """Return the literal which says that the instruction at this place writes nothing."""
        return self.exch[place][self.values]

    def goes_on(self, place: Place) -> int:
        """Return the literal which says that the target is the next location: the instruction is no branch."""
        return self.target[place][place.pc + 1]

    def blocking(self, program: Program) -> Clause:
        """Return the clause that is false for this program and for no other.

        Raises:
            InputError: the program has other sizes of threads, or uses more locations or values.
        """
        fits = tuple(map(len, program)) == self.sizes
        if not fits or program.locations() > self.locations or program.values() > self.values:
            split = "+".join(map(str, self.sizes))
            size = f"split {split}, with at most {self.locations} locations and {self.values} values"
            raise InputError(f"program: found a program that does not fit the formula, expected one of {size}")
        clause: list[int] = []
        for thread, pc, instruction in program.instructions():
            place = Place(thread, pc)
            exch = self.values if instruction.exch is None else instruction.exch
            clause += [-self.loc[place][instruction.loc], -self.check[place][instruction.check]]
            clause += [-self.exch[place][exch], -self.target[place][instruction.target]]
        return tuple(clause)

    def program_of(self, true: Collection[int]) -> Program | None:
        """Return the program for which the true literals stand.

        The result is None unless exactly one literal of each field is true.
        """
        threads: list[list[Instruction]] = [[] for _ in self.sizes]
        for place in self.places:
            values = []
            for literals in (self.loc[place], self.check[place], self.exch[place], self.target[place]):
                chosen = [value for value, literal in enumerate(literals) if literal in true]
                if len(chosen) != 1:
                    return None
                values += chosen
            loc, check, exch, target = values
            threads[place.thread].append(Instruction(loc, check, target, None if exch == self.values else exch))
        return Program(tuple(Thread(tuple(thread)) for thread in threads))
