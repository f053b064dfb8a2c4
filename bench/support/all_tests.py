"""The tests of a bound in this process, without workers: for the benchmarks, and as a script for one of them.

    all_tests.py BOUND SOLVER

prints the CPU seconds, how many tests there are, and a checksum of their ids.
"""

from __future__ import annotations

import hashlib
import sys
import time

from synth_checker.question import Question, parse_bounds
from synth_search.engines.explicit import ExplicitEngine
from synth_search.engines.sat import DEFAULT_SOLVER, FullSatEngine


def all_tests(bounds: str, solver: str = DEFAULT_SOLVER) -> list[str]:
    """The ids of all tests of some bounds, sorted."""
    question = Question(parse_bounds([bounds]))
    engine = FullSatEngine(question, solver)
    return sorted(b"".join(lines for unit in engine.units(1) for lines in engine.solve(unit)).decode("ascii").split())


def batches_of(question: Question) -> list[bytes]:
    """The ids of all tests of a question as lines, in the batches in which the engine `explicit` finds them."""
    engine = ExplicitEngine(question)
    return [lines for unit in engine.units(1) for lines in engine.solve(unit)]


if __name__ == "__main__":
    start = time.process_time()
    ids = all_tests(*sys.argv[1:])
    seconds = time.process_time() - start
    print(seconds, len(ids), hashlib.sha256("\n".join(ids).encode()).hexdigest())
