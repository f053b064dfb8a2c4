"""Look for a run that shows a fault which the solver found.

The first run takes the numbers of the solver, and only its two threads. If this run does not have the fault, the state
from which the solver derived it may be one that no run reaches. Then all threads of the launch run, if they are few,
with the same scalars and with small ones.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from synth_kernels.launch import threads
from synth_kernels.running import Runner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.pair.state import Check
    from synth_kernels.program import Kernel
    from synth_kernels.running import Fault

#: All threads of a launch run if there are at most so many, and with at most so many choices of scalars.
MOST_THREADS = 64
MOST_CHOICES = 24
_SMALL = (2, 1, 3, 4, 8, 0)


def confirmed(
    check: Check,
    kernel: Kernel,
    found: tuple[Mapping[str, int], Mapping[str, int], Sequence[Thread]],
    *,
    tolerate_benign: bool,
) -> tuple[Fault, Mapping[str, int]] | None:
    """Return the fault of a check as it happens in a run, and the scalars of that run, or None if no run shows it.

    `found` has the sizes, the scalars and the two threads that the solver chose.
    """
    sizes, scalars, pair = found
    runs: list[tuple[Sequence[Thread], Iterator[Mapping[str, int]]]] = [(pair, iter([scalars]))]
    if math.prod(size for name, size in sizes.items() if not name.startswith("offset")) <= MOST_THREADS:
        runs.append((list(threads(dict(sizes))), _choices(kernel, scalars)))
    for chosen, choices in runs:
        for values in choices:
            run = Runner(kernel, sizes, values, tolerate_benign=tolerate_benign).run(chosen)
            for fault in run.faults:
                if _is_of(fault, check):
                    return fault, values
    return None


def _choices(kernel: Kernel, scalars: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
    yield scalars
    names = [name for name, _ in kernel.scalars]
    masks = {name: (1 << width) - 1 for name, width in kernel.scalars}
    for values in itertools.islice(itertools.product(_SMALL, repeat=len(names)), MOST_CHOICES):
        yield {name: value & masks[name] for name, value in zip(names, values, strict=True)}


def _is_of(fault: Fault, check: Check) -> bool:
    """Whether a fault has the kind, the line and the array of a check."""
    if check.access is None or fault.location is None:
        return fault.kind == check.kind and check.line in fault.lines
    accesses = set(zip(fault.lines, fault.kinds, strict=True))
    return (
        fault.location[0] == check.access.array
        and (check.line, check.access.kind) in accesses
        and sorted(fault.kinds) == sorted([check.access.kind, str(check.other)])
    )
