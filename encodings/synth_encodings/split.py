"""The clauses that all encodings of a split share, and the interface of an encoding.

A split says how many instructions each thread has. The search for its tests is a loop. A solver proposes a program that
satisfies the clauses, and the encoding answers with the tests that it found and with new clauses. The new clauses
exclude the proposal and the tests found, and no other test. So the loop ends with exactly the tests of the split. The
encoding `full` has clauses for all rules; `lazy` leaves what depends on executions to its answers.

`sizes` are the numbers of instructions of the threads. They never grow from one thread to the next. The rules do not
tell threads apart, so permuting the threads of these tests gives the tests of the other splits (see
`synth_encodings.orbits`).
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, NamedTuple

from synth_encodings import normal_form, rules
from synth_encodings.cnf import Cnf
from synth_encodings.variables import ProgramVariables

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Answer(NamedTuple):
    """The answer of an encoding to a program that a solver proposes: the ids of tests, and clauses to add."""

    tests: list[str]
    clauses: list[list[int]]


class SplitEncoding(abc.ABC):
    """An encoding of a split: variables for its programs, and clauses for normal form and for some rules."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()) -> None:
        self.sizes = sizes
        self.locations = useful_locations(sizes, locations, without)
        self.values = useful_values(sizes, values)
        self.cnf = Cnf()
        self.program = ProgramVariables(self.cnf, sizes, self.locations, self.values)
        normal_form.normal_form(self.cnf, self.program)
        if "inter-thread-influence" not in without:
            rules.inter_thread_influence(self.cnf, self.program)
        if "meaningful-comparisons" not in without:
            rules.meaningful_comparisons(self.cnf, self.program)

    @abc.abstractmethod
    def answer(self, model: Sequence[int]) -> Answer:
        """Answer a solution of the clauses with tests and with new clauses.

        The solution holds literal k or -k at index k-1.
        """

    @staticmethod
    @abc.abstractmethod
    def leading_places(sizes: tuple[int, ...]) -> list[int]:
        """Return the places of the instructions by whose targets the search may be divided into parts."""

    def leading_fields(self) -> list[tuple[int, ...]]:
        """Return the literals of each field whose value decides to which part of the split a program belongs."""
        return [self.program.instructions[place].target.literals for place in self.leading_places(self.sizes)]

    @classmethod
    def leading_field_sizes(cls, sizes: tuple[int, ...]) -> list[int]:
        """Return how many values each leading field has.

        The leading fields are targets, because a target has more values than any other field.
        """
        targets = [size + 1 for size in sizes for _ in range(size)]
        return [targets[place] for place in cls.leading_places(sizes)]


def useful_locations(sizes: tuple[int, ...], locations: int, without: Collection[str]) -> int:
    """Return how many memory locations a program with these sizes can use, but at most `locations`.

    A program can use one location for each instruction. Under the rule `inter-thread-influence`, two threads use each
    location, so a program can use one location for every two instructions.
    """
    most = sum(sizes) if "inter-thread-influence" in without else max(1, sum(sizes) // 2)
    return min(locations, most)


def useful_values(sizes: tuple[int, ...], values: int) -> int:
    """Return how many values a program can use: 0, and two for each instruction, but at most `values`."""
    return min(values, 1 + 2 * sum(sizes))
