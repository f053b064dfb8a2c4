"""Share among the processes of a machine what they learn of the sub-programs of tests.

To decide which tests are minimal, a process must know which of their sub-programs are tests, and their verdicts.
Without sharing, each process of a job finds this out for itself. So the processes keep it in a file that all of them
map. The file is in the memory of the machine, and never in the folder of the job, which may be on a network. Its name
says under which models, by which build of the core, and of which size it was made. So processes of two jobs share it
only if both need the same. Whoever closes the file last removes it (checker/native/minimality/shared_orbits.hpp). A
file is left behind only if all its processes were killed. The next process that shares anything uses it or removes it.

The file takes 128 MB or more at once. So only jobs that run long share. The answers do not depend on it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker import _native
from synth_checker.models import models_named

if TYPE_CHECKING:
    from synth_checker.question import Question

#: A folder in the memory of a Linux machine.
_MEMORY = Path("/dev/shm")  # noqa: S108  (a file there belongs to one user, and the core checks that)
#: Tests of fewer instructions have too few sub-programs.
_FEWEST_INSTRUCTIONS = 6
#: Only of programs with at most so many threads all verdicts fit into the file.
_MOST_THREADS = 3
#: How many bytes a slot takes, and how many slots the file has for tests of six instructions.
_SLOT, _SLOTS = 16, 1 << 23
#: Tests of more instructions have more sub-programs than fit. So many slots for each processor keep the latest ones.
#: The file takes at most this part of the memory of the machine.
_SLOTS_EACH, _MOST_MEMORY = 1 << 22, 1 / 16


def shared_orbits(question: Question) -> _native.SharedOrbits | None:
    """Open the file that the processes for a question share, or return None if they share nothing.

    The file is closed when the result is no longer used.
    """
    is_worth_it = any(
        bound.instructions >= _FEWEST_INSTRUCTIONS and bound.threads <= _MOST_THREADS for bound in question.bounds
    )
    if not question.minimal or question.without or not is_worth_it or not _MEMORY.is_dir():
        return None
    slots = _slots(question)
    file = _MEMORY / f"{_mine()}{_needed(question)}-{slots}"
    shared = _native.SharedOrbits.open(str(file), slots)
    _remove_left_behind(except_for=file)
    return shared


def _slots(question: Question) -> int:
    """Return how many slots the file has, which all processes of this machine agree on."""
    if all(bound.instructions <= _FEWEST_INSTRUCTIONS for bound in question.bounds):
        return _SLOTS
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    slots = min(_SLOTS_EACH * (os.cpu_count() or 1), int(_MOST_MEMORY * memory) // _SLOT)
    return max(_SLOTS, 1 << (slots.bit_length() - 1))


def _mine() -> str:
    """Return how the names of this user's files begin."""
    return f"synth-{os.getuid()}-"


def _needed(question: Question) -> str:
    """Return a text that differs where what is shared could differ: a hash of the core's build and of the models."""
    threads = range(1, min(_MOST_THREADS, max(bound.threads for bound in question.bounds)) + 1)
    models = [(model.forms, *map(model.automaton, threads)) for model in models_named(question.models)]
    core = Path(_native.__file__).stat()
    return hashlib.sha256(repr((core.st_size, core.st_mtime_ns, models)).encode()).hexdigest()[:24]


def _remove_left_behind(except_for: Path) -> None:
    """Remove the files of this user that nobody has open, because all their processes were killed."""
    for file in _MEMORY.glob(f"{_mine()}*"):
        if file != except_for:
            with contextlib.suppress(OSError), file.open("rb") as stream:  # OSError: in use, or gone meanwhile
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(stream.fileno()), file.lstat()):
                    file.unlink()
