"""`synth enumerate` as a user types it: the bounds of the paper's Table 2, in one command and each alone.

Seconds from start to end and the memory of the largest process, with one job and with two; and how long
`synth --help` takes. For Linux, where a new process counts as at least as large as the one that starts it; so this
imports little.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from support.tables import print_reading, print_table

BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
ALL = ",".join(BOUNDS)
JOBS = (1, 2)
REPETITIONS = 5
GOAL_S, GOAL_MB, GOAL_HELP_S = 5.0, 200, 0.2
SYNTH = Path(sys.executable).with_name("synth")


class Run(NamedTuple):
    """What a command took, and what it printed."""

    seconds: float
    megabytes: float
    output: str


def main() -> None:
    """Print the table."""
    runs: dict[tuple[str, int], list[Run]] = {(bounds, jobs): [] for bounds in (ALL, *BOUNDS) for jobs in JOBS}
    helps: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(REPETITIONS + 1):
            for (bounds, jobs), of in runs.items():
                out = f"{folder}/{bounds}-{jobs}-{turn}.corpus"
                of.append(run("enumerate", "--bounds", bounds, "--jobs", str(jobs), "--out", out))
            helps.append(run("--help"))
    for of in (*runs.values(), helps):
        del of[0]  # the first turn is to warm up
    rows = [
        (
            bounds if bounds != ALL else "all five",
            tests(runs[bounds, 1][0]),
            *(cell for jobs in JOBS for cell in (wall(runs[bounds, jobs]), peak(runs[bounds, jobs]))),
            gain(runs[bounds, 1], runs[bounds, 2]),
            f"{GOAL_S:.0f} s with 2 jobs, {GOAL_MB} MB" if bounds == ALL else "",
        )
        for bounds in (ALL, *BOUNDS)
    ]
    print_table(
        "synth enumerate --bounds ... --jobs ...",
        ("", "tests", *(title for jobs in JOBS for title in (f"jobs {jobs}: s", "MB")), "gain", "goal"),
        [*rows, ("synth --help", "", wall(helps), peak(helps), "", "", "", f"{GOAL_HELP_S} s")],
    )
    print_reading(
        f"Seconds from start to end, Python's own start and the writing of the corpus included: median of "
        f"{REPETITIONS} turns after one to warm up. MB (10^6 bytes): the resident memory of the largest of all "
        f"processes, in any turn. Gain: how many times faster two jobs are than one in the same turn. There were "
        f"{len(os.sched_getaffinity(0))} CPUs to use."
    )


def run(*arguments: str) -> Run:
    """Run `synth` in a process whose use of memory can be told, its workers' included."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        to_file = [(os.POSIX_SPAWN_DUP2, output.fileno(), descriptor) for descriptor in (1, 2)]
        process = os.posix_spawn(SYNTH, [str(SYNTH), *arguments], os.environ, file_actions=to_file)
        _, status, used = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode()
    if status:
        raise SystemExit(f"synth {' '.join(arguments)} failed:\n{text}")
    return Run(seconds, used.ru_maxrss * 1024 / 1e6, text)  # Linux counts in KiB


def tests(one: Run) -> str:
    """How many tests the summary says there are."""
    found = re.search(r"^(\d+) tests?, complete", one.output, re.MULTILINE)
    return found[1] if found else "incomplete"


def wall(of: list[Run]) -> str:
    """The median of the seconds."""
    return f"{statistics.median(run.seconds for run in of):.2f}"


def gain(one: list[Run], two: list[Run]) -> str:
    """How many times faster the second is, turn by turn."""
    return f"{statistics.median(a.seconds / b.seconds for a, b in zip(one, two, strict=True)):.2f} x"


def peak(of: list[Run]) -> str:
    """The largest use of memory."""
    return f"{max(run.megabytes for run in of):.0f}"


if __name__ == "__main__":
    main()
