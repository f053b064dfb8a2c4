"""The program of a process in which a solver runs: `python -m synth_solvers.server NAME MEMORY`.

The program writes a line as soon as the solver is loaded. Then each line of standard input is a request in JSON, with
the script and the seconds that the solver may take. For each request the program writes a line in JSON with the answer.

The system ends a solver that takes far more processor time than it may. How busy the computer is does not matter.
MEMORY is how many bytes of address space the process may take beyond what it has at its start; 0 means no limit.
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

from synth_solvers.answers import SolverAnswer
from synth_solvers.peers import PATIENCE, answer


def main(name: str, memory: int) -> None:
    """Answer requests until standard input ends."""
    # What a solver prints itself must not stand among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answer(name, "(set-logic QF_BV)(check-sat)", 60.0)  # loads the solver before memory is limited
    gc.collect()
    gc.freeze()  # the solver's own package stays, so nobody need look through it for garbage again
    if memory:
        _limit(memory)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        _limit_processor(PATIENCE * request["seconds"])
        try:
            solver_answer = answer(name, *(request[part] for part in ("script", "seconds", "options", "wall")))
        except MemoryError:
            solver_answer = SolverAnswer("unknown", reason="out of memory")
        except Exception as error:  # noqa: BLE001  (each solver has exceptions of its own)
            solver_answer = SolverAnswer("unknown", reason=" ".join(str(error).split()) or type(error).__name__)
        print(json.dumps(asdict(solver_answer)), file=answers, flush=True)


def _limit_processor(seconds: float) -> None:
    """Let the system end this process when it has taken so many more seconds of the processor, by SIGXCPU."""
    with contextlib.suppress(ImportError):  # only Unix has limits
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = math.ceil(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _limit(memory: int) -> None:
    with contextlib.suppress(ImportError):  # only Unix has limits
        import resource

        now = 0
        with contextlib.suppress(OSError):  # only Linux says what a process has
            now = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
