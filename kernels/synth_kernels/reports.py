"""What is found about a kernel: the verdict, and a counterexample for each check that fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_kernels.houdini import HoudiniResult
from synth_kernels.loop_proofs.attempts import Way

if TYPE_CHECKING:
    from synth_kernels.candidates.placement import InvariantCandidate
    from synth_kernels.launch import Thread
    from synth_kernels.modular.clauses import ContractClause

Fault: TypeAlias = Literal["race", "divergence", "assertion", "overflow", "bounds", "constant-write", "invariant"]
#: How a loop was proved: by invariants, by unrolling it completely, or by one of the other ways.
Proved: TypeAlias = Literal["invariants", "unrolling"] | Way
Verdict: TypeAlias = Fault | Literal["verified", "no bug found", "contradiction", "unknown", "stopped"]
#: The verdicts of a proof.
PROOFS: frozenset[Verdict] = frozenset({"verified", "no bug found"})


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A fault, with the threads and lines that have it.

    For a race, these are the two accesses, in the order in which they happened, and `array` and `element` are what the
    race is about. For a divergence, they are the barriers that the two threads reach; a thread that has ended has no
    line. `values` are what the two accesses of a race have read or written, or None where that is not known.
    `is_confirmed` says that a run with these numbers had the fault.

    If it is false, the numbers come from a state that the solver chose, and no run may reach this state. Then a line is
    0 if the access happened in an earlier round of a loop. `invented` are the values that the solver chose for what
    threads read, each with its thread and line. `loops` are the lines of loops of which earlier rounds are unknown, and
    `calls` those of calls of which only the contract is known. If the fault is in a function that is verified by its
    contract, `calls` may also have the line where this function begins.

    `parting` is the line of the branch at which the two threads of a divergence go different ways, or 0. `one_barrier`
    says of a divergence that no thread waits without end if the barriers of a group are one object.
    """

    kind: Fault
    threads: tuple[Thread, ...]
    lines: tuple[int, ...]
    array: str | None
    element: int | None
    sizes: dict[str, int]
    scalars: dict[str, int]
    is_confirmed: bool
    parting: int = 0
    values: tuple[int | None, ...] = ()
    invented: tuple[tuple[Thread, int, int], ...] = ()
    loops: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    one_barrier: bool = False


@dataclass(frozen=True, slots=True)
class KernelReport:
    """The verdict on a kernel, and its counterexamples, one for each check that fails.

    `reason` says why the verdict is unknown, or why there may be more faults. `candidates` are those that rules have
    made, and `inferred` says which candidates, also of the user, are no invariants. `no bug found` says that unrolled
    loops had no fault, and that they may make more rounds. `benign` are the lines of writes that may meet a write of
    the same value, which is tolerated. `loops` says of a verified kernel how each loop was proved, by its header.
    `unreached` are the lines that no run reaches while loops are unrolled. `clauses` are the candidates for the
    contract of a function (`modular`).
    """

    verdict: Verdict
    counterexamples: tuple[Counterexample, ...] = ()
    reason: str = ""
    candidates: tuple[InvariantCandidate, ...] = ()
    inferred: HoudiniResult = field(default_factory=HoudiniResult)
    benign: tuple[int, ...] = ()
    loops: tuple[tuple[str, Proved], ...] = ()
    clauses: tuple[ContractClause, ...] = ()
    unreached: tuple[int, ...] = ()
