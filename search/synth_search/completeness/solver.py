"""Run a SAT solver that writes its proof into a file while it solves, and that ends at an interrupt.

Among the solvers of PySAT that write proofs, Glucose 4 is the one whose proofs take the least time to check; see
docs/understand/certificates.md. PySAT would keep a proof in the system's folder for temporary files, which may be
memory, and return it as one list. It would turn an interrupt (Ctrl-C) into an error of its own. So the proof goes to a
file of ours. The solver runs in a thread of its own, and this thread notices the interrupt.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, BinaryIO, Final

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_encodings.plain.formula import Clause

SOLVER: Final = "glucose4"

_EMPTY = b"0\n"
#: How many bytes of a proof are read at a time.
_PIECE = 1 << 16


def model_or_proof(clauses: Iterable[Clause], proof: BinaryIO) -> list[int] | None:
    """Solve some clauses: return a model, or None if there is none and a proof of that is in the file.

    Raises:
        OSError: writing the proof failed, for example because the disk is full.
    """
    import pysolvers
    from pysat.solvers import Glucose4

    with Glucose4(bootstrap_with=clauses) as solver:
        trace = pysolvers.glucose41_tracepr(solver.glucose, proof)
        try:
            with ThreadPoolExecutor(1) as thread:
                solved = thread.submit(solver.solve_limited, expect_interrupt=True)
                try:
                    satisfiable = solved.result()
                except BaseException:
                    solver.interrupt()
                    raise
        finally:
            pysolvers.flushpr(trace)  # must happen while the file is open
        model: list[int] | None = solver.get_model() if satisfiable else None
    if model is None:
        _complete(proof)
    return model


def pieces_of(proof: BinaryIO) -> Iterator[bytes]:
    """Yield the text of a proof in pieces, from its beginning."""
    proof.seek(0)
    yield from iter(lambda: proof.read(_PIECE), b"")


def _complete(proof: BinaryIO) -> None:
    """Check that a proof has its last step; write that step if the solver refuted the formula while reading it."""
    length = proof.seek(0, os.SEEK_END)
    proof.seek(max(0, length - len(_EMPTY) - 1))
    if length and proof.read() not in {_EMPTY, b"\n" + _EMPTY}:
        # The solver does not report a failed write. Another write makes the system report the reason.
        proof.write(bytes(_PIECE))
        proof.flush()
        raise InternalError(f"the proof that {SOLVER} wrote ends before its last step, the empty clause")
    if not length:
        proof.write(_EMPTY)
