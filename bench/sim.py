"""How fast the simulated device is at full size: launches of 65,535 workgroups, each of tests drawn from two bounds.

    sim.py [TESTS] [LAUNCHES]

draws 484 tests from the complete bounds of two and three threads unless told otherwise. It makes 20 launches of each
test under three mappings, with the preset `linear`, on as many threads as there are processors.
"""

from __future__ import annotations

import random
import resource
import sys

from support.tables import print_reading, print_table
from support.timing import timed

from synth_checker.programs.normal import program_of_id
from synth_devices.simulated import Launches, seeded_scheduler
from synth_devices.simulated.counts import count_hangs
from synth_litmus.inputs.named_tests import ids_in

BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
MAPPINGS = ("plain", "round-robin", "chunked")
SEED = 1


def main(tests: str = "484", launches: str = "20") -> None:
    """Print the table."""
    ids = [id_ for bound in BOUNDS for id_ in ids_in(f"@complete/{bound}")]
    programs = [program_of_id(id_) for id_ in random.Random(SEED).sample(ids, int(tests))]  # noqa: S311  (a sample)
    rows = []
    for mapping in MAPPINGS:
        asked = Launches(seeded_scheduler("linear", None), mapping, None, 0, int(launches))
        taken, (steps, hung) = timed(lambda asked=asked: summed(programs, asked))
        rows.append(
            (mapping, f"{len(programs) * asked.count:,}", f"{hung:,}", f"{steps:,}", f"{taken.cpu:.1f}",
             f"{taken.wall:.1f}", f"{steps / taken.cpu / 1e6:.1f}")
        )  # fmt: skip
    header = ("mapping", "launches", "hung", "steps", "CPU s", "wall s", "million steps a CPU s")
    print_table(f"{tests} tests at 65,535 workgroups", header, rows)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print_reading(
        f"The goal is 120 s of wall time in all on two cores, and 100 MB; the process used {most} MB at most."
    )


def summed(programs: list, asked: Launches) -> tuple[int, int]:
    """How many steps all launches took, and how many launches hung."""
    steps = hung = 0
    for counted_test in count_hangs(programs, asked):
        steps += counted_test.steps
        hung += counted_test.hung
    return steps, hung


if __name__ == "__main__":
    main(*sys.argv[1:])
