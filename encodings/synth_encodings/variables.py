"""The SAT variables for the programs of a split: variables for every field of every instruction.

A field with three or more possible values has a variable for each value, and exactly one of these variables is true. A
field with two values has one variable, which is true for the second value. A field with one value needs no variable. In
a formula, the variables of the fields have the lowest numbers, in the order of the instructions. So the beginning of a
solution says which program it is. A clause excludes a program: it says that some field has another value.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.programs.id_layout import digits_of, joined_threads
from synth_encodings.cnf import TRUE, Cnf

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_TWO = 2


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an instruction: one literal for each value, exactly one of which is true."""

    literals: tuple[int, ...]

    @staticmethod
    def of(cnf: Cnf, values: int) -> Field:
        """Make a new field with so many values, which are numbered from 0."""
        if values == 1:
            return Field((TRUE,))
        if values == _TWO:
            second = cnf.new()
            return Field((-second, second))
        literals = tuple(cnf.new() for _ in range(values))
        cnf.add(literals)
        for pair in itertools.combinations(literals, 2):
            cnf.add(-literal for literal in pair)
        return Field(literals)

    def __getitem__(self, value: int) -> int:
        """Return the literal which says that the field has this value."""
        return self.literals[value]

    def __len__(self) -> int:
        return len(self.literals)

    @property
    def variables(self) -> tuple[int, ...]:
        """Return the variables behind the literals: one for a field with two values, none for a constant."""
        return tuple(sorted({abs(literal) for literal in self.literals} - {TRUE}))


@dataclass(frozen=True, slots=True)
class InstructionVariables:
    """The fields of one instruction at its place (thread, pc).

    The last value of `exch` means that the instruction writes nothing. It is one above the highest value of `check`.
    """

    thread: int
    pc: int
    loc: Field
    check: Field
    exch: Field
    target: Field

    @property
    def writes(self) -> int:
        """Return the literal which says that the instruction has an exchange."""
        return -self.exch[len(self.check)]

    @property
    def is_branch(self) -> int:
        """Return the literal which says that the instruction's target is not the next location."""
        return -self.target[self.pc + 1]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the four fields in the order in which an id writes them."""
        return (self.loc, self.check, self.exch, self.target)


class ProgramVariables:
    """The variables of all instructions of a split."""

    def __init__(self, cnf: Cnf, sizes: tuple[int, ...], locations: int, values: int) -> None:
        self.sizes = sizes
        self.locations = locations
        self.values = values
        self.instructions = [
            InstructionVariables(
                thread,
                pc,
                loc=Field.of(cnf, locations),
                check=Field.of(cnf, values),
                exch=Field.of(cnf, values + 1),
                target=Field.of(cnf, size + 1),
            )
            for thread, size in enumerate(sizes)
            for pc in range(size)
        ]
        self._decoders = [_InstructionDecoder(instruction) for instruction in self.instructions]

    def of_thread(self, thread: int) -> list[InstructionVariables]:
        """Return the variables of the instructions of one thread."""
        return [instruction for instruction in self.instructions if instruction.thread == thread]

    def decode(self, model: Sequence[int]) -> tuple[str, list[int]]:
        """Return the id of the program in a solution, and the field literals that are true in it.

        The solution holds literal k or -k at index k-1.
        """
        threads = [""] * len(self.sizes)
        true: list[int] = []
        for decoder in self._decoders:
            digits, literals = decoder.read(model)
            threads[decoder.thread] += digits
            true += literals
        return joined_threads(threads), true

    def fields_but(self, model: Sequence[int], places: Collection[int]) -> list[int]:
        """Return the true literals of the fields of all instructions, except those at the given places."""
        return [
            x for place, decoder in enumerate(self._decoders) if place not in places for x in decoder.read(model)[1]
        ]


class _InstructionDecoder:
    """Reads one instruction out of a solution, and remembers the meaning of each assignment of its variables."""

    def __init__(self, instruction: InstructionVariables) -> None:
        self.thread = instruction.thread
        self._instruction = instruction
        variables = [v for field in instruction.fields for v in field.variables]
        self._slice = slice(min(variables) - 1, max(variables)) if variables else slice(0, 0)
        self._known: dict[tuple[int, ...], tuple[str, list[int]]] = {}

    def read(self, model: Sequence[int]) -> tuple[str, list[int]]:
        head = tuple(model[self._slice])
        known = self._known.get(head)
        if known is None:
            known = self._known[head] = self._read(frozenset(head) | {TRUE})
        return known

    def _read(self, true: frozenset[int]) -> tuple[str, list[int]]:
        instruction = self._instruction
        literals = [next(literal for literal in field.literals if literal in true) for field in instruction.fields]
        loc, check, exch, target = (f.literals.index(x) for f, x in zip(instruction.fields, literals, strict=True))
        digits = digits_of(loc, check, None if exch == len(instruction.check) else exch, target)
        return digits, [literal for literal in literals if literal != TRUE]
