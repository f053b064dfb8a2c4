"""The engine `smt`, which states the rules of tests as a formula for Z3 that one can read beside the definitions.

It is slow. Its purpose is to be easy to check. It shares only questions and ids with the other engines. `program` has
the fields of an unknown program, `lts` the steps that it takes, and `rules` a function for each sentence of the
definitions. A unit of work is a split. A split lists its threads by size, and the unknown program keeps this order. Z3
proposes a program, the engine forbids that program, and so on until there is none left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from synth_checker.errors import InternalError, LimitError
from synth_checker.programs.ids import lines_of
from synth_checker.programs.normal import written_out
from synth_search.engines.engine import refuse_solver
from synth_search.engines.smt.lts import SmtLts
from synth_search.engines.smt.program import UnknownProgram
from synth_search.engines.smt.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound, Question
    from synth_search.engines.engine import Field

#: Larger questions would take hours; see docs/build/performance.md.
MOST_INSTRUCTIONS = 4
MOST_STATES = 256


@dataclass(frozen=True, slots=True)
class Split:
    """A unit of work: all programs whose threads have the given sizes."""

    sizes: tuple[int, ...]

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of this unit, from which `Split` makes it again."""
        return (self.sizes,)

    def __str__(self) -> str:
        return f"split {'+'.join(map(str, self.sizes))}"

    def shares(self) -> dict[tuple[int, ...], int]:
        """Return the split itself, which has all tests of this unit."""
        return {self.sizes: 1}


class SmtEngine:
    """The engine that solves the splits of one question with Z3.

    Raises:
        InputError: the caller names a solver; this engine always asks Z3.
        LimitError: a bound has so many instructions or states that the search would take hours.
    """

    name = "smt"
    solver = None
    unit = Split
    order = 1
    batches_are_quick = False

    def __init__(self, question: Question, solver: str | None = None) -> None:
        refuse_solver(self.name, solver)
        for bound in question.bounds:
            _check_size(bound, question)
        self._question = question

    def units(self, jobs: int) -> list[Split]:  # noqa: ARG002  (a split is not divided)
        """Return the splits of the question, those of the largest programs first."""
        return [Split(sizes) for bound in reversed(self._question.bounds) for sizes in bound.splits()]

    def cut(self, unit: Split, parts: int) -> list[Split]:  # noqa: ARG002
        """Return the unit alone, because this engine can't divide a formula."""
        return [unit]

    def solve(self, unit: Split) -> Iterator[bytes]:
        """Find the tests of a split, and yield the id of each one, followed by a line break."""
        question = self._question
        program = UnknownProgram(unit.sizes, _useful_locations(question, sum(unit.sizes)), question.values)
        solver = _solver()
        solver.add(*formula(program, question.without))
        while (answer := solver.check()) == z3.sat:
            chosen, fields = program.read(solver.model())
            yield lines_of([written_out(chosen)])
            solver.add(z3.Not(z3.And(fields)))
        if answer != z3.unsat:
            raise InternalError(f"engine smt: Z3 did not decide {unit}: {solver.reason_unknown()}; use another engine")

    def count(self, unit: Split) -> Iterator[int]:
        """Yield how many tests of a split were found so far."""
        for number, _ in enumerate(self.solve(unit), start=1):
            yield number


def formula(program: UnknownProgram, without: tuple[str, ...]) -> Iterator[z3.BoolRef]:
    """Yield the conditions that a program is in normal form and keeps all rules except those in `without`."""
    lts = SmtLts(program)
    yield from program.is_well_formed()
    yield from program.is_normal()
    yield from lts.is_that_of_the_program()
    for name, rule in RULES.items():
        if name not in without:
            yield from rule(program, lts)


def _solver() -> z3.Solver:
    """Return a solver of Z3, the fastest of its solvers for this formula."""
    solver = z3.SimpleSolver()
    solver.set("arith.solver", 1)  # ranks are only compared with each other
    solver.set(ctrl_c=False)  # the parent process handles Ctrl-C, and ends this process if it must
    return solver


def _check_size(bound: Bound, question: Question) -> None:
    """Raise LimitError if a bound is so large that the search would take hours."""
    pcs = max(math.prod(size + 1 for size in sizes) for sizes in bound.splits())
    states = pcs * question.values ** _useful_locations(question, bound.instructions)
    if bound.instructions > MOST_INSTRUCTIONS or states > MOST_STATES:
        raise LimitError(
            f"engine smt: bound {bound} has {bound.instructions} instructions and up to {states:,} states, expected "
            f"at most {MOST_INSTRUCTIONS} instructions and {MOST_STATES:,} states; use the engine explicit or sat"
        )


def _useful_locations(question: Question, instructions: int) -> int:
    """Return how many locations a program can use: at most one for each instruction."""
    return min(question.locations, instructions)
