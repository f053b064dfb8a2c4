"""Seconds in which all tests of a bound become programs, for each target under its own mapping and under a costly one.

    emit.py [BOUND]

takes the tests of 2x4 unless told otherwise, from the corpus that ships, and writes them to a folder that goes again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from support.tables import print_reading, print_table

from synth.emitting import emit, litmus_tests
from synth.programs import given_programs
from synth_backends.target import TARGETS

if TYPE_CHECKING:
    from synth_backends.litmus_test import LitmusTest

MAPPINGS = (None, "random")
GOAL = 10.0


def main(bound: str = "2x4") -> None:
    """Print the table."""
    wall, process = time.perf_counter(), time.process_time()
    tests = litmus_tests(given_programs(f"@complete/{bound}", None))
    reading = (time.perf_counter() - wall, time.process_time() - process)
    rows = [row(target, mapping, tests, reading) for target in TARGETS for mapping in MAPPINGS]
    header = ("target", "mapping", "files", "MB", "CPU s", "wall s", "goal")
    print_table(f"Emitting {len(tests):,} tests of {bound}", header, rows)
    print_reading("Seconds are those of one process, reading the corpus and judging the tests included.")


def row(target: str, mapping: str | None, tests: list[LitmusTest], reading: tuple[float, float]) -> tuple[str, ...]:
    """How long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        wall, process = time.perf_counter(), time.process_time()
        made = emit(target, tests, Path(folder) / "out", mapping=mapping)
        seconds = (time.perf_counter() - wall + reading[0], time.process_time() - process + reading[1])
        size = sum(path.stat().st_size for path in made)
    return (
        target,
        mapping or "its own",
        f"{len(made):,}",
        f"{size / 1e6:.1f}",
        f"{seconds[1]:.1f}",
        f"{seconds[0]:.1f}",
        f"{GOAL:.0f}",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
