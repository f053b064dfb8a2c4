"""The answer of `synth verify` about a kernel, with the places of the source. Also as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth_kernels.candidates.annotation_texts import annotation, scope_of, typed_lines
from synth_kernels.floats import float_of
from synth_kernels.flow import Flow
from synth_kernels.kernel_file import CUDA, TYPED
from synth_kernels.operators import to_signed
from synth_kernels.program import Access, Arbitrary, Barrier, Call, Constant, Kernel, KernelClaim, Peek, SourcePlace
from synth_kernels.verdict_premises import notes_of, premises_of
from synth_kernels.verification.contracts import ClauseFields, called_by, contract_fields, is_function

if TYPE_CHECKING:
    from synth_kernels.launch import Thread
    from synth_kernels.program import Instruction
    from synth_kernels.reports import Counterexample
    from synth_kernels.verification import Verified


#: From here on, the product of two numbers may need more than 32 bits.
LARGE = 1 << 16
#: The widest number.
_MOST_BITS = 64


class Step(NamedTuple):
    """What a thread does in a counterexample: where, and in words such as `reads a[i]`.

    The place is None if the step lies in an earlier round of a loop, of which nothing is known. `value` is what an
    access of a race has read or written: a signed number or a number with a point, or None where that is not known.
    """

    thread: Thread
    does: str
    place: SourcePlace | None
    value: float | None = None


class Invented(NamedTuple):
    """Something that the solver chose: what it is, where, and the thread that gets it if it concerns one thread."""

    what: str
    place: SourcePlace
    thread: Thread | None


def steps_of(one: Verified, found: Counterexample) -> list[Step]:
    """Return what the threads of a counterexample do."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    by_line = {step.line: step for block in one.kernel.blocks for step in (*block.instructions, block.end)}
    places = {line: one.kernel.places.get(line) or SourcePlace(str(one.path), line) for line in by_line}
    has_calls = any(isinstance(step, Call) for step in by_line.values())
    lines = list(found.lines) + [0] * (len(found.threads) - len(found.lines))
    values = list(found.values) + [None] * (len(lines) - len(found.values))
    return [
        Step(
            thread,
            _does(by_line.get(line), places.get(line), found.kind, has_calls=has_calls),
            places.get(line),
            _value(by_line.get(line), places.get(line), value),
        )
        for thread, line, value in zip(found.threads, lines, values, strict=False)
    ]


def _value(access: object, place: SourcePlace | None, bits: int | None) -> float | None:
    """Return the number that an access has read or written. Vectors and structures have none."""
    if bits is None or not isinstance(access, Access) or access.width > _MOST_BITS or access.event:
        return None
    if place is not None and place.bits not in {0, access.width}:
        return None
    if place is not None and place.is_float:
        value = float_of(bits, access.width)
        return None if value is None or not math.isfinite(value) else value
    return to_signed(bits, access.width)


_VERBS = {"read": "reads", "write": "writes", "atomic": "updates", "fetch": "copies from", "put": "copies to"}


def _does(  # noqa: PLR0911  (one for each kind)
    step: object, place: SourcePlace | None, kind: str, *, has_calls: bool = False
) -> str:
    text = f" {place.text}" if place is not None and place.text else ""
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


def parting_of(one: Verified, found: Counterexample) -> SourcePlace | None:
    """Return the place of the branch at which the threads of a divergence go different ways, if it is known."""
    return _place(one, found.parting) if found.parting else None


def invented_in(one: Verified, found: Counterexample) -> list[Invented]:
    """Return what a counterexample takes from nowhere: values that are read, and loops. A confirmed one has none."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    steps = {step.line: step for block in one.kernel.blocks for step in block.instructions}
    values = [
        Invented(what, place, thread)
        for thread, line, value in dict.fromkeys(found.invented)
        if line in steps and (what := _invented(steps[line], place := _place(one, line), value))
    ]
    loops = [(place, f" `{place.text}`" if place.text else "") for place in (_place(one, line) for line in found.loops)]
    return [
        *values,
        *(Invented(f"earlier rounds of the loop{text}", place, None) for place, text in loops),
        *(_called(one, line) for line in found.calls),
    ]


def _invented(step: Instruction, place: SourcePlace, value: int) -> str:
    """Return what a thread gets that the solver chose, or nothing if the source says nothing of it."""
    match step:
        case Access() | Peek():
            return f"{_does(step, place, '')} and gets {value}"
        case Arbitrary(is_unset=True) if place.text:
            return f"finds {value} in {place.text}, which is not set"
        case Arbitrary(is_of_lanes=True):
            return f"gets {value} from {place.text or 'a function'}, which depends on the lanes that run together"
        case Arbitrary(is_event=False) if place.text:
            return f"gets {value} from {place.text}"
        case _:
            return ""


def rests_on_lanes(one: Verified, found: Counterexample) -> bool:
    """Return whether a counterexample invents what depends on which lanes of a warp run together."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    lines = {line for _, line, _ in found.invented}
    steps = (step for block in one.kernel.blocks for step in block.instructions)
    return any(isinstance(step, Arbitrary) and step.is_of_lanes and step.line in lines for step in steps)


def rests_on_atomics(one: Verified, found: Counterexample) -> bool:
    """Return whether a counterexample invents what atomic or volatile accesses find."""
    lines = {line for _, line, _ in found.invented}
    return any((step.kind == "atomic" or step.is_volatile) and step.line in lines for step in _accesses(one))


def is_of_volatile(one: Verified, found: Counterexample) -> bool:
    """Return whether a fault is a race of volatile accesses."""
    some = [step for step in _accesses(one) if step.line in found.lines]
    return found.kind == "race" and bool(some) and all(step.is_volatile or step.kind == "atomic" for step in some)


def _accesses(one: Verified) -> list[Access]:
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    return [step for block in one.kernel.blocks for step in block.instructions if isinstance(step, Access)]


def _called(one: Verified, line: int) -> Invented:
    """Return what is not known of a call, or of what ran before a function is called."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    place = _place(one, line)
    calls = (step for block in one.kernel.blocks for step in block.instructions if isinstance(step, Call))
    if any(step.line == line and not step.unit for step in calls):
        what = f"the parameters of {one.kernel.name}, and what ran before its call; add a __requires that limits them"
        return Invented(what, place, None)
    return Invented(f"what the call {place.text} does; add an __ensures to the function that limits it", place, None)


def _place(one: Verified, line: int) -> SourcePlace:
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    return one.kernel.places.get(line) or SourcePlace(str(one.path), line)


def large_numbers(one: Verified, found: Counterexample) -> list[str]:
    """Return the scalars and sizes of a fault at an element that are so large that its index may have wrapped around.

    Such a fault was not found with small numbers, because these are tried first.
    """
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    if found.array is None:
        return []
    widths = dict(one.kernel.scalars)
    scalars = [name for name, value in found.scalars.items() if widths[name] > 1 and _is_large(value, widths[name])]
    words = {"lsize": "the local size", "groups": "the number of groups"}
    large = {name.partition(".")[0] for name, size in found.sizes.items() if size >= LARGE}
    return [*scalars, *(what for word, what in words.items() if word in large)]


def _is_large(value: int, width: int) -> bool:
    return abs(to_signed(value, width)) >= LARGE


class Judged(NamedTuple):
    """A candidate of a rule, the place of its loop, and what came of it: kept, refuted in some round, or dropped.

    A candidate of the kernel's own has no rule. `engine` is what refuted it: `H` is Houdini.
    """

    rule: str
    place: SourcePlace
    outcome: str
    round: int
    lines: tuple[str, ...]
    engine: str = ""


def candidates_of(one: Verified) -> list[Judged]:
    """Return the candidates of a kernel, loop by loop: those that it has of its own, and those that rules made."""
    if not isinstance(one.kernel, Kernel) or one.options.unroll:
        return []
    own = [
        (block.name, _judged(one, "", block.name, claim.line, _own_text(one.kernel, claim)))
        for block in one.kernel.blocks
        for claim in block.instructions
        if isinstance(claim, KernelClaim) and claim.kind == "candidate"
    ]
    is_typed, cuda = one.path.suffix == TYPED, one.path.suffix in CUDA
    flow = Flow(one.kernel)
    made = []
    for number, found in enumerate(one.report.candidates):
        scope = scope_of(flow, found.header)
        text = None if is_typed else annotation(found.meaning, one.kernel, scope, cuda=cuda)
        lines = typed_lines(found.meaning, f"inv{number}.") if text is None else [text]
        made.append((found.header, _judged(one, found.rule, found.header, found.line, tuple(lines))))
    headers = dict.fromkeys(header for header, _ in (*made, *own))
    return [judged for name in headers for header, judged in (*own, *made) if header == name]


def _judged(one: Verified, rule: str, header: str, line: int, lines: tuple[str, ...]) -> Judged:
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no candidates)
    inferred = one.report.inferred
    outcome = "dropped" if line in inferred.dropped else "refuted" if line in inferred.refuted else "kept"
    engine = inferred.by.get(line, "H") if outcome == "refuted" else ""
    place = _place(one, one.kernel.block(header).end.line)
    return Judged(rule, place, outcome, inferred.refuted.get(line, 0), lines, engine)


def _own_text(kernel: Kernel, claim: KernelClaim) -> tuple[str, ...]:
    """Return a candidate of the kernel's own as its source has it."""
    place = kernel.places.get(claim.line)
    return (place.text if place is not None and place.text else f"candidate {claim.value}",)


class ProvedLoop(NamedTuple):
    """A loop of a verified kernel: the place of its test, and how it was proved."""

    place: SourcePlace
    way: str


def loops_of(one: Verified) -> list[ProvedLoop]:
    """Return how each loop of a verified kernel was proved, in the order of their lines."""
    assert isinstance(one.kernel, Kernel)  # noqa: S101  (others have no proof)
    found = [ProvedLoop(_place(one, one.kernel.block(header).end.line), way) for header, way in one.report.loops]
    return sorted(found, key=lambda loop: (loop.place.file, loop.place.line, loop.place.column))


def not_reached(one: Verified) -> list[SourcePlace]:
    """Return the places that no run reaches while each loop makes only so many rounds.

    Of a line that some run reaches, it is the first such column, and otherwise 0.
    """
    if not isinstance(one.kernel, Kernel) or not one.report.unreached:
        return []
    lines = [step.line for block in one.kernel.blocks for step in (*block.instructions, block.end)]
    places = {line: (place.file, place.line, place.column) for line in lines if (place := _place(one, line)).line}
    reached = {places[line] for line in places.keys() - set(one.report.unreached)}
    never = {places[line] for line in one.report.unreached if line in places} - reached
    partly = {place[:2] for place in reached}
    first = {place[:2]: place for place in sorted(never, reverse=True)}
    return [SourcePlace(*line, first[line][2] if line in partly else 0) for line in sorted(first)]


class LoopFields(TypedDict):
    """A loop of a verified kernel: the place of its test, and how it was proved.

    `way` is `invariants`, `over-approximation`, `normalisation`, `compensation` or `unrolling`.
    """

    file: str
    line: int
    column: int
    way: str


class StepFields(TypedDict):
    """What a thread does, and where. `file` is empty, and the numbers are 0, if no place is known.

    `value` is what an access of a race has read or written, if that is known.
    """

    group: list[int]
    local: list[int]
    does: str
    value: float | None
    file: str
    line: int
    column: int
    expression: str


class PlaceFields(TypedDict):
    """A place in a source file, with the expression that stands there if it is known."""

    file: str
    line: int
    column: int
    expression: str


class InventedFields(TypedDict):
    """Something that the solver chose. `group` and `local` are null if it concerns no single thread."""

    what: str
    group: list[int] | None
    local: list[int] | None
    place: PlaceFields


class CounterexampleFields(TypedDict):
    """A fault: its threads, the element that they access, the sizes of the launch, and the scalars.

    `confirmed` says that a run with these numbers had the fault. Otherwise `invented` has what the solver chose and no
    run may reach. `parting` is the branch at which the threads of a divergence go different ways, if it is known.
    `one_barrier` says that the threads would meet if the barriers of a group were one object.
    """

    kind: str
    confirmed: bool
    array: str | None
    element: int | None
    steps: list[StepFields]
    sizes: dict[str, int]
    scalars: dict[str, int]
    parting: PlaceFields | None
    one_barrier: bool
    invented: list[InventedFields]


class CandidateFields(TypedDict):
    """A candidate of a rule for a loop, with the place of the loop's test.

    The outcome is `kept`, `refuted` or `dropped`; the last word says that the solver gave up on it. `round` is 0 for
    candidates that were not refuted, and `engine` is what refuted it. `lines` is the candidate as an annotation, or as
    lines of a typed program. The rule of a candidate of the kernel's own is empty.
    """

    rule: str
    file: str
    line: int
    outcome: str
    round: int
    engine: str
    lines: list[str]


class RecordedFields(TypedDict):
    """The launch of a file that a kernel was verified for: its line, and how often the file has it.

    `fixed` are the scalars that have the values of the launch, and `open` those that may have any. `clean` says that
    the kernel has no fault with these values while loops are unrolled.
    """

    file: str
    line: int
    launches: int
    fixed: dict[str, int]
    open: list[str]
    clean: bool


class KernelFields(TypedDict):
    """A kernel and the verdict on it. `reason` says why the verdict is `unknown` or `stopped`.

    A size that is null may be any. `not_reached` are lines that no run reaches in the rounds of --unroll. `recorded` is
    the launch of `--from-launch`, or null. `rests_on` is what the verdict rests on, and `notes` are remarks about the
    source. `loops` says how each loop of a verified kernel was proved. `candidates` are there if they were asked for.
    With --modular, `function` says that this is a function and no kernel, `calls` are the functions that it calls, and
    `contract` is its contract, with the refuted candidates if they were asked for.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    local_size: list[int | None]
    groups: list[int | None]
    recorded: RecordedFields | None
    counterexamples: list[CounterexampleFields]
    not_reached: list[PlaceFields]
    notes: list[str]
    rests_on: list[str]
    loops: list[LoopFields]
    candidates: list[CandidateFields]
    function: bool
    calls: list[str]
    contract: list[ClauseFields]


def kernel_fields(one: Verified, *, with_candidates: bool = False) -> KernelFields:
    """Return the JSON form of a report."""
    return {
        "file": str(one.path),
        "kernel": one.kernel.name,
        "verdict": one.report.verdict,
        "reason": one.report.reason,
        "local_size": list(one.launch.local) if one.launch else [],
        "groups": list(one.launch.groups) if one.launch else [],
        "recorded": _recorded_fields(one),
        "counterexamples": [counterexample_fields(one, found) for found in one.report.counterexamples],
        "not_reached": list(map(place_fields, not_reached(one))),
        "notes": notes_of(one.kernel) if isinstance(one.kernel, Kernel) else [],
        "rests_on": premises_of(one),
        "loops": [_loop_fields(found) for found in loops_of(one)] if isinstance(one.kernel, Kernel) else [],
        "candidates": [_candidate_fields(found) for found in candidates_of(one)] if with_candidates else [],
        "function": is_function(one),
        "calls": called_by(one),
        "contract": contract_fields(one, with_candidates=with_candidates),
    }


def _loop_fields(found: ProvedLoop) -> LoopFields:
    return {"file": found.place.file, "line": found.place.line, "column": found.place.column, "way": found.way}


def _recorded_fields(one: Verified) -> RecordedFields | None:
    if (found := one.recorded) is None or not isinstance(one.kernel, Kernel):
        return None
    widths = dict(one.kernel.scalars)
    return {
        "file": str(found.launch.path),
        "line": found.launch.line,
        "launches": found.launch.times,
        "fixed": {name: to_signed(value, widths[name]) for name, value in found.fixed},
        "open": list(found.open_),
        "clean": found.is_clean,
    }


def _candidate_fields(found: Judged) -> CandidateFields:
    return {
        "rule": found.rule,
        "file": found.place.file,
        "line": found.place.line,
        "outcome": found.outcome,
        "round": found.round,
        "engine": found.engine,
        "lines": list(found.lines),
    }


def counterexample_fields(one: Verified, found: Counterexample) -> CounterexampleFields:
    """Return the JSON form of a counterexample."""
    return {
        "kind": found.kind,
        "confirmed": found.is_confirmed,
        "array": found.array,
        "element": found.element,
        "steps": [_step(step) for step in steps_of(one, found)],
        "sizes": found.sizes,
        "scalars": found.scalars,
        "parting": None if (place := parting_of(one, found)) is None else place_fields(place),
        "one_barrier": found.one_barrier,
        "invented": [
            {
                "what": what,
                "group": None if thread is None else list(thread[0]),
                "local": None if thread is None else list(thread[1]),
                "place": place_fields(where),
            }
            for what, where, thread in invented_in(one, found)
        ],
    }


def place_fields(place: SourcePlace) -> PlaceFields:
    """Return the JSON form of a place."""
    return {"file": place.file, "line": place.line, "column": place.column, "expression": place.text}


def _step(step: Step) -> StepFields:
    place = step.place or SourcePlace("", 0)
    return {
        "group": list(step.thread[0]),
        "local": list(step.thread[1]),
        "does": step.does,
        "value": step.value,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "expression": place.text,
    }
