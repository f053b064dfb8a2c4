"""Filtering minimal tests, and telling behaviours apart, bound by bound: counts, seconds, memory.

The tests of each bound are found by the engine `explicit` in this process, then judged, filtered, and their behaviours
hashed, each timed alone. With words, for other bounds: `minimality.py 3x6`.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING, TypeVar

from support.tables import print_reading, print_table

from synth.engines.explicit import ExplicitEngine
from synth_checker.behaviour import behaviour_hashes
from synth_checker.minimality import MinimalityFilter
from synth_checker.question import Bound, Question, parse_bounds
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Callable

BOUNDS = "2x2,2x3,3x3,2x4,3x4,4x4,4x5,2x5,3x5"
Result = TypeVar("Result")


def main() -> None:
    """Print the table."""
    rows = [measured(bound) for bound in parse_bounds(sys.argv[1:] or [BOUNDS])]
    print_table(
        "The minimal tests of each bound",
        (
            *("bound", "tests", "behaviours", "minimal", "signatures"),
            *("found: s", "judged: s", "filtered: s", "of finding", "behaviours: s", "learned of", "MB"),
        ),
        rows,
    )
    print_reading(
        "CPU seconds on one core. Finding is the search and its ids as Python strings; filtering is what is left once "
        "the signatures are known, and what it learned of are sub-programs, whose table takes so many MB (10^6 bytes). "
        f"The largest resident memory of this process was {peak():.0f} MB, most of it Python strings."
    )


def measured(bound: Bound) -> tuple[str, ...]:
    """One row."""
    found_s, ids = timed(lambda: tests(bound))
    judged_s, signatures = timed(lambda: judge(ids))
    core = MinimalityFilter(bound.threads)
    filtered_s, chosen = timed(lambda: core.minimal(ids, signatures))
    behaviours_s, hashes = timed(lambda: behaviour_hashes(ids))
    counts = (len(ids), len(set(hashes)), sum(chosen), len(set(signatures)))
    return (
        str(bound),
        *(f"{count:,}" for count in counts),
        *(f"{seconds:.3f}" for seconds in (found_s, judged_s, filtered_s)),
        f"{filtered_s / found_s:.2f}",
        f"{behaviours_s:.3f}",
        f"{core.known:,}",
        f"{core.bytes / 1e6:.1f}",
    )


def tests(bound: Bound) -> list[str]:
    """The ids of all tests of a bound, sorted."""
    engine = ExplicitEngine(Question((bound,)))
    return sorted(id_ for unit in engine.units(1) for id_ in engine.solve(unit))


def timed(call: Callable[[], Result]) -> tuple[float, Result]:
    """The CPU seconds of a call, and its result."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def peak() -> float:
    """In MB; Linux counts in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    main()
