"""Which scalars of a launch have to keep their values, so that a kernel has no fault in it.

A kernel that is right in the launches of its program may be wrong with other scalars: a width that is no multiple of a
tile, or a shift that no caller passes. So scalars are arbitrary at first, and are fixed one at a time to their values
in a launch until the kernel has no fault. To be quick, loops are unrolled for this, and nothing is proven.

We deviate in one point. At the end, each fixed scalar is made arbitrary again if the kernel has no fault without it.
So what stays fixed is needed: without any one of these values, there is a fault, or the solver gives up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.fault_query import requested_checks
from synth_kernels.kernel_verdict import MOST_BLOCKS, failing_checks
from synth_kernels.pair.walk import Walk
from synth_kernels.unrolled_loops import count_unrolled_blocks, unroll

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel
    from synth_solvers.client import Solver

#: How often loops are unrolled if nothing else is asked for, and how long a query takes at most.
ROUNDS = 2
_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class FixedScalars:
    """The scalars that keep their values, and whether the kernel has no fault with them while loops are unrolled."""

    scalars: tuple[tuple[str, int], ...]
    is_clean: bool


def needed_scalars(
    kernel: Kernel, launch: Launch, values: Mapping[str, int], solver: Solver, options: Options
) -> FixedScalars:
    """Return which of the `values` that scalars have in a launch are needed. `launch` has the sizes.

    The scalars that `launch` fixes stay fixed, and are not part of the answer.

    Raises:
        InputError: the kernel can't be walked.
        OverdueError: the time of the solver was over.
    """
    if count_unrolled_blocks(kernel, options.unroll or ROUNDS) > MOST_BLOCKS:
        return FixedScalars(tuple(values.items()), is_clean=False)
    program = unroll(kernel, options.unroll or ROUNDS)

    def is_clean(chosen: Mapping[str, int]) -> bool:
        sized = replace(launch, scalars=(*launch.scalars, *chosen.items()))
        walk = Walk(program, sized, options=options, until=solver.until)
        return failing_checks(requested_checks(walk.state.checks, walk.state, options), walk, solver) is None

    seconds, solver.seconds = solver.seconds, min(solver.seconds, _SECONDS)
    try:
        chosen: dict[str, int] = {}
        remaining = iter(values.items())
        while not (clean := is_clean(chosen)) and (scalar := next(remaining, None)):
            chosen[scalar[0]] = scalar[1]
        # The last one that was fixed is needed, because the kernel had a fault without it.
        for name in list(chosen)[:-1] if clean else ():
            without = {other: value for other, value in chosen.items() if other != name}
            if is_clean(without):
                chosen = without
        return FixedScalars(tuple(chosen.items()), is_clean=clean)
    finally:
        solver.seconds = seconds
