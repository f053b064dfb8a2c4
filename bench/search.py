"""The engines against a plain loop over all programs, compiled for this (`support/plain_search.cpp`).

Ratios within a turn, as the machine's speed changes: the core of `explicit` alone, in this process; and whole commands
that count with one job. Seconds are of processor time, which other work on the machine changes least.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support.tables import print_reading, print_table

from synth.engines.explicit import ExplicitEngine
from synth_checker.question import Question, parse_bounds

SOURCE = Path(__file__).parent / "support" / "plain_search.cpp"
SYNTH = Path(sys.executable).with_name("synth")
#: How many times faster the core is to be.
CORE_GOALS = {"2x5": 60, "3x5": 100}
#: Engine, bound, and how many times as long as the loop at another bound the command may take.
COMMAND_GOALS = {
    ("explicit", "3x6"): (1.5, "2x5"),
    ("explicit", "2x6"): (2.0, "2x5"),
    ("sat", "3x5"): (1.0, "3x5"),
    ("sat", "2x5"): (2.0, "2x5"),
}
REPETITIONS = 2


def main() -> None:
    """Print the tables."""
    ratios: dict[str, list[float]] = {bounds: [] for bounds in CORE_GOALS}
    seconds: dict[str, list[float]] = {bounds: [] for bounds in CORE_GOALS}
    commands: dict[tuple[str, str], list[float]] = {command: [] for command in COMMAND_GOALS}
    tests: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain"
        subprocess.run(["g++", "-O2", "-std=c++20", "-o", plain, SOURCE], check=True)  # noqa: S603, S607
        for _ in range(REPETITIONS):
            loop = {}
            for bounds in CORE_GOALS:
                loop[bounds], printed = timed(str(plain), *bounds.split("x"))
                core, tests[bounds] = counted(bounds)
                check(bounds, int(printed.split()[1]), tests[bounds])
                ratios[bounds].append(loop[bounds] / core)
                seconds[bounds].append(core)
            for (engine, bounds), (_, other) in COMMAND_GOALS.items():
                words = ("--bounds", bounds, "--engine", engine, "--jobs", "1", "--count-only")
                took, _ = timed(str(SYNTH), "enumerate", *words)
                commands[engine, bounds].append(took / loop[other])
    print_table(
        "the core alone",
        ("", "tests", "seconds", "times faster than the loop", "goal"),
        [
            (
                bounds,
                f"{tests[bounds]:,}",
                f"{statistics.median(seconds[bounds]):.3f}",
                f"{statistics.median(ratios[bounds]):.0f}",
                f"{goal}",
            )
            for bounds, goal in CORE_GOALS.items()
        ],
    )
    print_table(
        "synth enumerate --jobs 1 --count-only --bounds ...",
        ("engine", "bound", "times as long as the loop", "at", "goal"),
        [
            (engine, bounds, f"{statistics.median(commands[engine, bounds]):.2f}", other, f"{goal}")
            for (engine, bounds), (goal, other) in COMMAND_GOALS.items()
        ],
    )
    print_reading(f"Medians of {REPETITIONS} turns; the loop is g++ -O2, and looks at every program in normal form.")


def counted(bounds: str) -> tuple[float, int]:
    """Seconds, and how many tests the core counts."""
    engine = ExplicitEngine(Question(parse_bounds([bounds])))
    start = time.process_time()
    found = sum(list(engine.count(unit))[-1] for unit in engine.units(1))
    return time.process_time() - start, found


def timed(*words: str) -> tuple[float, str]:
    """Seconds that a command and its processes take, and what it prints."""
    start = _of_children()
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout  # noqa: S603
    return _of_children() - start, printed


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check(bounds: str, one: int, other: int) -> None:
    """Stop where the two don't find the same: then their times say nothing."""
    if one != other:
        sys.exit(f"{bounds}: the loop finds {one} tests, the core {other}")


if __name__ == "__main__":
    main()
