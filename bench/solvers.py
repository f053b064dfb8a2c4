"""Which of PySAT's solvers enumerates fastest: the tests of 2x4 and 3x4, without workers.

Each run is a process of its own, so that a solver that is too slow can be ended. All must find the same tests.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from pathlib import Path

from pysat.solvers import SolverNames
from support.tables import print_reading, print_table

from synth_checker.errors import InputError
from synth_search.engines.sat import DEFAULT_SOLVER, check_solver

BOUNDS = ("2x4", "3x4")
REPETITIONS = 5
LIMIT_S = 60
SCRIPT = Path(__file__).parent / "support" / "all_tests.py"


def main() -> None:
    """Print the table, the fastest first."""
    taken: dict[str, dict[str, list[float]]] = {name: {bound: [] for bound in BOUNDS} for name in incremental_solvers()}
    answers: dict[str, str] = {}
    for _ in range(REPETITIONS):
        for name, by_bound in taken.items():
            for bound in BOUNDS:
                if math.inf not in by_bound[bound]:
                    by_bound[bound].append(enumerate_with(name, bound, answers))

    def relative(name: str, bound: str) -> float:
        turns = zip(taken[name][bound], taken[DEFAULT_SOLVER][bound], strict=False)
        return statistics.median(ours / default for ours, default in turns)

    def cells(name: str, bound: str) -> tuple[str, str]:
        if math.inf in taken[name][bound]:
            return f"> {LIMIT_S}", ""
        return f"{statistics.median(taken[name][bound]):.2f}", f"{relative(name, bound):.2f}"

    ordered = sorted(taken, key=lambda name: [relative(name, bound) for bound in BOUNDS])
    print_table(
        "Enumeration by solver",
        ("", *(title for bound in BOUNDS for title in (f"{bound}, s", "relative"))),
        [(name, *(cell for bound in BOUNDS for cell in cells(name, bound))) for name in ordered],
    )
    print_reading(
        f"CPU seconds of one process, the building of the clauses included, and how many times those of the default, "
        f"{DEFAULT_SOLVER}, in the same turn; medians of {REPETITIONS} turns, smaller is better. What had not ended "
        f"after {LIMIT_S} s was ended. All others found the same tests."
    )


def incremental_solvers() -> list[str]:
    """The solvers that can be asked again and again, and are installed."""
    found = []
    for name in sorted(name for name in vars(SolverNames) if not name.startswith("_")):
        try:
            check_solver(name)
        except InputError:
            continue
        found.append(name)
    return found


def enumerate_with(solver: str, bound: str, answers: dict[str, str]) -> float:
    """The CPU seconds that a solver takes, infinite beyond the limit; its answer must be as the others'."""
    command = [sys.executable, str(SCRIPT), bound, solver]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=LIMIT_S)  # noqa: S603
    except subprocess.TimeoutExpired:
        return math.inf
    seconds, answer = run.stdout.split(maxsplit=1)
    if answers.setdefault(bound, answer) != answer:
        raise SystemExit(f"{solver} finds other tests of {bound}: {answer}, expected {answers[bound]}")
    return float(seconds)


if __name__ == "__main__":
    main()
