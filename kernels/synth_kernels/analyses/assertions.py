"""What has to hold before all threads of a launch are run symbolically, and whether their assertions hold in that run.

The run takes the threads in one order. So the kernel must have no race and no divergence at this launch. What an
assertion reads must not change while it is read, so these reads count as accesses for this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.analyses.float_values import query, term_values, unknown_functions
from synth_kernels.analyses.insertion import instructions_of
from synth_kernels.analyses.symbolic_thread import TooHardError
from synth_kernels.analyses.whole_launch import Contents, run_all
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import threads
from synth_kernels.program import Access, KernelClaim, Peek
from synth_kernels.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.analyses.whole_launch import AssertionOutcome
    from synth_kernels.launch import Launch, Thread
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Instruction, Kernel
    from synth_kernels.reports import KernelReport
    from synth_solvers.client import Solver

#: If the invariants of loops are too weak, loops are unrolled so many times.
_UNROLLED = (9, 33)


@dataclass(frozen=True, slots=True)
class AssertionReport:
    """Whether all assertions hold in all threads. If not, a thread and the line of an assertion that fails.

    `inputs` are the bits of the elements and scalars with which it does.
    """

    verdict: Literal["holds", "failing", "unknown"]
    count: int = 0
    thread: Thread | None = None
    line: int = 0
    inputs: tuple[tuple[str, int], ...] = ()
    reason: str = ""


def order_report(kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> KernelReport:
    """Return the report on races and divergence of a kernel, with what its assertions read as accesses."""

    def without_assertion(instruction: Instruction) -> Instruction | None:
        match instruction:
            case KernelClaim(kind="assert"):
                return None
            case Peek():
                return Access(
                    "read",
                    instruction.array,
                    instruction.offset,
                    instruction.width,
                    instruction.name,
                    line=instruction.line,
                )
            case _:
                return instruction

    of_claims = {
        instruction.value
        for instruction in instructions_of(kernel)
        if isinstance(instruction, KernelClaim) and instruction.kind != "assert"
    }
    if any(isinstance(instruction, Peek) for instruction in instructions_of(kernel)) and of_claims:
        kernel = _without_claims(kernel)
    blocks = [
        replace(
            block,
            instructions=tuple(
                new for instruction in block.instructions if (new := without_assertion(instruction)) is not None
            ),
        )
        for block in kernel.blocks
    ]
    bare = replace(kernel, blocks=tuple(blocks))
    options = replace(options, unroll=0, only="")  # the order matters for any race, also one between groups
    report = verify(bare, launch, solver, options)
    for rounds in _UNROLLED:
        if report.verdict in {"verified", "contradiction"} or any(
            counterexample.is_confirmed for counterexample in report.counterexamples
        ):
            break
        report = verify(bare, launch, solver, replace(options, unroll=rounds))
    return report


def _without_claims(kernel: Kernel) -> Kernel:
    """Return a kernel without invariants and candidates, which may not stand behind accesses."""
    blocks = [
        replace(
            block,
            instructions=tuple(
                instruction
                for instruction in block.instructions
                if not (isinstance(instruction, KernelClaim) and instruction.kind in {"invariant", "candidate"})
            ),
        )
        for block in kernel.blocks
    ]
    return replace(kernel, blocks=tuple(blocks))


def check_assertions(
    kernel: Kernel, sizes: Mapping[str, int], scalars: Mapping[str, int], solver: Solver, *, ieee: bool
) -> AssertionReport:
    """Return whether the assertions of all threads of a launch hold, whatever memory holds at first."""
    terms = Terms()
    scalar_terms = terms.scalars(kernel.scalars, scalars)
    contents = Contents(kernel, terms)
    try:
        run_all(kernel, sizes, scalar_terms, list(threads(dict(sizes))), contents, until=solver.until)
    except TooHardError as error:
        return AssertionReport("unknown", line=error.line, reason=str(error))
    count, undecided = (
        len(contents.asserted),
        [assertion for assertion in contents.asserted if assertion.fails.value != 0],
    )
    if not undecided:
        return AssertionReport("holds", count)
    answer = solver.ask(query([terms.any(*(assertion.fails for assertion in undecided))], ieee=ieee))
    if answer.verdict == "unsat":
        return AssertionReport("holds", count)
    if answer.verdict == "unknown":
        return AssertionReport("unknown", count, reason=answer.reason or "the solver gave up")
    names = [term.name for term in (*contents.initial.values(), *scalar_terms.values()) if term.name]
    chosen = {name: int(answer.values.get(name, 0)) for name in names}
    return _failing(undecided, chosen, count)


def _failing(undecided: list[AssertionOutcome], chosen: dict[str, int], count: int) -> AssertionReport:
    roots = [assertion.fails for assertion in undecided]
    functions = unknown_functions(roots)
    values = term_values(roots, chosen)
    wrong = next((assertion for assertion in undecided if values[assertion.fails]), None)
    if wrong is None or functions:
        why = f", of which {', '.join(sorted(functions))} is not known" if functions else ""
        return AssertionReport("unknown", count, reason=f"an assertion may fail, but no run shows it{why}")
    return AssertionReport("failing", count, wrong.thread, wrong.line, tuple(sorted(chosen.items())))
