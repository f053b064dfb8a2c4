"""A solver that writes its proof into a file while it solves, and ends when it is interrupted.

Of PySAT's solvers that write proofs Glucose 4 is the one whose proofs are checked fastest; see docs/certificates.md.
PySAT would keep a proof in the system's folder for temporary files, which may be memory, and hand it out as one list.
An interrupt (Ctrl-C) it would turn into an error of its own. So the proof goes to a file of ours, and the solver has a
thread of its own: this one then hears of the interrupt.
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
#: Bytes of a proof that are read at a time.
_PIECE = 1 << 16


def model_or_proof(clauses: Iterable[Clause], proof: BinaryIO) -> list[int] | None:
    """A model of the clauses; None if there is none, and then a proof of that is in the file.

    Raises:
        OSError: the proof can't be written, as on a disk that is full.
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
            pysolvers.flushpr(trace)  # while the file is open
        model: list[int] | None = solver.get_model() if satisfiable else None
    if model is None:
        _complete(proof)
    return model


def pieces_of(proof: BinaryIO) -> Iterator[bytes]:
    """The text of a proof, from its beginning."""
    proof.seek(0)
    yield from iter(lambda: proof.read(_PIECE), b"")


def _complete(proof: BinaryIO) -> None:
    """Check that a proof has its last step, and write it where the solver refuted the formula while reading it."""
    length = proof.seek(0, os.SEEK_END)
    proof.seek(max(0, length - len(_EMPTY) - 1))
    if length and proof.read() not in {_EMPTY, b"\n" + _EMPTY}:
        # The solver does not say when it can't write; a page more asks the system why.
        proof.write(bytes(_PIECE))
        proof.flush()
        msg = f"the proof of {SOLVER} ends before the empty clause"
        raise InternalError(msg)
    if not length:
        proof.write(_EMPTY)
