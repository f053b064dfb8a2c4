"""Directed search from a command's start to its end, and inside: the filter of `explicit` beside the engine `directed`.

Whole commands are run a few times each and the fastest counts: in wall seconds, which are what a user waits, and in
processor seconds, which other work on the machine changes least. Inside, a search is run once, in one process, up to
the first answer or to its end; where it takes too long it is given up and said to be.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

from support.tables import print_reading, print_table

from synth_checker.models import library, verdict_names
from synth_checker.question import Question, parse_bounds
from synth_checker.wanted import Wanted
from synth_search.directed.bound_search import search_for
from synth_search.directed.separation import BOUNDS, separate

SYNTH = str(Path(sys.executable).with_name("synth"))
RUNS = 5
QUERY = ("--pass", "OBE.strong", "--fail", "HSA.strong,fair.weak")
#: Bound, and in how many seconds the first answer is to come.
GOALS = {"3x6": 0.5, "4x6": 1.0, "3x9": 2.0, "4x8": 2.0}
#: Queries that are searched inside: what is passed, what is failed, the bound, and whether to its end.
SEARCHES = (
    (("OBE.strong",), ("HSA.strong", "fair.weak"), "3x6", False),
    (("OBE.strong",), ("HSA.strong", "fair.weak"), "3x9", False),
    (("OBE.strong",), ("HSA.strong", "fair.weak"), "4x8", False),
    (("LOBE.weak",), ("HSA+OBE.strong",), "3x9", False),
    (("HSA.weak",), ("OBE.weak",), "3x4", True),
    (("LOBE.weak",), ("HSA+OBE.strong",), "3x4", True),
    (("OBE.weak", "HSA.strong"), ("fair.strong", "LOBE.weak"), "2x4", True),
)
GIVEN_UP_S = 60.0


def main() -> None:
    """Print the tables."""
    rows = [(f"find {bound}", *command("find", *QUERY, "--bounds", bound), f"{goal}") for bound, goal in GOALS.items()]
    rows.append(("separate HSA.weak OBE.weak", *command("separate", "HSA.weak", "OBE.weak"), "5"))
    rows.append((f"lattice {BOUNDS}", *command("lattice"), "20"))
    print_table("Whole commands", ("command", "processor: s", "wall: s", "goal: s"), rows)
    print_table("Every two of the eleven verdicts told apart", ("", "pairs", "slowest: s"), [pairs()])
    print_table(
        "The filter and the solver", ("query", "bound", "to", "explicit: s", "directed: s"), list(map(both, SEARCHES))
    )
    print_reading("A search inside is one process, without the start of Python; both are given the same query.")


def command(*words: str) -> tuple[str, str]:
    """The least processor and wall seconds of a command."""
    measured = []
    for _ in range(RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([SYNTH, *words], check=True, capture_output=True)  # noqa: S603  (our own)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        measured.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    processor, wall = (min(seconds) for seconds in zip(*measured, strict=True))
    return f"{processor:.2f}", f"{wall:.2f}"


def pairs() -> tuple[str, str, str]:
    """How long the slowest pair takes, both directions."""
    question, slowest, names = Question(parse_bounds([BOUNDS])), 0.0, verdict_names(library())
    told = [pair for pair in permutations(names, 2) if names.index(pair[0]) < names.index(pair[1])]
    for verdict, other in told:
        start = time.perf_counter()
        separate(verdict, other, question)
        slowest = max(slowest, time.perf_counter() - start)
    return BOUNDS, str(len(told)), f"{slowest:.2f}"


def both(asked: tuple[tuple[str, ...], tuple[str, ...], str, bool]) -> tuple[str, ...]:
    """One row."""
    passes, fails, bound, to_end = asked
    question, wanted = Question(parse_bounds([bound])), Wanted(passes, fails)
    times = [seconds(question, wanted, engine, to_end=to_end) for engine in ("explicit", "directed")]
    query = f"{','.join(passes)} not {','.join(fails)}"
    return query, bound, "its end" if to_end else "the first", *times


def seconds(question: Question, wanted: Wanted, engine: str, *, to_end: bool) -> str:
    """How long a search takes."""
    start = time.perf_counter()
    search = search_for(question, wanted, engine)
    for unit in search.units(1):
        for lines in search.solve(unit):
            if time.perf_counter() - start > GIVEN_UP_S:
                return f"over {GIVEN_UP_S:.0f}"
            if lines and not to_end:
                return f"{time.perf_counter() - start:.2f}"
            if not to_end and search.batches_are_quick:
                break  # as the command does: a look into each unit
    return f"{time.perf_counter() - start:.2f}"


if __name__ == "__main__":
    main()
