"""The smt engine: the question as a formula for Z3, to be read against the definitions.

It is slow, and there to be believed. Of the other engines it shares nothing but questions and ids: `program` has the
fields of an unknown program, `lts` what it does, `rules` a function for each sentence on what a test is. A unit of work
is a split, in the order of its threads, with a formula of its own. Z3 is asked for a program, which is then blocked,
until there is none left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

from synth.engines.engine import refuse_solver
from synth.engines.smt.lts import SmtLts
from synth.engines.smt.program import UnknownProgram
from synth.engines.smt.rules import RULES
from synth_checker.errors import InternalError, LimitError
from synth_checker.ids import lines_of
from synth_checker.normal import written_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.engines.engine import Field
    from synth_checker.question import Bound, Question

#: Beyond these it takes hours; see docs/performance.md.
MOST_INSTRUCTIONS = 4
MOST_STATES = 256


@dataclass(frozen=True, slots=True)
class Split:
    """The programs whose threads have these sizes."""

    sizes: tuple[int, ...]

    def fields(self) -> tuple[Field, ...]:
        """Its fields."""
        return (self.sizes,)

    def __str__(self) -> str:
        return f"split {'+'.join(map(str, self.sizes))}"

    def shares(self) -> dict[tuple[int, ...], int]:
        """The split itself, with all its tests."""
        return {self.sizes: 1}


class SmtEngine:
    """Solves the splits of one question.

    Raises:
        InputError: a solver is named.
        LimitError: a bound has so many instructions or states that it would take hours.
    """

    name = "smt"
    solver = None
    unit = Split
    order = 1
    first_batch_is_quick = False

    def __init__(self, question: Question, solver: str | None = None) -> None:
        refuse_solver(self.name, solver)
        for bound in question.bounds:
            _check_size(bound, question)
        self._question = question

    def units(self, jobs: int) -> list[Split]:  # noqa: ARG002  (a formula can't be divided)
        """The splits, those of the largest programs first."""
        return [Split(sizes) for bound in reversed(self._question.bounds) for sizes in bound.splits()]

    def cut(self, unit: Split, parts: int) -> list[Split]:  # noqa: ARG002
        """The unit itself: a formula can't be divided."""
        return [unit]

    def solve(self, unit: Split) -> Iterator[bytes]:
        """The ids of the tests of a split, each once, as lines."""
        question = self._question
        program = UnknownProgram(unit.sizes, _useful_locations(question, sum(unit.sizes)), question.values)
        solver = _solver()
        solver.add(*formula(program, question.without))
        while (answer := solver.check()) == z3.sat:
            chosen, fields = program.read(solver.model())
            yield lines_of([written_out(chosen)])
            solver.add(z3.Not(z3.And(fields)))
        if answer != z3.unsat:
            msg = f"engine smt: Z3 gave up on {unit}: {solver.reason_unknown()}"
            raise InternalError(msg)

    def count(self, unit: Split) -> Iterator[int]:
        """How many tests of a split there are so far."""
        for number, _ in enumerate(self.solve(unit), start=1):
            yield number


def formula(program: UnknownProgram, without: tuple[str, ...]) -> Iterator[z3.BoolRef]:
    """That the program is in normal form and satisfies all rules but those dropped."""
    lts = SmtLts(program)
    yield from program.is_well_formed()
    yield from program.is_normal()
    yield from lts.is_that_of_the_program()
    for name, rule in RULES.items():
        if name not in without:
            yield from rule(program, lts)


def _solver() -> z3.Solver:
    """The solver that was the fastest of Z3's here."""
    solver = z3.SimpleSolver()
    solver.set("arith.solver", 1)  # all it knows of ranks is that one is below another
    solver.set(ctrl_c=False)  # an interrupt is the parent's, which ends this process where it has to
    return solver


def _check_size(bound: Bound, question: Question) -> None:
    """Raise LimitError where there is no hope."""
    pcs = max(math.prod(size + 1 for size in sizes) for sizes in bound.splits())
    states = pcs * question.values ** _useful_locations(question, bound.instructions)
    if bound.instructions > MOST_INSTRUCTIONS or states > MOST_STATES:
        msg = (
            f"engine smt: bound {bound} has {bound.instructions} instructions and up to {states:,} states, expected "
            f"at most {MOST_INSTRUCTIONS} and {MOST_STATES:,}; the engines explicit and sat take larger ones"
        )
        raise LimitError(msg)


def _useful_locations(question: Question, instructions: int) -> int:
    """How many locations a program can use: each instruction uses one."""
    return min(question.locations, instructions)
