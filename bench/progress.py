"""How fast `synth kernel` finds the states of launches and decides all verdicts, in the core and in Python.

Each launch runs in a process of its own. Its seconds are those of the processor from the file to the verdicts, with
clang and the reading of its output. The Python twin finds the states of a smaller launch of the same kernel, for the
ratio. If the two decide a verdict of that launch differently, this ends with an error.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from support.tables import print_reading, print_table
from support.timing import timed

from synth_checker.models import library
from synth_kernels.needs import NeedQuery, judge
from synth_kernels.progress.arguments import read_arguments
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.space import explore
from synth_kernels.progress.steps import Rules
from synth_kernels.progress.verdicts import passes

if TYPE_CHECKING:
    from collections.abc import Callable

GALLERY = Path(__file__).parents[1] / "docs" / "progress"


class Launch(NamedTuple):
    """A kernel of the gallery, in a launch, and the number of workgroups with which the Python twin runs it."""

    kernel: str
    groups: int
    local: int
    arguments: str
    twin_groups: int
    rules: Rules = Rules()

    def asked(self) -> NeedQuery:
        """Return the question about the launch."""
        given = read_arguments(self.arguments.split())
        path = GALLERY / f"{self.kernel}.cl"
        return NeedQuery(path, range(self.groups, self.groups + 1), (self.local,), given, rules=self.rules)

    def __str__(self) -> str:
        lanes = ", lockstep" if self.rules.lockstep else ""
        return f"{self.kernel}, {self.groups} x {self.local}{lanes}"


LAUNCHES = (
    Launch("fallback-one-word", 4, 2, "in=1:8 next=0:1 tiles=0:4 sums=0:4 looks=1", 2),
    Launch("fallback-one-word", 4, 8, "in=1:32 next=0:1 tiles=0:4 sums=0:4 looks=1", 2),
    Launch("fallback-two-words", 3, 8, "in=1:24 next=0:1 tiles=0:6 sums=0:3 looks=1", 2),
    Launch("fallback-two-words", 3, 8, "in=1:24 next=0:1 tiles=0:6 sums=0:3 looks=4", 2),
    Launch("look-back-packed", 4, 32, "in=1:128 next=0:1 tiles=0:4 out=0:128", 2, Rules(lockstep=True)),
)


def main() -> None:
    """Print the table."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows = []
    for launch in LAUNCHES:
        states, seconds, bytes_of_state = _alone(_by_core, launch)
        few, slow, _ = _alone(_by_twin, launch._replace(groups=launch.twin_groups))
        rate, twin = states / seconds, few / slow
        rows.append(
            (
                str(launch),
                f"{states:,}",
                f"{seconds:.2f}",
                f"{rate:,.0f}",
                f"{bytes_of_state:.0f}" if bytes_of_state else "",
                f"{rate / twin:,.0f}",
            )
        )
    print_table("Launches", ("launch", "states", "s CPU", "states/s", "bytes a state", "core is faster"), rows)
    print_reading(
        "Processor seconds on one core. Bytes are the growth of the largest resident memory of the process, Python's "
        "share and all, from the first report of progress on. 'Core is faster' compares states a second with those of "
        "the Python twin in a smaller launch."
    )


def _alone(work: Callable[[Launch], tuple[int, float, float]], launch: Launch) -> tuple[int, float, float]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, launch).result()


def _by_core(launch: Launch) -> tuple[int, float, float]:
    """Return the number of states, the seconds, and the bytes a state, or 0 if the search is too short to tell."""
    seen: list[tuple[int, int]] = []
    taken, found = timed(lambda: judge(launch.asked(), watch=lambda states: seen.append((states, _largest_memory()))))
    states = len(found.launches[0].space.states)
    known, memory = seen[0] if seen else (states, 0)
    return states, taken.cpu, (_largest_memory() - memory) / (states - known) if states > 2 * known else 0


def _by_twin(launch: Launch) -> tuple[int, float, float]:
    (one,) = judge(launch.asked()).launches
    known = one.space.machine

    def found() -> int:
        given = read_arguments(launch.arguments.split())
        sizes = {
            name: value for name, value in known.fixed(0).items() if name.startswith(("lsize", "groups", "offset"))
        }
        space = explore(Machine(known.kernel, sizes, known.threads, given, rules=known.rules), 1_000_000)
        verdicts = {name: ok for model in library() for name, ok in passes(space, model).items()}
        if verdicts != one.passes:
            raise SystemExit(f"{launch}: the core and the twin decide differently")
        return len(space.states)

    taken, states = timed(found)
    return states, taken.cpu, 0


def _largest_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
