"""What a verdict on a kernel rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import to_signed
from synth_kernels.premises import LIMITING, Premise, premise
from synth_kernels.program import IS_NULL, Barrier, Kernel, KernelClaim, operands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.reports import KernelReport
    from synth_kernels.verification import Verified


def premises_of(verified: Verified) -> list[str]:
    """Return what a verdict rests on. A fault is shown with its numbers, and does not rest on what leaves some out."""
    if not isinstance(verified.kernel, Kernel) or verified.launch is None:
        return []
    premises = [
        *launch_premises(verified.kernel, verified.launch),
        *verified.kernel.premises,
        *proof_premises(verified.kernel, verified.options, is_whole=verified.report.verdict != "no bug found"),
        *_benign_premises(verified.kernel, verified.report),
        *device_premises(verified.kernel, verified.launch, verified.options),
    ]
    if not verified.counterexamples:
        return [assumption.text for assumption in premises]
    shown = [premise("run")] if any(fault.is_confirmed for fault in verified.counterexamples) else []
    shown += [] if all(fault.is_confirmed for fault in verified.counterexamples) else [premise("invented")]
    return [assumption.text for assumption in (*shown, *premises) if assumption.name not in LIMITING]


def question_premises(
    kernel: Kernel, launch: Launch, options: Options, *more: Premise, is_run: bool = False, is_shown: bool = False
) -> list[str]:
    """Return what the answer to a question about a kernel rests on.

    If all threads are run, they were seen to end. What is shown with its numbers does not rest on what leaves some out.
    """
    proof = proof_premises(kernel, options)
    premises = [
        *launch_premises(kernel, launch),
        *kernel.premises,
        *(assumption for assumption in proof if not (is_run and assumption.name == "ends")),
        *device_premises(kernel, launch, options),
        *more,
    ]
    return list(
        dict.fromkeys(assumption.text for assumption in premises if not (is_shown and assumption.name in LIMITING))
    )


def launch_premises(kernel: Kernel, launch: Launch) -> Iterator[Premise]:
    """Yield which launches an answer is about: their sizes, and the values of scalars."""
    yield sizes_of(launch)
    used = {operand for step in kernel.steps for operand in operands_of(step)}
    for number, offset in enumerate(launch.offset):
        if offset is not None and f"offset.{number}" in used:
            yield premise("offset", ", ".join("any" if start is None else str(start) for start in launch.offset))
            break
    widths = dict(kernel.scalars)
    for name, value in launch.scalars:
        if name.endswith(IS_NULL):
            yield premise("null" if value else "not null", name.removesuffix(IS_NULL))
        else:
            yield premise("scalar", name, to_signed(value, widths[name]) if widths[name] > 1 else value)


def sizes_of(launch: Launch) -> Premise:
    """Return the sizes of a launch. Last dimensions with one group are left out, as far as the local size has none."""
    groups = list(launch.groups)
    while len(groups) > len(launch.local) and groups[-1] == 1:
        groups.pop()
    words = (" x ".join("any" if size is None else str(size) for size in sizes) for sizes in (launch.local, groups))
    return premise("sizes", *words)


def proof_premises(kernel: Kernel, options: Options, *, is_whole: bool = True) -> Iterator[Premise]:
    """Yield what the proof that a kernel has no fault takes for granted. If loops were cut, it `is_whole` no more."""
    if kernel.function is not None:
        yield premise("callers")
    if not is_whole:
        yield premise("rounds", options.unroll)
    elif not options.unroll:
        yield premise("ends")
    if not options.check_bounds:
        yield premise("inside")
    if options.only:
        yield premise({"divergence": "no races", "intra-group": "no races between groups"}[options.only])
    steps = kernel.steps
    if any(
        isinstance(step, KernelClaim) and step.kind == "assume" and not _is_of_reader(kernel, step) for step in steps
    ):
        yield premise("assumed")


def device_premises(kernel: Kernel, launch: Launch, options: Options) -> Iterator[Premise]:
    """Yield what an answer says of devices because somebody asked for that."""
    if launch.warp:
        yield premise("warps", launch.warp)
    barriers = [step for step in kernel.steps if isinstance(step, Barrier)]
    if launch.waits_fence and any(barrier.waits for barrier in barriers):
        yield premise("waits")
    if options.one_barrier and any(barrier.scope == "group" for barrier in barriers):
        yield premise("one barrier")


def _benign_premises(kernel: Kernel, report: KernelReport) -> Iterator[Premise]:
    """Yield which writes are no race because they are of one value."""
    places = [kernel.places.get(line) for line in report.benign]
    lines = [f"line {line}" for line in report.benign]
    where = [f"{place.file}:{place.line}" if place else line for place, line in zip(places, lines, strict=True)]
    if where:
        yield premise("equal writes", ", ".join(dict.fromkeys(where)))


def _is_of_reader(kernel: Kernel, claim: KernelClaim) -> bool:
    """Return whether the reader of a language has made an assumption, which its premises then name."""
    place = kernel.places.get(claim.line)
    return place is not None and not place.expression.startswith("__")
