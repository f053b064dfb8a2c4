"""What an engine is, and which there are.

An engine takes a question apart into units of work and finds the tests of each. It says nothing of verdicts, of
processes, or of where the tests go. A new one is a line in `ENGINES`, and passes tests/synth/test_engines.py.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from synth_checker.errors import InputError, LimitError, check_type
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_checker.question import Question

#: Where each engine lives; loaded when it is asked for, as some bring a solver with them.
ENGINES = {
    "explicit": ("synth.engines.explicit", "ExplicitEngine"),
    "sat": ("synth.engines.sat", "SatEngine"),
    "sat-full": ("synth.engines.sat", "FullSatEngine"),
    "smt": ("synth.engines.smt", "SmtEngine"),
}
#: Whichever is the fastest that the question fits into.
AUTO = "auto"
#: The search of `synth find` that asks a solver for tests that are as wanted (`synth.directed.solving`).
DIRECTED = "directed"

#: The solvers of PySAT that engines with one can ask. It has more, which take no clauses between calls; each release of
#: it may have others, and any that does what an engine needs is accepted.
SOLVERS = (
    "cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42",
    "lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22",
)  # fmt: skip


class Unit(Protocol):
    """A part of the work; a hashable value that says in a word what it is, and a dataclass of numbers in tuples."""

    def shares(self) -> Mapping[tuple[int, ...], int]:
        """The splits that its tests belong to, each with its part of them."""


class Engine(Protocol):
    """Finds the tests of one question. It is made once and copied to each worker process."""

    name: str
    solver: str | None
    """The solver it asks, where it asks one."""
    unit: type[Any]
    """What its units are."""
    order: int
    """Raised whenever the same unit, written down by an earlier release, would have other tests."""

    def cut(self, unit: Any, parts: int) -> list[Any]:  # noqa: ANN401  (a unit of its own)
        """Units that have each test of one in exactly one of them, about so many and of about the same size.

        The unit itself, where it can't be cut. If chosen at random, one is an unbiased sample of the whole.
        """

    def units(self, jobs: int) -> list[Any]:
        """Units that have each test of the question in exactly one of them, the largest first."""

    def solve(self, unit: Any) -> Iterator[bytes]:  # noqa: ANN401
        """The ids of the tests of a unit, each once and ended by a line end, some at a time as they are found."""

    def count(self, unit: Any) -> Iterator[int]:  # noqa: ANN401
        """How many tests of a unit have been found so far; the last number is that of all."""


def engine_for(question: Question, name: str = AUTO, solver: str | None = None) -> Engine:
    """The engine of that name, or the one that is best for the question.

    Naming a solver asks for the engine that uses one.

    Raises:
        InputError: there is no such engine or solver, or the engine uses none.
        LimitError: the question is too large for the engine.
    """
    check_type("engine", name, str, "the name of an engine")
    if name == AUTO:
        name = "sat" if solver is not None or not explicit_can(question) else "explicit"
    if name not in ENGINES:
        raise unknown("engine", name, (AUTO, *ENGINES))
    module, kind = ENGINES[name]
    made: Engine = getattr(importlib.import_module(module), kind)(question, solver)
    return made


def engines_that_take(question: Question) -> tuple[list[Engine], list[str]]:
    """All engines that the question fits into, and why the others don't take it."""
    taking, reasons = [], []
    for name in ENGINES:
        try:
            taking.append(engine_for(question, name))
        except LimitError as error:
            reasons.append(str(error))
    return taking, reasons


def explicit_can(question: Question) -> bool:
    """Whether a question fits into the engine `explicit`."""
    from synth.engines.explicit import reason_against

    return reason_against(question) is None


def no_solver(engine: str, solver: str | None) -> None:
    """Raise InputError where a solver is named to an engine that uses none."""
    if solver is not None:
        msg = f"solver: found {solver!r}, expected none with the engine {engine}, which uses no solver"
        raise InputError(msg)
