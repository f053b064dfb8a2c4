"""Barrier intervals of a kernel, and the barriers that it does not need.

An interval is what a thread executes from the beginning or a barrier to the next barrier or the end. We list each pair
of such places between which some way passes no other barrier, with the arrays that these ways read and write.

Each interval is also checked on its own (`alone`).

A barrier is not needed if the kernel without it is verified. Without races and atomic operations, each order of the
threads gives the same memory in the end. The orders that the barrier allows are among those of the kernel without it,
so that kernel leaves the same memory. Atomic operations do not race, but their order may matter (`outcomes`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from synth_kernels.analyses.barrier_intervals import interval_proofs
from synth_kernels.analyses.outcomes import leaves_more, ordered_atomics
from synth_kernels.kernel_verdict import verify
from synth_kernels.pair.options import DEFAULT
from synth_kernels.program import Access, Barrier, Kernel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Instruction
    from synth_kernels.reports import KernelReport
    from synth_solvers.client import Solver

_Piece = tuple[str, int]


class Interval(NamedTuple):
    """What lies between two barriers, given by their lines: None is the beginning or the end of the kernel."""

    start: int | None
    end: int | None
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A kernel without the barrier of a line, and the report on it.

    `ordered` are arrays of whose atomic operations the order may matter. `leaves_more` says that a launch
    without the barrier may leave other contents of memory than all launches that have it.
    """

    line: int
    kernel: Kernel
    report: KernelReport
    ordered: tuple[str, ...] = ()
    leaves_more: bool = False

    @property
    def verdict(self) -> Literal["needed", "not needed", "unknown"]:
        """Whether the barrier is needed. A fault of which no run was found leaves that open."""
        if self.report.verdict == "verified":
            return "needed" if self.leaves_more else "unknown" if self.ordered else "not needed"
        return (
            "needed"
            if any(counterexample.is_confirmed for counterexample in self.report.counterexamples)
            else "unknown"
        )


@dataclass(frozen=True, slots=True)
class IntervalReport:
    """The intervals of a kernel, the report on it, and what becomes of it without each barrier.

    `together` are the lines of barriers that can all be left out at once. Without any of the others, in addition to
    these, the kernel is not verified. There are variants only if the kernel is verified with all its barriers. `alone`
    says which intervals have a proof of their own, by the lines in which they begin.
    """

    intervals: tuple[Interval, ...]
    whole: KernelReport
    variants: tuple[Variant, ...] = ()
    together: tuple[int, ...] = ()
    alone: Mapping[int | None, bool] = field(default_factory=dict)


def barriers_of(kernel: Kernel) -> list[int]:
    """Return the lines of all barriers, but for those of asynchronous copies, which can't be left out."""
    return [
        instruction.line
        for instruction in kernel.steps
        if isinstance(instruction, Barrier) and not (instruction.same or instruction.waits)
    ]


def leave_out_barriers(kernel: Kernel, lines: Collection[int]) -> Kernel:
    """Return a kernel without the barriers of some lines."""

    def stays(instruction: Instruction) -> bool:
        return not (isinstance(instruction, Barrier) and instruction.line in lines)

    blocks = [replace(block, instructions=tuple(filter(stays, block.instructions))) for block in kernel.blocks]
    return replace(kernel, blocks=tuple(blocks))


def barrier_needs(kernel: Kernel, launch: Launch, solver: Solver, options: Options = DEFAULT) -> IntervalReport:
    """Return the intervals of a kernel, and which of its barriers it needs. All checks are made.

    Raises:
        InputError: the kernel can't be walked.
        OverdueError: the time was over before that.
    """
    all_intervals = tuple(intervals(kernel))
    options = replace(options, only="")  # a barrier may be needed for any kind of fault
    whole = verify(kernel, launch, solver, options)
    alone = interval_proofs(kernel, early_arrays(all_intervals), launch, solver, options)
    if whole.verdict != "verified":
        return IntervalReport(all_intervals, whole, alone=alone)
    variants = []
    ordered = tuple(ordered_atomics(kernel))
    for line in barriers_of(kernel):
        less = leave_out_barriers(kernel, {line})
        report = verify(less, launch, solver, options)
        is_other = bool(ordered) and report.verdict == "verified" and leaves_more(kernel, less, launch)
        variants.append(Variant(line, less, report, ordered, is_other))
    together: list[int] = []
    for variant in variants:
        if variant.verdict == "not needed":
            more = leave_out_barriers(kernel, {*together, variant.line})
            if not together or verify(more, launch, solver, options).verdict == "verified":
                together.append(variant.line)
    return IntervalReport(all_intervals, whole, tuple(variants), tuple(together), alone)


def early_arrays(all_intervals: Iterable[Interval]) -> set[str]:
    """Return the arrays that are accessed before some barrier."""
    return {
        name for interval in all_intervals if interval.end is not None for name in (*interval.reads, *interval.writes)
    }


def intervals(kernel: Kernel) -> list[Interval]:
    """Return the intervals of a kernel, in the order of the lines in which they begin and end."""
    pieces = _pieces(kernel)
    after = _successors(kernel, pieces)
    spaces = {array.name: array.space for array in kernel.arrays}
    entry = (kernel.blocks[0].name, 0)
    starts = [(None, entry)] + [
        (body[-1].line, (name, number + 1))
        for (name, number), body in pieces.items()
        if body and isinstance(body[-1], Barrier)
    ]
    reachable = _reached([entry, *(start for _, start in starts[1:])], after)
    ends: dict[_Piece, int | None] = {}
    for piece, body in pieces.items():
        if body and isinstance(body[-1], Barrier):
            ends[piece] = body[-1].line
        elif not kernel.block(piece[0]).end.targets:
            ends[piece] = None
    accesses_between: dict[tuple[int | None, int | None], set[Access]] = {}
    for start, piece in starts:
        here = _reached([piece], after) & reachable
        for last, end in ends.items():
            if last in here:
                between = [point for point in here if last in _reached([point], after)]
                accesses = {access for part in between for access in pieces[part] if isinstance(access, Access)}
                accesses_between.setdefault((start, end), set()).update(accesses)
    return [
        Interval(start, end, *(_arrays(accesses, spaces, writes=writes) for writes in (False, True)))
        for (start, end), accesses in sorted(
            accesses_between.items(), key=lambda item: (item[0][0] or 0, item[0][1] or 1 << 60)
        )
    ]


def _arrays(accesses: Iterable[Access], spaces: Mapping[str, str], *, writes: bool) -> tuple[str, ...]:
    """Return the arrays, but for private ones, that accesses write, or those that they read. Atomics do both."""
    other = "read" if writes else "write"
    return tuple(
        sorted({access.array for access in accesses if access.kind != other and spaces[access.array] != "private"})
    )


def _pieces(kernel: Kernel) -> dict[_Piece, list[Instruction]]:
    """Return the parts of blocks, each of which ends with a barrier or with the end of its block."""
    pieces: dict[_Piece, list[Instruction]] = {}
    for block in kernel.blocks:
        number = 0
        pieces[block.name, 0] = []
        for instruction in block.instructions:
            pieces[block.name, number].append(instruction)
            if isinstance(instruction, Barrier):
                number += 1
                pieces[block.name, number] = []
    return pieces


def _successors(kernel: Kernel, pieces: Mapping[_Piece, list[Instruction]]) -> dict[_Piece, list[_Piece]]:
    """Return where threads get from each part without passing a barrier."""
    return {
        piece: []
        if body and isinstance(body[-1], Barrier)
        else [(target.block, 0) for target in kernel.block(piece[0]).end.targets]
        for piece, body in pieces.items()
    }


def _reached(starts: Iterable[_Piece], after: Mapping[_Piece, list[_Piece]]) -> set[_Piece]:
    reached = set(starts)
    todo = list(reached)
    while todo:
        for point in after[todo.pop()]:
            if point not in reached:
                reached.add(point)
                todo.append(point)
    return reached
