"""The answer of `synth verify` about a kernel, with the places of the source. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth_kernels.program import Access, Barrier, Claim, Kernel, Place

if TYPE_CHECKING:
    from synth.verification import Verified
    from synth_kernels.launch import Thread
    from synth_kernels.verifying import Counterexample


class Step(NamedTuple):
    """What a thread does in a counterexample: where, and in words such as `reads a[i]`.

    The place is None if the step lies in an earlier round of a loop, of which nothing is known.
    """

    thread: Thread
    does: str
    place: Place | None


def steps_of(one: Verified, found: Counterexample) -> list[Step]:
    """Return what the threads of a counterexample do."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    by_line = {step.line: step for block in one.kernel.blocks for step in (*block.instructions, block.end)}
    places = {line: one.kernel.places.get(line) or Place(str(one.path), line) for line in by_line}
    lines = list(found.lines) + [0] * (len(found.threads) - len(found.lines))
    return [
        Step(thread, _does(by_line.get(line), places.get(line), found.kind), places.get(line))
        for thread, line in zip(found.threads, lines, strict=False)
    ]


def _does(step: object, place: Place | None, kind: str) -> str:
    text = f" {place.text}" if place is not None and place.text else ""
    match step:
        case Access(kind=kind, array=array):
            verb = {"read": "reads", "write": "writes", "atomic": "updates"}[kind]
            return f"{verb}{text or f' array {array}'}"
        case Barrier():
            return "waits at a barrier"
        case Claim():
            return f"comes to{text or ' this claim'}"
        case _:
            return "accessed it in an earlier round of a loop" if kind == "race" else "has ended"


class StepFields(TypedDict):
    """What a thread does, and where. `file` is empty, and the numbers are 0, if no place is known."""

    group: list[int]
    local: list[int]
    does: str
    file: str
    line: int
    column: int
    expression: str


class CounterexampleFields(TypedDict):
    """A fault: its threads, the element that they access, the sizes of the launch, and the scalars.

    `confirmed` says that a run with these numbers had the fault.
    """

    kind: str
    confirmed: bool
    array: str | None
    element: int | None
    steps: list[StepFields]
    sizes: dict[str, int]
    scalars: dict[str, int]


class KernelFields(TypedDict):
    """A kernel and the verdict on it. `reason` says why the verdict is `unknown` or `stopped`.

    A size that is null may be any. `notes` are what the proof takes for granted.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    local_size: list[int | None]
    groups: list[int | None]
    counterexamples: list[CounterexampleFields]
    notes: list[str]


def kernel_fields(one: Verified) -> KernelFields:
    """Return the JSON form of a report."""
    return {
        "file": str(one.path),
        "kernel": one.kernel.name,
        "verdict": one.report.verdict,
        "reason": one.report.reason,
        "local_size": list(one.launch.local) if one.launch else [],
        "groups": list(one.launch.groups) if one.launch else [],
        "counterexamples": [_counterexample(one, found) for found in one.report.counterexamples],
        "notes": list(one.kernel.notes) if isinstance(one.kernel, Kernel) else [],
    }


def _counterexample(one: Verified, found: Counterexample) -> CounterexampleFields:
    return {
        "kind": found.kind,
        "confirmed": found.is_confirmed,
        "array": found.array,
        "element": found.element,
        "steps": [_step(step) for step in steps_of(one, found)],
        "sizes": found.sizes,
        "scalars": found.scalars,
    }


def _step(step: Step) -> StepFields:
    place = step.place or Place("", 0)
    return {
        "group": list(step.thread[0]),
        "local": list(step.thread[1]),
        "does": step.does,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "expression": place.text,
    }
