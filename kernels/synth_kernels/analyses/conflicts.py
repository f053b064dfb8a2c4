"""Prove for all sizes of a launch that local accesses have no bank conflicts, or show two threads that have one.

Before each local access, a claim about both threads of the pair says that they do not conflict. Then the kernel is
walked like any other. A claim that fails is left out in the next round, because what follows a claim takes it to be
true. So in the last round all claims hold that are left, and each of them was proven with the help of these only.

The kernel's own assertions and invariants help, too. So they have to hold in the last round, or nothing is known.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.analyses.degrees import batches, conflict_in, is_judged, touches
from synth_kernels.analyses.insertion import Writer, instructions_of, number
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.confirmation.states import numbers_of_state
from synth_kernels.houdini import infer
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.launch import threads
from synth_kernels.pair.options import DEFAULT, SHARED
from synth_kernels.pair.walk import Walk
from synth_kernels.program import Access, Constant
from synth_kernels.terms import script

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from synth_kernels.analyses.banks import Banks
    from synth_kernels.analyses.degrees import Touch
    from synth_kernels.confirmation.states import StateNumbers
    from synth_kernels.launch import Launch, Thread
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel, Operand
    from synth_solvers.client import Solver

#: A run that shall show a conflict has at most so many threads.
MOST_THREADS = 1024
#: If the numbers of the solver show no conflict, runs with these local sizes and scalars are tried.
_LOCAL, _SCALARS = (64, 32, 128), (64, 1024, 0)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two threads that conflict in an access, with the numbers of the launch.

    `addresses` are the bytes that they access, from the beginning of the array on, if a run has shown the conflict.
    Otherwise no run was found that does.
    """

    access: Access
    threads: tuple[Thread, ...]
    addresses: tuple[int, ...]
    sizes: dict[str, int]
    scalars: dict[str, int]

    @property
    def is_confirmed(self) -> bool:
        """Whether a run has shown it."""
        return bool(self.addresses)


@dataclass(frozen=True, slots=True)
class BankReport:
    """Whether a kernel is free of bank conflicts. `judged` are the accesses that this is about."""

    verdict: Literal["free", "conflict", "contradiction", "unknown", "stopped"]
    judged: tuple[Access, ...] = ()
    left_out: tuple[Access, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    reason: str = ""


def bank_conflicts(
    kernel: Kernel, launch: Launch, banks: Banks, solver: Solver, options: Options = DEFAULT
) -> BankReport:
    """Look for bank conflicts in all launches that `launch` describes. Banks and lanes are powers of two.

    No races are looked for, so what memory holds that others may write is arbitrary.

    Raises:
        InputError: the kernel can't be walked.
        OverdueError: the time was over before that.
    """
    options = replace(options, apart=SHARED)
    local = [
        instruction
        for instruction in instructions_of(kernel)
        if isinstance(instruction, Access) and _is_local(kernel, instruction)
    ]
    judged = tuple(access for access in local if is_judged(kernel, access))
    report = BankReport("free", judged, tuple(access for access in local if access not in judged))
    conflicts: list[Conflict] = []
    while True:
        claimed, lines = with_claims(kernel, banks, {conflict.access.line for conflict in conflicts})
        whole, _ = with_candidates(claimed, launch, options.rules)
        inferred = infer(whole, launch, solver, options) if lines else None
        if isinstance(inferred, str):
            return replace(report, verdict="unknown", conflicts=tuple(conflicts), reason=inferred)
        walk = Walk(whole, launch, inferred.removed if inferred else (), options, solver.until)
        checks = [check for check in walk.state.checks if check.kind == "assertion" and check.line in lines]
        fault = failing_checks(checks, walk, solver, shown=True)
        if isinstance(fault, str):
            return replace(report, verdict="unknown", conflicts=tuple(conflicts), reason=fault)
        if fault is None:
            return _final_report(replace(report, conflicts=tuple(conflicts)), kernel, walk, solver, lines)
        numbers = numbers_of_state(walk, fault[1])
        conflicts += [_conflict_with_run(kernel, launch, lines[access.line], numbers, banks) for access in fault[0]]


def _final_report(report: BankReport, kernel: Kernel, walk: Walk, solver: Solver, lines: Collection[int]) -> BankReport:
    """Return the report after the last round, in which all claims hold that are left."""
    if lines and (reason := _own_faults(kernel, walk, solver, lines)):
        if any(conflict.is_confirmed for conflict in report.conflicts):
            return replace(report, verdict="conflict", reason=f"further conflicts are unknown: {reason}")
        return replace(report, verdict="unknown", reason=reason)
    if report.conflicts:
        return replace(report, verdict="conflict")
    if solver.ask(script([walk.required])).verdict == "unsat":
        return replace(report, verdict="contradiction", reason="no launch satisfies what the kernel assumes")
    return report


def _own_faults(kernel: Kernel, walk: Walk, solver: Solver, lines: Collection[int]) -> str:
    """Return why it is not known that the kernel's own assertions and invariants hold, or an empty text if they do."""
    kinds = {"assertion", "base", "step"}
    own = [
        check for check in walk.state.checks if check.kind in kinds and not check.candidate and check.line not in lines
    ]
    fault = failing_checks(own, walk, solver)
    if fault is None or isinstance(fault, str):
        return fault or ""
    line = fault[0][0].line
    place = kernel.places.get(line)
    where = f"{place.file}:{place.line}" if place else f"line {line}"
    return f"{where}: the proof takes this assertion or invariant of the kernel to be true, but it may fail"


def _is_local(kernel: Kernel, access: Access) -> bool:
    """Return whether a thread accesses local memory. Asynchronous copies are not made by threads as they stand."""
    return kernel.array(access.array).space == "local" and not access.event


def with_claims(kernel: Kernel, banks: Banks, left_out: Collection[int]) -> tuple[Kernel, dict[int, Access]]:
    """Return a kernel with a claim before each local access, and the accesses by the lines of these claims.

    The accesses with the lines in `left_out` get none, nor do those of which all threads touch the same place.
    """
    writer, lines = Writer(kernel, "bank."), {}
    blocks = []
    for block in kernel.blocks:
        body = []
        for instruction in block.instructions:
            if (
                isinstance(instruction, Access)
                and is_judged(kernel, instruction)
                and _is_local(kernel, instruction)
                and instruction.line not in left_out
                and not isinstance(instruction.offset, Constant)
            ):
                lines[_claim(writer, kernel, instruction, banks)] = instruction
                body += writer.take()
            body.append(instruction)
        blocks.append(replace(block, instructions=tuple(body)))
    return replace(kernel, blocks=tuple(blocks)), lines


def _claim(writer: Writer, kernel: Kernel, access: Access, banks: Banks) -> int:
    """Write that the two threads are in different batches, or do not conflict."""
    unit, length = kernel.array(access.array).width // 8, access.width // 8
    linear = writer.compute("mul", "lid.2", "lsize.1")
    linear = writer.compute("mul", writer.compute("add", linear, "lid.1"), "lsize.0")
    linear = writer.compute("add", linear, "lid.0")
    batch = writer.compute("lshr", linear, number(banks.batch(length).bit_length() - 1))
    together = writer.compute("uniform", batch)
    address = writer.compute("mul", access.offset, number(unit))
    shift = number(banks.bytes.bit_length() - 1)
    first = writer.compute("lshr", address, shift)
    last = writer.compute("lshr", writer.compute("add", address, number(length - 1)), shift)
    others = writer.compute("other", first), writer.compute("other", last)
    is_aligned = unit % banks.bytes == 0
    most = length // banks.bytes if is_aligned else (length - 1) // banks.bytes + 2
    clashes = [
        _clash(writer, (first, distance, last), (others[0], other_distance, others[1]), banks, is_aligned=is_aligned)
        for distance, other_distance in itertools.product(range(most), repeat=2)
        if not is_aligned or 0 in {distance, other_distance}
    ]
    conflict = writer.all("and", ["same_group", together, writer.all("or", clashes)])
    return writer.claim("assert", writer.compute("not", conflict))


def _clash(
    writer: Writer,
    ours: tuple[str, int, str],
    theirs: tuple[str, int, str],
    banks: Banks,
    *,
    is_aligned: bool,
) -> Operand:
    """Write that a word of one thread and one of the other thread are different words of one bank.

    A word is its distance from the first word of its access, which may not be beyond the last one.
    """
    words = [writer.compute("add", first, number(place)) for first, place, _ in (ours, theirs)]
    apart = writer.compute("sub", *words)
    same_bank = writer.compute("eq", writer.compute("and", apart, number(banks.banks - 1)), number(0))
    parts: list[Operand] = [same_bank, writer.compute("not", writer.compute("eq", apart, number(0)))]
    if not is_aligned:
        parts += [writer.compute("ule", word, last) for word, (_, _, last) in zip(words, (ours, theirs), strict=True)]
    return writer.all("and", parts)


def _conflict_with_run(kernel: Kernel, launch: Launch, access: Access, state: StateNumbers, banks: Banks) -> Conflict:
    """Return a conflict in an access, with the addresses if a run shows it."""
    for sizes, scalars, chosen, inputs in _runs(kernel, launch, state):
        touched, run = touches(kernel, sizes, scalars, chosen, inputs=inputs)
        if not run.counts:
            continue
        here = [touch for touch in touched if touch.access.line == access.line]
        for batch in batches(here, sizes, banks):
            if (pair := conflict_in(batch, banks)) is not None:
                return _confirmed_conflict(access, pair, sizes, scalars)
    return Conflict(access, state.pair, (), state.sizes, state.scalars)


def _confirmed_conflict(
    access: Access, pair: tuple[Touch, Touch], sizes: dict[str, int], scalars: dict[str, int]
) -> Conflict:
    return Conflict(
        access, tuple(touch.thread for touch in pair), tuple(touch.address for touch in pair), sizes, scalars
    )


def _runs(
    kernel: Kernel, launch: Launch, state: StateNumbers
) -> Iterator[tuple[dict[str, int], dict[str, int], Sequence[Thread], dict[tuple[Thread, int], Sequence[int]]]]:
    """Yield numbers of runs that may show a conflict: those of the solver, and then other ones of the launch."""
    yield state.sizes, state.scalars, list(state.pair), dict(state.inputs)
    open_ = {name for name, size in launch.sizes().items() if size is None}
    fixed = dict(launch.scalars)
    widths = dict(kernel.scalars)
    tried = [(state.sizes, state.scalars)]
    for local in _LOCAL if "lsize.0" in open_ else (state.sizes["lsize.0"],):
        for value in _SCALARS:
            sizes = state.sizes | {name: 1 for name in open_ if not name.startswith("offset")} | {"lsize.0": local}
            scalars = {name: fixed.get(name, value & ((1 << width) - 1)) for name, width in widths.items()}
            tried.append((sizes, scalars))
    for sizes, scalars in tried:
        everyone = itertools.islice(threads(sizes), MOST_THREADS + 1)
        if len(chosen := list(everyone)) <= MOST_THREADS:
            yield sizes, scalars, chosen, {}
