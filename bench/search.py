"""The engines against a plain loop over all programs, compiled for this (`support/plain_search.cpp`).

Ratios within a run, as the machine's speed changes: the core of `explicit` alone, in this process, by each path that
the processor has; whole commands that count with one job; and whole commands that write a corpus with two. Seconds are
of processor time, which other work on the machine changes least, but for those that write.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from support.plain_loop import GOAL_MACHINE_S, PlainLoop, timed_command
from support.tables import print_reading, print_table

from synth_checker._native import explicit_search_paths
from synth_checker.question import Question, parse_bounds
from synth_search.engines.explicit import PATH_VARIABLE, ExplicitEngine

SYNTH = Path(sys.executable).with_name("synth")
#: The bounds of the core, and how many times faster than the loop a path is to be there.
CORE_GOALS = {
    ("2x5", "avx512"): 250,
    ("2x5", "avx2"): 150,
    ("2x5", "portable"): 90,
    ("2x5", "one-by-one"): 60,
    ("3x5", "avx512"): 500,
    ("3x5", "avx2"): 300,
    ("3x5", "portable"): 130,
    ("3x5", "one-by-one"): 75,
}
#: Engine, path, bound, and how many times as long as the loop at another bound the command may take.
COMMAND_GOALS = {
    ("explicit", "avx512", "3x6"): (0.25, "2x5"),
    ("explicit", "avx512", "2x6"): (0.5, "2x5"),
    ("explicit", "avx2", "3x6"): (0.4, "2x5"),
    ("explicit", "avx2", "2x6"): (0.8, "2x5"),
    ("explicit", "portable", "3x6"): (0.8, "2x5"),
    ("explicit", "portable", "2x6"): (1.5, "2x5"),
    ("sat", "", "3x5"): (1.0, "3x5"),
    ("sat", "", "2x5"): (2.0, "2x5"),
}
#: What `synth enumerate` may take to write a corpus, in seconds of the clock where the loop takes `GOAL_MACHINE_S`.
WRITTEN_GOALS = {
    ("--bounds", "2x2,2x3,2x4,3x3,3x4"): 0.3,
    ("--bounds", "2x5"): 0.6,
    ("--bounds", "2x5", "--minimal"): 1.0,
}
TURNS = 2
#: The core takes some hundredths of a second, and a corpus less than a second, so they are timed several times a turn.
COUNTS = 5


def main() -> None:
    """Print the tables."""
    paths = dict(explicit_search_paths())
    cores = {core: goal for core, goal in CORE_GOALS.items() if paths[core[1]]}
    goals = {command: goal for command, goal in COMMAND_GOALS.items() if not command[1] or paths[command[1]]}
    seconds: dict[tuple[str, str], list[float]] = {core: [] for core in cores}
    commands: dict[tuple[str, str, str], list[float]] = {command: [] for command in goals}
    written: dict[tuple[str, ...], list[float]] = {words: [] for words in WRITTEN_GOALS}
    loop: dict[str, list[float]] = {"2x5": [], "3x5": []}
    tests: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = PlainLoop(Path(folder))
        for _ in range(TURNS):
            for bounds, took in loop.items():
                spent, tests[bounds] = plain.count(bounds)
                took.append(spent)
            for bounds, path in cores:
                for _ in range(COUNTS):
                    core, found = counted(bounds, path)
                    check(bounds, tests[bounds], found)
                    seconds[bounds, path].append(core)
            for engine, path, bounds in goals:
                words = ("--bounds", bounds, "--engine", engine, "--jobs", "1", "--count-only")
                os.environ[PATH_VARIABLE] = path
                commands[engine, path, bounds].append(timed_command([str(SYNTH), "enumerate", *words])[0])
            del os.environ[PATH_VARIABLE]
            for words, took in written.items():
                for count in range(COUNTS):
                    out = str(Path(folder) / f"{len(took)}-{count}.corpus")
                    start = time.monotonic()
                    timed_command([str(SYNTH), "enumerate", *words, "--jobs", "2", "--out", out])
                    took.append(time.monotonic() - start)
                    shutil.rmtree(out)
    print_table(
        "the core alone",
        ("", "path", "tests", "seconds", "times faster than the loop", "goal"),
        [
            (
                bounds,
                path,
                f"{tests[bounds]:,}",
                f"{min(took):.3f}",
                f"{min(loop[bounds]) / min(took):.0f}",
                f"{cores[bounds, path]}",
            )
            for (bounds, path), took in seconds.items()
        ],
    )
    print_table(
        "synth enumerate --jobs 1 --count-only --bounds ...",
        ("engine", "path", "bound", "times as long as the loop", "at", "goal"),
        [
            (engine, path, bounds, f"{min(commands[engine, path, bounds]) / min(loop[other]):.2f}", other, f"{goal}")
            for (engine, path, bounds), (goal, other) in goals.items()
        ],
    )
    print_table(
        "synth enumerate --jobs 2 --out ... of the clock",
        ("", "seconds", "loops of 2x5", "goal in loops", f"goal in seconds where the loop takes {GOAL_MACHINE_S} s"),
        [
            (
                " ".join(words),
                f"{min(took):.2f}",
                f"{min(took) / min(loop['2x5']):.3f}",
                f"{WRITTEN_GOALS[words] / GOAL_MACHINE_S:.3f}",
                f"{WRITTEN_GOALS[words]}",
            )
            for words, took in written.items()
        ],
    )
    missing = ", ".join(path for path, has in paths.items() if not has) or "none"
    print_reading(
        f"Least of {TURNS} turns, in each of which the core counts {COUNTS} times. The loop is g++ -O2, and looks at "
        f"every program in normal form. It took {min(loop['2x5']):.1f} s at 2x5. Paths that this processor does not "
        f"have: {missing}."
    )


def counted(bounds: str, path: str) -> tuple[float, int]:
    """Seconds, and how many tests the core counts by a path of the search."""
    os.environ[PATH_VARIABLE] = path
    engine = ExplicitEngine(Question(parse_bounds([bounds])))
    start = time.process_time()
    found = sum(list(engine.count(unit))[-1] for unit in engine.units(1))
    return time.process_time() - start, found


def check(bounds: str, one: int, other: int) -> None:
    """Stop where the two don't find the same: then their times say nothing."""
    if one != other:
        sys.exit(f"{bounds}: the loop finds {one} tests, the core {other}")


if __name__ == "__main__":
    main()
