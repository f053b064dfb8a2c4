"""List the engines, and choose one for a question.

A new engine is a line in `ENGINES`. It must pass tests/search/test_engines.py.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeAlias

from synth_checker.errors import LimitError, check_type
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from synth_checker.question import Question
    from synth_search.engines.engine import Engine

    SomeEngine: TypeAlias = Engine[Any]
    """An engine that was chosen by its name, so that the type of its units is not known here."""

#: The module and class of each engine. An engine is imported only when it is used, because some import a solver.
ENGINES = {
    "explicit": ("synth_search.engines.explicit", "ExplicitEngine"),
    "sat": ("synth_search.engines.sat", "SatEngine"),
    "sat-full": ("synth_search.engines.sat", "FullSatEngine"),
    "smt": ("synth_search.engines.smt", "SmtEngine"),
}
#: The name that stands for the fastest engine that can take the question.
AUTO = "auto"
#: The name of the search of `synth find` that asks a solver for tests with given verdicts
#: (`synth_search.directed.engine`).
DIRECTED = "directed"

#: The solvers of PySAT that help texts and completion name. Each release of PySAT may have others, and an engine
#: accepts any that takes clauses between calls. Some solvers of PySAT do not.
SOLVERS = (
    "cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42",
    "lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22",
)  # fmt: skip


def engine_for(question: Question, name: str = AUTO, solver: str | None = None) -> SomeEngine:
    """Return the engine of a given name, made for a question.

    The name `auto` stands for `explicit` if the question fits into it, and for `sat` otherwise. With `auto` and a
    solver, the engine is `sat`.

    Raises:
        InputError: there is no such engine or solver, or the engine uses no solver and one is named.
        LimitError: the question is too large for the engine.
    """
    check_type("engine", name, str, "the name of an engine")
    if name == AUTO:
        name = "sat" if solver is not None or not explicit_can(question) else "explicit"
    if name not in ENGINES:
        raise unknown("engine", name, (AUTO, *ENGINES))
    module, kind = ENGINES[name]
    instance: SomeEngine = getattr(importlib.import_module(module), kind)(question, solver)
    return instance


def engines_that_take(question: Question) -> tuple[list[SomeEngine], list[str]]:
    """Return all engines that can take a question, and for each other engine a message that says why it can't."""
    taking, reasons = [], []
    for name in ENGINES:
        try:
            taking.append(engine_for(question, name))
        except LimitError as error:
            reasons.append(str(error))
    return taking, reasons


def explicit_can(question: Question) -> bool:
    """Return whether the engine `explicit` can take a question."""
    from synth_search.engines.explicit import reason_against

    return reason_against(question) is None
