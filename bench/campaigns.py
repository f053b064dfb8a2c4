"""How fast campaigns are analysed: a million launches, of which none, some or all hang.

    campaigns.py [LAUNCHES]

makes the databases in a temporary folder, and analyses each in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from support.generated_campaigns import campaign_of
from support.tables import print_reading, print_table

RATES = (0.0, 0.001, 0.1, 1.0)
#: Analyses a folder, and prints the processor time, the wall time and the most memory.
SCRIPT = """
import resource, sys, time
from pathlib import Path
begun = time.perf_counter()
from synth_analysis.answers.analysis import analysis_of
from synth_analysis.answers.analysis_json import analysis_answer
from synth_analysis.views.analysis import analysis_lines
answer = analysis_of([Path(sys.argv[1])])
analysis_answer(answer), list(analysis_lines(answer))
print(time.process_time(), time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def main(launches: str = "1000000") -> None:
    """Print the table."""
    rows = []
    for rate in RATES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "c"
            made = campaign_of(folder, int(launches), rate)
            size = (folder / "results.sqlite").stat().st_size / 1e6
            words = [sys.executable, "-c", SCRIPT, folder]
            done = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603  (our script)
        cpu, wall, memory = done.stdout.split()
        rows.append(
            (f"{rate:.1%}", f"{made:,}", f"{size:.0f} MB", f"{float(cpu):.1f}", f"{float(wall):.1f}", f"{memory} MB")
        )
    header = ("rate of hangs", "launches", "database", "CPU s", "wall s", "memory")
    print_table("Analysis of a campaign", header, rows)
    print_reading("The goal is 10 s and 500 MB for a million launches.")


if __name__ == "__main__":
    main(*sys.argv[1:])
