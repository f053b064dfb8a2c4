"""Which engines there are, and which is asked.

A new one is a line in `ENGINES`, and passes tests/synth/test_engines.py.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeAlias

from synth_checker.errors import LimitError, check_type
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from synth.engines.engine import Engine
    from synth_checker.question import Question

    SomeEngine: TypeAlias = Engine[Any]
    """An engine chosen by its name: only it knows of what kind its units are."""

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


def engine_for(question: Question, name: str = AUTO, solver: str | None = None) -> SomeEngine:
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
    made: SomeEngine = getattr(importlib.import_module(module), kind)(question, solver)
    return made


def engines_that_take(question: Question) -> tuple[list[SomeEngine], list[str]]:
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
