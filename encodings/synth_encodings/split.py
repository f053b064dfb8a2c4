"""One split of the instructions over the threads as clauses: what every encoding of it says, and what is asked of it.

A solver that is given the clauses proposes programs of the split in normal form. What a proposal is worth the encoding
says: the tests found, and the clauses to add, which refute it or block what was found, and no other test. So a loop of
proposals and answers ends with exactly the tests. The encodings differ in what clauses say and what is left to answers:
`full` and `lazy`.

`sizes` fall from thread to thread: rules don't tell threads apart, so the tests of the other splits are those of this
one with its threads permuted (see `synth_encodings.orbits`).
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, NamedTuple

from synth_encodings import naming, rules
from synth_encodings.cnf import Cnf
from synth_encodings.variables import ProgramVariables

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Answer(NamedTuple):
    """What a proposal is worth: the ids of the tests found by it, and the clauses to go on with."""

    tests: list[str]
    clauses: list[list[int]]


class SplitEncoding(abc.ABC):
    """The fields of the programs of a split, in normal form, and the rules that need no execution."""

    def __init__(self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str] = ()) -> None:
        self.sizes = sizes
        self.locations = useful_locations(sizes, locations, without)
        self.values = useful_values(sizes, values)
        self.cnf = Cnf()
        self.program = ProgramVariables(self.cnf, sizes, self.locations, self.values)
        naming.normal_form(self.cnf, self.program)
        if "inter-thread-influence" not in without:
            rules.inter_thread_influence(self.cnf, self.program)
        if "meaningful-comparisons" not in without:
            rules.meaningful_comparisons(self.cnf, self.program)

    @abc.abstractmethod
    def answer(self, model: Sequence[int]) -> Answer:
        """What a model of the clauses, which has literal k or -k at index k-1, is worth."""

    @staticmethod
    @abc.abstractmethod
    def leading_places(sizes: tuple[int, ...]) -> list[int]:
        """The places of the instructions by whose targets the proposals may be cut."""

    def leading_fields(self) -> list[tuple[int, ...]]:
        """The literals of the fields by which a split is cut, see `leading_field_sizes`."""
        return [self.program.instructions[place].target.literals for place in self.leading_places(self.sizes)]

    @classmethod
    def leading_field_sizes(cls, sizes: tuple[int, ...]) -> list[int]:
        """How many values each field has by which a split is cut: the targets, of which there are the most."""
        targets = [size + 1 for size in sizes for _ in range(size)]
        return [targets[place] for place in cls.leading_places(sizes)]


def useful_locations(sizes: tuple[int, ...], locations: int, without: Collection[str]) -> int:
    """How many locations a program can name, if it may name so many.

    One an instruction; one for every two where `inter-thread-influence` holds, by which each is used in two threads.
    """
    most = sum(sizes) if "inter-thread-influence" in without else max(1, sum(sizes) // 2)
    return min(locations, most)


def useful_values(sizes: tuple[int, ...], values: int) -> int:
    """How many values a program can name: 0, and two an instruction."""
    return min(values, 1 + 2 * sum(sizes))
