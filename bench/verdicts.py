"""Verdicts per second on one core, through the Python batch calls.

First all eleven verdicts of the tests of 3x4: by `judge`, by a plain C++ version with hash maps, which is compiled
here, and by the Python twin. Then the rules and the verdicts of all tests of whole bounds, as `synth enumerate` decides
them: they come in orbits. At last the verdicts of the tests of 3x4 under random automata, by `judge_automata`. Whatever
two of them decide must be the same, or this ends with an error.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import tempfile
import time
from array import array
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from support.all_tests import all_tests, batches_of
from support.tables import print_reading, print_table

from synth_checker.examination import Examiner
from synth_checker.models import library, verdict_names
from synth_checker.models.automaton import Automaton
from synth_checker.programs.normal import program_of_id
from synth_checker.question import Question, parse_bounds
from synth_checker.twin import models as twin_models
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import judge, judge_automata
from synth_search.enumeration.kept_tests import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BOUND = "3x4"
THREADS = 3
REPETITIONS = 9
#: How often the fast ones judge all tests in one repetition, so that each takes about a tenth of a second.
TIMES, TIMES_PLAIN = 20, 2
#: How many tests the twin judges, which is slow.
SAMPLE = 40
AUTOMATA = 6
SIZES = (2, 3, 4, 8)
#: Bounds whose tests are decided as `synth enumerate` does, in the same pieces.
WHOLE = ("2x5", "3x5")
GOAL, GOAL_WHOLE, GOAL_AUTOMATA = 10_000_000, 30_000_000, 2_000_000
PLAIN = Path(__file__).parent / "support" / "plain_verdicts.cpp"


def main() -> None:
    """Print all tables."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ids = all_tests(BOUND)
    draw = random.Random(1)  # noqa: S311  (a sample, the same in every run)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain_verdicts"
        compiler = os.environ.get("CXX", "g++")
        subprocess.run([compiler, "-std=c++20", "-O2", "-o", plain, PLAIN], check=True)  # noqa: S603  (our own source)
        models_table(ids, draw.sample(ids, SAMPLE), plain)
    whole_bounds_table()
    automata_table(ids, draw.sample(ids, SAMPLE), draw)
    print_reading(
        "Verdicts per CPU second on one core: medians, and how far they spread; larger is better. 'Core is faster' "
        "compares what was measured in the same turn, and is the figure to compare between machines. 'One a call' "
        "explores every program anew for each automaton. All verdicts agreed."
    )


def models_table(ids: list[str], sample: list[str], plain: Path) -> None:
    """The eleven verdicts in three ways, which take turns."""
    each = len(verdict_names(library()))
    check_equal(checksum(judge(ids)), judge_plainly(ids, plain)[1])
    check_equal(judge(sample), judge_by_twin(sample))
    rates: dict[str, list[float]] = {"core": [], "plain C++": [], "Python twin": []}
    for _ in range(REPETITIONS):
        rates["core"].append(each * len(ids) / seconds(lambda: judge(ids), TIMES))
        rates["plain C++"].append(each * len(ids) / judge_plainly(ids, plain)[0])
        rates["Python twin"].append(each * SAMPLE / seconds(lambda: judge_by_twin(sample)))
    rows = []
    for name, of in rates.items():
        faster = statistics.median(core / other for core, other in zip(rates["core"], of, strict=True))
        rows.append((name, *figures(of), f"{faster:,.1f} x", f"{GOAL:,}" if name == "core" else ""))
    print_table(
        f"The {each} verdicts of the {len(ids):,} tests of {BOUND}",
        ("", "verdicts/s", "lowest", "highest", "core is faster", "goal"),
        rows,
    )


def whole_bounds_table() -> None:
    """The eleven verdicts and the rules of all tests of a bound, orbit by orbit."""
    models = library()
    rows = []
    for bound in WHOLE:
        question = Question(parse_bounds([bound]))
        pieces = [piece for batch in batches_of(question) for piece in pieces_of(batch)]
        ids = b"".join(pieces).decode("ascii").split()
        examiner = Examiner({each.threads for each in question.bounds}, models, question.without)
        check_equal(list(array("Q", b"".join(examined(examiner, pieces)))), judge(ids))
        work = partial(examined, examiner, pieces)
        rates = [len(verdict_names(models)) * len(ids) / seconds(work) for _ in range(REPETITIONS)]
        rows.append((bound, f"{len(ids):,}", *figures(rates), f"{GOAL_WHOLE:,}"))
    print_table("The 11 verdicts of whole bounds", ("", "tests", "verdicts/s", "lowest", "highest", "goal"), rows)


def examined(examiner: Examiner, pieces: list[bytes]) -> list[bytes]:
    """The verdicts of tests in pieces, after a look at all rules."""
    return [examiner.examine(piece, with_behaviours=False).signatures for piece in pieces]


def automata_table(ids: list[str], sample: list[str], draw: random.Random) -> None:
    """Both verdicts under random automata, given to the core one by one and all together."""
    automata = {size: [random_automaton(draw, size) for _ in range(AUTOMATA)] for size in SIZES}
    for some in automata.values():
        check_equal(judge_automata(sample, some), judge_automata_by_twin(sample, some))
    alone: dict[int, list[float]] = {size: [] for size in SIZES}
    together: dict[int, list[float]] = {size: [] for size in SIZES}
    verdicts = 2 * AUTOMATA * len(ids)
    for _ in range(REPETITIONS):
        for size, some in automata.items():
            alone[size].append(verdicts / sum(seconds(partial(judge_automata, ids, [a])) for a in some))
            together[size].append(verdicts / seconds(partial(judge_automata, ids, some)))
    print_table(
        f"The verdicts of the {len(ids):,} tests of {BOUND} under {AUTOMATA} random automata of each size",
        ("", "verdicts/s", "lowest", "highest", "goal"),
        [
            (f"{size} states, {name} a call", *figures(rates[size]), f"{GOAL_AUTOMATA:,}")
            for size in SIZES
            for name, rates in (("one", alone), ("all", together))
        ],
    )


def seconds(call: Callable[[], object], times: int = 1) -> float:
    """The CPU seconds that a call takes."""
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def figures(rates: list[float]) -> tuple[str, str, str]:
    """Median, lowest and highest."""
    return f"{statistics.median(rates):,.0f}", f"{min(rates):,.0f}", f"{max(rates):,.0f}"


def judge_plainly(ids: list[str], plain: Path) -> tuple[float, int]:
    """The CPU seconds of the plain C++ version, and its checksum."""
    command = [str(plain), str(TIMES_PLAIN)]
    run = subprocess.run(command, input="\n".join(ids), capture_output=True, text=True, check=True)  # noqa: S603
    found, taken = run.stdout.split()
    return float(taken), int(found)


def judge_by_twin(ids: list[str]) -> list[int]:
    """As `judge`, from the models' set expressions."""
    return [
        bits(
            passed
            for model in library()
            for passed in twin_models.passes(program_of_id(id_), model.fair)[: len(model.forms)]
        )
        for id_ in ids
    ]


def judge_automata_by_twin(ids: list[str], automata: list[Automaton]) -> list[int]:
    """As `judge_automata`."""
    return [bits(passed for a in automata for passed in twin.passes(program_of_id(id_), a)) for id_ in ids]


def bits(passed: Iterable[bool]) -> int:
    """The bit mask, the first the lowest."""
    return sum(1 << k for k, passes in enumerate(passed) if passes)


def checksum(masks: list[int]) -> int:
    """The checksum that the plain C++ version prints."""
    found = 0
    for mask in masks:
        found = (found ^ mask) * 1099511628211 % 2**64
    return found


def check_equal(ours: object, theirs: object) -> None:
    """Speed is nothing without this."""
    if ours != theirs:
        raise SystemExit(f"the verdicts differ: the core {ours}, the other {theirs}")


def random_automaton(draw: random.Random, states: int) -> Automaton:
    """Any tables, but for a cycle of two states: models of history have none, and are judged in another way."""

    def successors() -> list[list[int]]:
        return [[draw.randrange(states) for _ in range(THREADS)] for _ in range(states)]

    steps, ends = successors(), successors()
    steps[0][0], steps[1][0] = 1, 0
    fair = [[draw.randrange(1 << THREADS) & live for live in range(1 << THREADS)] for _ in range(states)]
    return Automaton(THREADS, *(tuple(map(tuple, table)) for table in (steps, ends, fair)))


if __name__ == "__main__":
    main()
