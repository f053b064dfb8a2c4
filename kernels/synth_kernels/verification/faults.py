"""The faults of a kernel as answers tell them: what threads do, where in the source, and what the solver chose."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.floats import float_of
from synth_kernels.operators import to_signed
from synth_kernels.program import Access, Arbitrary, Barrier, Call, Constant, KernelClaim, Peek
from synth_kernels.source_place import NOWHERE, Placed, SourcePlace
from synth_storage.answer_json import HIDDEN, answer_from

if TYPE_CHECKING:
    from synth_kernels.program import Instruction
    from synth_kernels.reports import Counterexample
    from synth_kernels.subject import Subject

#: From here on, the product of two numbers may need more than 32 bits.
LARGE = 1 << 16
#: The widest number.
_MOST_BITS = 64
_VERBS = {"read": "reads", "write": "writes", "atomic": "updates", "fetch": "copies from", "put": "copies to"}
_SIZES = {"lsize": "the local size", "groups": "the number of groups"}


@dataclass(frozen=True, slots=True)
class CounterexampleStep(Placed):
    """What a thread does, in words such as `reads a[i]`, and where.

    `file` is empty, and the numbers are 0, if no place is known, because the step lies in an earlier round of a loop.
    `value` is what an access of a race has read or written: a signed number or a number with a point, or null where
    that is not known.
    """

    group: tuple[int, ...]
    local: tuple[int, ...]
    does: str
    value: float | None
    file: str = field(init=False)
    line: int = field(init=False)
    column: int = field(init=False)
    expression: str = field(init=False)


class SolverChoice(NamedTuple):
    """Something that the solver chose, and where. `group` and `local` are null if it concerns no single thread."""

    what: str
    group: tuple[int, ...] | None
    local: tuple[int, ...] | None
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class KernelFault:
    """A fault: its threads, the element that they access, the sizes of the launch, and the scalars.

    `confirmed` says that a run with these numbers had the fault. Otherwise `invented` has what the solver chose and no
    run may reach. `parting` is the branch at which the threads of a divergence go different ways, if it is known.
    `one_barrier` says that the threads would meet if the barriers of a group were one object.

    For views, `large` are the scalars and sizes that are so large that the index of the element may have wrapped
    around, and `widths` has the width of each scalar. A fault that no run has shown may be a race of volatile accesses.
    Or it rests on what atomic or volatile accesses find, or on which lanes of a warp run together.
    """

    kind: str
    confirmed: bool
    array: str | None
    element: int | None
    steps: list[CounterexampleStep]
    sizes: dict[str, int]
    scalars: dict[str, int]
    parting: SourcePlace | None
    one_barrier: bool
    invented: list[SolverChoice]
    large: list[str] = field(metadata=HIDDEN)
    widths: dict[str, int] = field(metadata=HIDDEN)
    is_of_volatile: bool = field(metadata=HIDDEN)
    rests_on_atomics: bool = field(metadata=HIDDEN)
    rests_on_lanes: bool = field(metadata=HIDDEN)


def fault_of(subject: Subject, counterexample: Counterexample) -> KernelFault:
    """Return a counterexample with the places of the source."""
    touched = [step for step in subject.kernel.accesses if step.line in counterexample.lines]
    lines = {line for _, line, _ in counterexample.invented}
    invented = [step for step in subject.kernel.steps if step.line in lines]
    return answer_from(
        KernelFault,
        counterexample,
        confirmed=counterexample.is_confirmed,
        steps=_steps(subject, counterexample),
        parting=subject.place(counterexample.parting) if counterexample.parting else None,
        invented=_invented(subject, counterexample),
        large=_large_numbers(subject, counterexample),
        widths=dict(subject.kernel.scalars),
        is_of_volatile=counterexample.kind == "race" and bool(touched) and all(map(_is_of_hardware, touched)),
        rests_on_atomics=any(isinstance(step, Access) and _is_of_hardware(step) for step in invented),
        rests_on_lanes=any(isinstance(step, Arbitrary) and step.is_of_lanes for step in invented),
    )


def _is_of_hardware(access: Access) -> bool:
    """Return whether hardware orders an access."""
    return access.kind == "atomic" or access.is_volatile


def _steps(subject: Subject, counterexample: Counterexample) -> list[CounterexampleStep]:
    """Return what the threads of a counterexample do."""
    by_line = {step.line: step for block in subject.kernel.blocks for step in (*block.instructions, block.end)}
    has_calls = any(isinstance(step, Call) for step in by_line.values())
    lines = list(counterexample.lines) + [0] * (len(counterexample.threads) - len(counterexample.lines))
    values = list(counterexample.values) + [None] * (len(lines) - len(counterexample.values))
    steps = []
    for (group, local), line, value in zip(counterexample.threads, lines, values, strict=False):
        place = subject.place(line) if line in by_line else NOWHERE
        does = _action_words(by_line.get(line), place, counterexample.kind, has_calls=has_calls)
        steps.append(CounterexampleStep(place, group, local, does, _value(by_line.get(line), place, value)))
    return steps


def _value(access: object, place: SourcePlace, bits: int | None) -> float | None:
    """Return the number that an access has read or written. Vectors and structures have none."""
    if bits is None or not isinstance(access, Access) or access.width > _MOST_BITS or access.event:
        return None
    if place.bits not in {0, access.width}:
        return None
    if place.is_float:
        value = float_of(bits, access.width)
        return None if value is None or not math.isfinite(value) else value
    return to_signed(bits, access.width)


def _action_words(  # noqa: PLR0911  (one for each kind)
    step: object, place: SourcePlace, kind: str, *, has_calls: bool = False
) -> str:
    text = f" {place.expression}" if place.expression else ""
    match step:
        case Access(array=array):
            by = f"{array}{' by' if text else ''}{text}"
            return f"{_VERBS[step.flag]} {by}" if step.event else f"{_VERBS[step.kind]}{text or f' array {array}'}"
        case Peek(array=array):
            return f"looks at{text or f' array {array}'}"
        case Barrier():
            call = f"comes to{text or ' this call'}, as all threads of a group must, with the same arguments"
            return call if step.same or step.waits else "waits at a barrier"
        case KernelClaim(is_overflow=True):
            return "computes a number that is too large for its type"
        case KernelClaim(is_stray=True):
            return f"accesses{text or ' memory'} through a pointer that is null or not set"
        case KernelClaim(value=Constant(value=0)) if not text:
            return "comes to the end of a function without its value, or to code that no thread may reach"
        case KernelClaim():
            return f"comes to{text or ' this claim'}"
        case Call():
            return f"may access it in the call{text}"
        case _ if kind == "race" and has_calls:
            return "accessed it before, in a call or in an earlier round of a loop"
        case _:
            return "accessed it in an earlier round of a loop" if kind == "race" else "has ended"


def _invented(subject: Subject, counterexample: Counterexample) -> list[SolverChoice]:
    """Return what a counterexample takes from nowhere: values that are read, and loops. A confirmed one has none."""
    steps = {step.line: step for step in subject.kernel.steps}
    values = [
        SolverChoice(what, *thread, place)
        for thread, line, value in dict.fromkeys(counterexample.invented)
        if line in steps and (what := _choice_words(steps[line], place := subject.place(line), value))
    ]
    for place in map(subject.place, counterexample.loops):
        text = f" `{place.expression}`" if place.expression else ""
        values.append(SolverChoice(f"earlier rounds of the loop{text}", None, None, place))
    return [*values, *(_call_choice(subject, line) for line in counterexample.calls)]


def _choice_words(step: Instruction, place: SourcePlace, value: int) -> str:
    """Return what a thread gets that the solver chose, or nothing if the source says nothing of it."""
    match step:
        case Access() | Peek():
            return f"{_action_words(step, place, '')} and gets {value}"
        case Arbitrary(is_unset=True) if place.expression:
            return f"finds {value} in {place.expression}, which is not set"
        case Arbitrary(is_of_lanes=True):
            return f"gets {value} from {place.expression or 'a function'}, which depends on the lanes that run together"
        case Arbitrary(is_event=False) if place.expression:
            return f"gets {value} from {place.expression}"
        case _:
            return ""


def _call_choice(subject: Subject, line: int) -> SolverChoice:
    """Return what is not known of a call, or of what ran before a function is called."""
    place = subject.place(line)
    if any(isinstance(step, Call) and step.line == line and not step.unit for step in subject.kernel.steps):
        name = subject.kernel.name
        what = f"the parameters of {name}, and what ran before its call; add a __requires that limits them"
    else:
        what = f"what the call {place.expression} does; add an __ensures to the function that limits it"
    return SolverChoice(what, None, None, place)


def _large_numbers(subject: Subject, counterexample: Counterexample) -> list[str]:
    """Return the scalars and sizes of a fault at an element that are so large that its index may have wrapped around.

    Such a fault was not found with small numbers, because these are tried first.
    """
    if counterexample.array is None:
        return []
    widths = dict(subject.kernel.scalars)
    scalars = [
        name for name, value in counterexample.scalars.items() if widths[name] > 1 and _is_large(value, widths[name])
    ]
    large = {name.partition(".")[0] for name, size in counterexample.sizes.items() if size >= LARGE}
    return [*scalars, *(what for word, what in _SIZES.items() if word in large)]


def _is_large(value: int, width: int) -> bool:
    return abs(to_signed(value, width)) >= LARGE
