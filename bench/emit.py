"""Seconds in which all tests of a bound become programs, for each target under its own mapping and under a costly one.

    emit.py [BOUND]

takes the tests of 2x4 unless told otherwise, from the corpus that ships, and writes them to a folder that goes again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from support.tables import print_reading, print_table
from support.timing import timed

from synth_backends.emission import emit, litmus_tests
from synth_backends.target import TARGETS
from synth_litmus.inputs.programs import given_programs

if TYPE_CHECKING:
    from support.timing import Taken

    from synth_backends.litmus_test import LitmusTest

MAPPINGS = (None, "random")
GOAL = 10.0


def main(bound: str = "2x4") -> None:
    """Print the table."""
    reading, tests = timed(lambda: litmus_tests(given_programs(f"@complete/{bound}", None)))
    rows = [row(target, mapping, tests, reading) for target in TARGETS for mapping in MAPPINGS]
    header = ("target", "mapping", "files", "MB", "CPU s", "wall s", "goal")
    print_table(f"Emitting {len(tests):,} tests of {bound}", header, rows)
    print_reading("Seconds are those of one process, reading the corpus and judging the tests included.")


def row(target: str, mapping: str | None, tests: list[LitmusTest], reading: Taken) -> tuple[str, ...]:
    """How long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        taken, made = timed(lambda: emit(target, tests, Path(folder) / "out", mapping=mapping))
        size = sum(path.stat().st_size for path in made)
    return (
        target,
        mapping or "its own",
        f"{len(made):,}",
        f"{size / 1e6:.1f}",
        f"{taken.cpu + reading.cpu:.1f}",
        f"{taken.wall + reading.wall:.1f}",
        f"{GOAL:.0f}",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
