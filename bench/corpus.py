"""`synth corpus` on corpora of a million records of which 1 % differ: seconds, records a second, and memory.

    corpus.py [RECORDS] [COMMAND...]

takes another number of records, such as 30000000, and only some of the commands. Linux, for the memory of a process.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from support.generated_corpora import write_generated
from support.tables import print_reading, print_table

SYNTH = Path(sys.executable).with_name("synth")
REPETITIONS = 3
RECORDS = 1_000_000
#: `new` differs from `old` in 1 % of the tests, and `more` in tests that only one of the two has.
CORPORA = ("old", "new", "more")
#: The words of each command, and what is asked of it.
COMMANDS = {
    "diff": (("diff", "old", "new", "--limit", "0"), "3 s, 200 MB"),
    "merge": (("merge", "old", "more", "--out", "merged", "--force"), "200,000 records/s"),
    "export": (("export", "old"), "200,000 records/s"),
    "list": (("list", "old", "--pass", "HSA.weak", "--fail", "OBE", "--limit", "5"), ""),
    "sample": (("sample", "old", "-n", "1000", "--format", "ids"), ""),
    "verify": (("verify", "old", "--limit", "1"), ""),
}


class Run(NamedTuple):
    """What a command took."""

    wall: float
    cpu: float
    megabytes: float


def main() -> None:
    """Print the table."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    chosen = sys.argv[2:] or list(COMMANDS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        needed = {word for command in chosen for word in COMMANDS[command][0]}
        sizes = {
            which: write_generated(folder / which, records, k) for k, which in enumerate(CORPORA) if which in needed
        }
        rows = []
        for command in chosen:
            words, goal = COMMANDS[command]
            runs = [run(folder, "corpus", *words) for _ in range(REPETITIONS if records <= RECORDS else 1)]
            read = sum(size for which, size in sizes.items() if which in words)
            wall = statistics.median(run.wall for run in runs)
            rows.append(
                (
                    command,
                    f"{wall:.2f}",
                    f"{min(run.wall for run in runs):.2f}",
                    f"{statistics.median(run.cpu for run in runs):.2f}",
                    f"{read / wall:,.0f}",
                    f"{max(run.megabytes for run in runs):.0f}",
                    goal,
                )
            )
    print_table(
        f"synth corpus, {records:,} records",
        ("", "seconds", "least", "CPU seconds", "records/s", "MB", "goal"),
        rows,
    )
    print_reading(
        "Seconds from start to end, Python's own start included: median and least of the turns. Records a second: "
        "those read, of all corpora, in the median. MB (10^6 bytes): the resident memory in any turn."
    )


def run(folder: Path, *words: str) -> Run:
    """Run `synth` in a process whose use of memory can be told, what it prints going nowhere."""
    with Path(os.devnull).open("wb") as nowhere:
        start = time.perf_counter()
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        arguments = [str(SYNTH), *(str(folder / word) if word in {*CORPORA, "merged"} else word for word in words)]
        process = os.posix_spawn(SYNTH, arguments, os.environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        wall = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in {0, 1}:
        raise SystemExit(f"synth {' '.join(words)} failed")
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6)  # Linux counts in KiB


if __name__ == "__main__":
    main()
