"""The SAT engine: what a solver proposes for a split, refuted or blocked, until it proposes nothing more.

It has two modes, which are two encodings: `sat` refutes lazily, `sat-full` has all rules as clauses. Both are exact: a
proposal is a test or is refuted for a reason, and the last call of every unit is unsatisfiable.

A unit of work is a split, cut further by the values of its leading fields. A worker keeps the solver of the split it is
at, so cuts of one split share what is learned: they are assumptions, not clauses.
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

from synth.work.workers import START_METHOD
from synth_checker.ids import lines_of
from synth_checker.nearest import unknown
from synth_checker.question import split_name
from synth_encodings.full import FullEncoding
from synth_encodings.lazy import LazyEncoding
from synth_encodings.orbits import arrangements, expand_arrangements, falling_splits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.engines.engine import Field
    from synth_checker.question import Question
    from synth_encodings.split import SplitEncoding

#: The fastest of all PySAT offers here; see docs/performance.md.
DEFAULT_SOLVER = "cadical195"
#: Units per process, so that the last ones end at about the same time.
_UNITS_PER_JOB = 4
#: Splits with fewer instructions are done before a cut would pay.
_SMALL = 4


@dataclass(frozen=True, slots=True)
class SplitPart:
    """The tests of a split whose leading fields have the given values."""

    sizes: tuple[int, ...]
    leading: tuple[int, ...] = ()

    def fields(self) -> tuple[Field, ...]:
        """Its fields."""
        return self.sizes, self.leading

    def __str__(self) -> str:
        return f"split {split_name(self.sizes)}, part {self.leading}"

    def shares(self) -> dict[tuple[int, ...], int]:
        """The splits with these sizes in any order, which have equal parts."""
        return {tuple(self.sizes[k] for k in order): 1 for order in arrangements(self.sizes)}


def plan_units(splits: Sequence[tuple[int, ...]], jobs: int, encoding: type[SplitEncoding]) -> list[SplitPart]:
    """Units of some splits, the largest first; enough of them to keep `jobs` processes busy."""
    large = [sizes for sizes in splits if sum(sizes) >= _SMALL]
    units = [SplitPart(sizes) for sizes in splits if sizes not in large]
    for sizes in large:
        wanted = -(-_UNITS_PER_JOB * jobs // len(large)) if jobs > 1 else 1
        units += parts_of(SplitPart(sizes), wanted, encoding)
    return sorted(units, key=lambda unit: (-sum(unit.sizes), max(unit.sizes), unit.leading))


def parts_of(unit: SplitPart, wanted: int, encoding: type[SplitEncoding]) -> list[SplitPart]:
    """A unit cut by its next leading fields, into as many units as are wanted or some more, if it has the fields."""
    cuts = [unit.leading]
    for values in encoding.leading_field_sizes(unit.sizes)[len(unit.leading) :]:
        if len(cuts) >= wanted:
            break
        cuts = [(*cut, value) for cut in cuts for value in range(values)]
    return [SplitPart(unit.sizes, cut) for cut in cuts]


class SatEngine:
    """Solves units of one question, lazily; each worker process has a copy, with a solver of its own.

    Raises:
        InputError: PySAT has no such solver, or it can't be asked again and again.
    """

    name = "sat"
    unit = SplitPart
    order = 1
    first_batch_is_quick = False
    encoding: ClassVar[type[SplitEncoding]] = LazyEncoding

    def __init__(self, question: Question, solver: str | None = None) -> None:
        self.solver = DEFAULT_SOLVER if solver is None else solver
        check_solver(self.solver)
        self.question = question
        self._split: tuple[SplitEncoding, Solver] | None = None
        self._begun: list[tuple[int, ...]] = []  # what the solver was asked of that split, and will not say again

    def units(self, jobs: int) -> list[SplitPart]:
        """The splits with falling sizes, cut where there are fewer than the jobs need."""
        splits = [sizes for bound in self.question.bounds for sizes in falling_splits(bound.splits())]
        return plan_units(splits, jobs, self.encoding)

    def cut(self, unit: SplitPart, parts: int) -> list[SplitPart]:
        """Parts of a unit, by further leading fields; one that is chosen at random is a fair but a coarse sample."""
        return parts_of(unit, parts, self.encoding)

    def solve(self, unit: SplitPart) -> Iterator[bytes]:
        """The ids of the tests of a unit and of their images in the splits of the same sizes, each once, as lines."""
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
        """How many tests of a unit there are so far."""
        number = 0
        for lines in self.solve(unit):
            number += lines.count(b"\n")
            yield number

    def encoding_of(self, sizes: tuple[int, ...]) -> SplitEncoding:
        """The clauses of a split."""
        question = self.question
        return self.encoding(sizes, question.locations, question.values, question.without)

    def images(self, tests: list[str], sizes: tuple[int, ...]) -> list[str]:
        """What the tests of a split stand for: those of all splits with its sizes in any order."""
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


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether some programs have both as their leading fields."""
    return all(a == b for a, b in zip(one, other, strict=False))


class FullSatEngine(SatEngine):
    """The same with all rules as clauses."""

    name = "sat-full"
    encoding = FullEncoding


def check_solver(name: str) -> None:
    """Whether PySAT has a solver of this name that takes clauses between calls, and assumptions.

    Raises:
        InputError: it has not.
    """
    if multiprocess.current_process().daemon:  # a worker of ours: it may start no process, and its parent has tried it
        return
    # Tried in a process of its own: some solvers that can't do it end the process that asks them to.
    process = multiprocess.get_context(START_METHOD).Process(target=_try_solver, args=(name,), daemon=True)
    process.start()
    process.join()
    if process.exitcode != 0:
        from pysat.solvers import SolverNames

        names = sorted(k for k in vars(SolverNames) if not k.startswith("_") and k != name)
        raise unknown("solver", name, names, f"an incremental solver of PySAT's: {', '.join(names)}")


def _try_solver(name: str) -> None:
    """Leave the process with 0 if the solver does what `SatEngine.solve` needs."""
    faulthandler.disable()  # what is said as it dies helps nobody
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sane = False
    with contextlib.suppress(Exception), Solver(name=name, bootstrap_with=[[1, 2]]) as solver:
        sane = solver.solve() and solver.get_model() is not None
        solver.add_clause([-1])
        sane = sane and solver.solve(assumptions=[2]) and not solver.solve(assumptions=[-2])
    sys.exit(not sane)
