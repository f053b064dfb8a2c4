"""The engines `sat` and `sat-full`, which ask a SAT solver for the tests of a split until there are no more.

The two engines differ in their encoding. `sat` leaves executions out of the clauses: it runs each program that the
solver proposes, and adds clauses that refute those that are no tests. `sat-full` states all rules as clauses. Both are
exact. Each proposed program is a test, or is refuted for a reason, and the last call of the solver for each unit has no
solution.

A unit of work is a split, or a part of one, in which the first fields of its programs have given values. A worker
process keeps the solver of its split. It states these values as assumptions and not as clauses, so that all parts of a
split share what the solver has learned.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import multiprocess
from pysat.solvers import Solver

from synth_checker.nearest import unknown
from synth_checker.programs.ids import lines_of
from synth_checker.question import split_name
from synth_encodings.full import FullEncoding
from synth_encodings.lazy import LazyEncoding
from synth_encodings.orbits import arrangements, expand_arrangements, falling_splits
from synth_workers.pool import START_METHOD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.question import Question
    from synth_encodings.split import SplitEncoding
    from synth_search.engines.engine import Field

#: The fastest solver of PySAT for these clauses; see docs/build/performance.md.
DEFAULT_SOLVER = "cadical195"
#: How many units each process gets, so that all processes end at about the same time.
_UNITS_PER_JOB = 4
#: A split with fewer instructions is not cut, because its search is too short for that.
_SMALL = 4


@dataclass(frozen=True, slots=True)
class SplitPart:
    """A unit of work: the programs of a split whose leading fields have the given values."""

    sizes: tuple[int, ...]
    leading: tuple[int, ...] = ()

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of this unit, from which `SplitPart` makes it again."""
        return self.sizes, self.leading

    def __str__(self) -> str:
        return f"split {split_name(self.sizes)}, part {self.leading}"

    def shares(self) -> dict[tuple[int, ...], int]:
        """Return the splits with these sizes in any order; each has the same number of tests."""
        return {tuple(self.sizes[k] for k in order): 1 for order in arrangements(self.sizes)}


def plan_units(splits: Sequence[tuple[int, ...]], jobs: int, encoding: type[SplitEncoding]) -> list[SplitPart]:
    """Return the units of some splits, the largest first, and enough of them to keep `jobs` processes busy."""
    large = [sizes for sizes in splits if sum(sizes) >= _SMALL]
    units = [SplitPart(sizes) for sizes in splits if sizes not in large]
    for sizes in large:
        parts = -(-_UNITS_PER_JOB * jobs // len(large)) if jobs > 1 else 1
        units += parts_of(SplitPart(sizes), parts, encoding)
    return sorted(units, key=lambda unit: (-sum(unit.sizes), max(unit.sizes), unit.leading))


def parts_of(unit: SplitPart, least: int, encoding: type[SplitEncoding]) -> list[SplitPart]:
    """Divide a unit by the values of its next leading fields, into at least `least` units if it has enough fields."""
    cuts = [unit.leading]
    for values in encoding.leading_field_sizes(unit.sizes)[len(unit.leading) :]:
        if len(cuts) >= least:
            break
        cuts = [(*cut, value) for cut in cuts for value in range(values)]
    return [SplitPart(unit.sizes, cut) for cut in cuts]


class SatEngine:
    """The engine `sat`, which refutes the programs that a solver proposes for a question by running them.

    Each worker process has a copy of the engine, with a solver of its own.

    Raises:
        InputError: PySAT has no such solver, or the solver takes no clauses between two calls.
    """

    name = "sat"
    unit = SplitPart
    order = 1
    batches_are_quick = False
    encoding: ClassVar[type[SplitEncoding]] = LazyEncoding

    def __init__(self, question: Question, solver: str | None = None) -> None:
        self.solver = DEFAULT_SOLVER if solver is None else solver
        check_solver(self.solver)
        self.question = question
        self._split: tuple[SplitEncoding, Solver] | None = None
        self._begun: list[
            tuple[int, ...]
        ] = []  # the parts of that split that the solver was asked for; it does not give their tests again

    def units(self, jobs: int) -> list[SplitPart]:
        """Return the splits whose sizes never rise from one thread to the next.

        Cut them if they are too few for the processes.
        """
        splits = [sizes for bound in self.question.bounds for sizes in falling_splits(bound.splits())]
        return plan_units(splits, jobs, self.encoding)

    def cut(self, unit: SplitPart, parts: int) -> list[SplitPart]:
        """Divide a unit by the values of further leading fields.

        A part that is chosen at random is an unbiased sample of the tests, but parts may differ much in size.
        """
        return parts_of(unit, parts, self.encoding)

    def solve(self, unit: SplitPart) -> Iterator[bytes]:
        """Find the tests of a unit, in all orders of their threads, and yield their ids in batches.

        Each id ends with a line break.
        """
        encoding, solver = self._at(unit)
        fields = encoding.leading_fields()
        cut = [fields[k][value] for k, value in enumerate(unit.leading)]
        while solver.solve(assumptions=cut):
            tests, clauses = encoding.answer(solver.get_model())
            for clause in clauses:
                solver.add_clause(clause)
            if tests:
                yield lines_of(self.images(tests, unit.sizes))

    def count(self, unit: SplitPart) -> Iterator[int]:
        """Yield how many tests of a unit were found so far."""
        number = 0
        for lines in self.solve(unit):
            number += lines.count(b"\n")
            yield number

    def encoding_of(self, sizes: tuple[int, ...]) -> SplitEncoding:
        """Return the clauses of a split."""
        question = self.question
        return self.encoding(sizes, question.locations, question.values, question.without)

    def images(self, tests: list[str], sizes: tuple[int, ...]) -> list[str]:
        """Return the tests of a split together with all that come from them by another order of the threads."""
        return expand_arrangements(tests, sizes, keep_store_checks=self.question.keep_store_checks)

    def _at(self, unit: SplitPart) -> tuple[SplitEncoding, Solver]:
        asked_before = any(_overlap(unit.leading, leading) for leading in self._begun)
        if self._split is None or self._split[0].sizes != unit.sizes or asked_before:
            if self._split is not None:
                self._split[1].delete()
            encoding = self.encoding_of(unit.sizes)
            solver = Solver(name=self.solver, bootstrap_with=encoding.cnf.clauses)
            self._split = encoding, solver
            self._begun = []
        self._begun.append(unit.leading)
        return self._split


def _overlap(first: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether some program has both tuples as the values of its leading fields."""
    return all(a == b for a, b in zip(first, other, strict=False))


class FullSatEngine(SatEngine):
    """The engine `sat-full`, which states all rules of tests as clauses."""

    name = "sat-full"
    encoding = FullEncoding


def check_solver(name: str) -> None:
    """Check that PySAT has a solver of this name, and that it takes assumptions and clauses between two calls.

    Raises:
        InputError: PySAT has no such solver, or the solver can't do that.
    """
    if (
        multiprocess.current_process().daemon
    ):  # a worker process may start no process, and its parent has made this check
        return
    # In a process of its own, because some solvers that can't do this end the process that asks them.
    process = multiprocess.get_context(START_METHOD).Process(target=_try_solver, args=(name,), daemon=True)
    process.start()
    process.join()
    if process.exitcode != 0:
        from pysat.solvers import SolverNames

        names = sorted(k for k in vars(SolverNames) if not k.startswith("_") and k != name)
        raise unknown("solver", name, names, f"an incremental solver of PySAT: {', '.join(names)}")


def _try_solver(name: str) -> None:
    """Exit with status 0 if the solver can do what `SatEngine.solve` needs, and with 1 otherwise."""
    faulthandler.disable()  # the traceback of a solver that crashes helps nobody
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sane = False
    with contextlib.suppress(Exception), Solver(name=name, bootstrap_with=[[1, 2]]) as solver:
        sane = solver.solve() and solver.get_model() is not None
        solver.add_clause([-1])
        sane = sane and solver.solve(assumptions=[2]) and not solver.solve(assumptions=[-2])
    sys.exit(not sane)
