"""How long `synth verify` takes for a kernel of 50 lines, with each solver.

The kernel blurs an image. It uses local memory, three barriers and two atomic operations.
"""

from __future__ import annotations

from pathlib import Path

from support.tables import print_reading, print_table
from support.timing import timed

from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.launch_sizes import Sizing
from synth_kernels.verification import verify_file
from synth_solvers import peers

KERNEL = Path(__file__).parent / "support" / "blur.cl"
SIZING = Sizing(local=(16, 16), groups=(8, 8))


def main() -> None:
    """Print the table."""
    rows = []
    for solver in peers.NAMES:
        taken, reports = timed(lambda solver=solver: list(verify_file(KERNEL, SIZING, solver=solver)))
        verdicts = {report.report.verdict for report in reports}
        rows.append((solver, ", ".join(verdicts), f"{taken.wall:.2f}", f"{taken.cpu:.2f}"))
    print_table("A kernel of 50 lines", ("solver", "verdict", "s wall", "s CPU"), rows)
    reading, _ = timed(lambda: read(KERNEL, SourceOptions()))
    print_reading(
        "Processor seconds, those of the process of the solver and its start included. Of these, clang and the "
        f"reading of its output take {reading.cpu:.2f}."
    )


if __name__ == "__main__":
    main()
