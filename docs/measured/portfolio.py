"""Measure Houdini alone, with each engine before it, and the portfolio, on the kernels of `fused_kernels`.

    python docs/measured/portfolio.py [KERNELS [ENGINES...]]

Each kernel is measured three times with all engines in turn, and the medians count: seconds of the clock, and those of
the processor, which the solvers' processes take, too. All must keep the same candidates. The solver of Houdini runs
before the clock does, as in `synth verify`, where it starts while clang reads the file.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.append(str(Path(__file__).parents[2] / "tests" / "support"))

from fused_kernels import LOCAL, sources
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.launch import Launch
from synth_kernels.pair.options import DEFAULT
from synth_kernels.refutation.portfolio import infer
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from synth_kernels.program import Kernel

LAUNCH = Launch((LOCAL,), (64,))
ENGINES = ("H", "SBASE;H", "SSTEP;H", "LU(1);H", "LU(2);H", "DYN;H", "DYN||SBASE||H")
#: How often each kernel is measured. Kernels on which Houdini works for more seconds than `SLOW` are in the table.
TIMES, SLOW = 3, 2.0


class Ran(NamedTuple):
    """The seconds of the clock and of the processor that engines took, the lines that they removed, and any limit."""

    clock: float
    processor: float
    removed: frozenset[int]
    has_dropped: bool


def processor() -> float:
    """Return the seconds of the processor that this process took, and those of its children that have ended."""
    took = os.times()
    return took.user + took.system + took.children_user + took.children_system


def ran(kernel: Kernel, engine: str) -> Ran:
    """Run engines on a kernel with candidates."""
    begins = processor()
    with Solver(seconds=60.0) as solver:
        solver.ask("(set-logic QF_BV)(check-sat)")
        clock = time.monotonic()
        found = infer(kernel, LAUNCH, solver, replace(DEFAULT, engine=engine))
        clock = time.monotonic() - clock
    if isinstance(found, str):
        sys.exit(f"{kernel.name}: {engine}: {found}")
    return Ran(clock, processor() - begins, found.removed, bool(found.dropped))


def main(words: list[str]) -> None:
    """Print a line for each kernel, and a table with the sums of those on which Houdini works for over 2 s."""
    count, engines = int(words[0]) if words else 30, words[1:] or ENGINES
    rows: list[dict[str, tuple[float, float]]] = []
    for name, text in sources(count).items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.cl"
            path.write_text(text, "utf-8")
            (read_,) = read(path, SourceOptions())
        kernel, made = with_candidates(read_, LAUNCH, ALL)
        runs: dict[str, list[Ran]] = {engine: [] for engine in engines}
        for _ in range(TIMES):
            for engine in engines:
                runs[engine].append(ran(kernel, engine))
        every = [result for each in runs.values() for result in each]
        same = len({result.removed for result in every}) == 1 or any(result.has_dropped for result in every)
        medians = {
            engine: (
                statistics.median(result.clock for result in each),
                statistics.median(result.processor for result in each),
            )
            for engine, each in runs.items()
        }
        if medians[engines[0]][1] > SLOW:
            rows.append(medians)
        said = ", ".join(f"{engine} {clock:.1f} ({cpu:.1f})" for engine, (clock, cpu) in medians.items())
        kept = len(made) - len(every[0].removed)
        print(f"{name}: {kept} of {len(made)} kept{'' if same else ', NOT THE SAME'}: {said}", flush=True)
    print(f"On {len(rows)} of {count} kernels, {engines[0]} takes over {SLOW:g} seconds of the processor:\n")
    print("| engines | seconds | speed-up | least | most | CPU seconds |\n|---|---|---|---|---|---|")
    for engine in engines:
        clock, cpu = (sum(row[engine][at] for row in rows) for at in (0, 1))
        ratios = [row[engines[0]][0] / row[engine][0] for row in rows]
        speed = sum(row[engines[0]][0] for row in rows) / clock
        print(f"| {engine} | {clock:.1f} | {speed:.2f} | {min(ratios):.2f} | {max(ratios):.2f} | {cpu:.1f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
