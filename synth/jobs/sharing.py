"""Share among the processes of a machine what they learn of the sub-programs of tests.

To decide which tests are minimal, a process must know which of their sub-programs are tests, and their verdicts.
Without sharing, each process of a job finds this out for itself. So the processes keep it in a file that all of them
map. The file is in the memory of the machine, and never in the folder of the job, which may be on a network. Its name
says under which models and by which release it was made. So processes of two jobs share it only if both need the same.
Whoever closes the file last removes it (checker/native/minimality/shared_orbits.hpp).

The file takes 128 MB at once. So only jobs that run long share. The answers do not depend on it.
"""

from __future__ import annotations

import hashlib
import os
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker._native import SharedOrbits

if TYPE_CHECKING:
    from synth_checker.question import Question

#: A folder in the memory of a Linux machine.
_MEMORY = Path("/dev/shm")  # noqa: S108  (a file there belongs to one user, and the core checks that)
#: Tests of fewer instructions have too few sub-programs.
_FEWEST_INSTRUCTIONS = 6
#: Only of programs with at most so many threads all verdicts fit into the file.
_MOST_THREADS = 3


def shared_orbits(question: Question) -> SharedOrbits | None:
    """Open the file that the processes for a question share, or return None if they share nothing.

    The file is closed when the result is no longer used.
    """
    is_worth_it = any(
        bound.instructions >= _FEWEST_INSTRUCTIONS and bound.threads <= _MOST_THREADS for bound in question.bounds
    )
    if not question.minimal or question.without or not is_worth_it or not _MEMORY.is_dir():
        return None
    return SharedOrbits.open(str(_file_for(question)))


def _file_for(question: Question) -> Path:
    under = hashlib.sha256(repr((metadata.version("progress-synth"), question.models)).encode()).hexdigest()[:24]
    return _MEMORY / f"synth-{os.getuid()}-{under}"
