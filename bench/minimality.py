"""What `--minimal` does to the tests of a bound, step by step: counts, seconds, memory.

The tests of each bound are found by the engine `explicit` in this process, then examined (rules, verdicts, behaviours)
and filtered, each timed alone; then the whole run on all processors. With words, for other bounds: `minimality.py 3x6`.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING, TypeVar

from support.all_tests import batches_of
from support.tables import print_reading, print_table

from synth_checker.examination import Examination, Examiner
from synth_checker.models import models_named
from synth_checker.question import Bound, Question, parse_bounds
from synth_checker.reductions.minimality import MinimalityFilter
from synth_search.enumeration.every_test import enumerate_tests

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
            *("found: s", "examined: s", "filtered: s", "of finding", "whole: s wall", "learned of", "MB"),
        ),
        rows,
    )
    print_reading(
        "CPU seconds on one core, but for the whole run. Filtering is what is left once the signatures are known, and "
        "what it learned of are sub-programs, whose table takes so many MB (10^6 bytes). The largest resident memory "
        f"of this process was {peak():.0f} MB."
    )


def measured(bound: Bound) -> tuple[str, ...]:
    """One row."""
    question = Question((bound,), minimal=True)
    models = models_named(question.models)
    found_s, batches = timed(lambda: batches_of(Question((bound,))))
    examiner, core = Examiner([bound.threads], models), MinimalityFilter(bound.threads, models)
    examined_s, examined = timed(lambda: list(map(examiner.examine, batches)))
    filtered_s, _ = timed(
        lambda: [core.minimal_of(*batch) for batch in zip(batches, signatures(examined), strict=True)]
    )
    start = time.monotonic()
    counts = enumerate_tests(question).found
    whole_s = time.monotonic() - start
    return (
        str(bound),
        *(f"{counts[name]:,}" for name in ("tests", "behaviours", "minimal", "signatures")),
        *(f"{seconds:.3f}" for seconds in (found_s, examined_s, filtered_s)),
        f"{filtered_s / found_s:.2f}",
        f"{whole_s:.2f}",
        f"{core.known:,}",
        f"{core.bytes / 1e6:.1f}",
    )


def signatures(examined: list[Examination]) -> list[bytes]:
    """Of each batch, packed."""
    return [examined_batch.signatures for examined_batch in examined]


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
