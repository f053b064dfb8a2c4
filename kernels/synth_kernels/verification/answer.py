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
from synth_kernels.verification.contracts import ClauseFields, called_functions, contract_fields, is_function

if TYPE_CHECKING:
    from synth_kernels.launch import Thread
    from synth_kernels.program import Instruction
    from synth_kernels.reports import Counterexample
    from synth_kernels.verification import Verified


#: From here on, the product of two numbers may need more than 32 bits.
LARGE = 1 << 16
#: The widest number.
_MOST_BITS = 64


class CounterexampleStep(NamedTuple):
    """What a thread does in a counterexample: where, and in words such as `reads a[i]`.

    The place is None if the step lies in an earlier round of a loop, of which nothing is known. `value` is what an
    access of a race has read or written: a signed number or a number with a point, or None where that is not known.
    """

    thread: Thread
    does: str
    place: SourcePlace | None
    value: float | None = None


class SolverChoice(NamedTuple):
    """Something that the solver chose: what it is, where, and the thread that gets it if it concerns one thread."""

    what: str
    place: SourcePlace
    thread: Thread | None


def steps_of(verified: Verified, counterexample: Counterexample) -> list[CounterexampleStep]:
    """Return what the threads of a counterexample do."""
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    by_line = {step.line: step for block in verified.kernel.blocks for step in (*block.instructions, block.end)}
    places = {line: verified.kernel.places.get(line) or SourcePlace(str(verified.path), line) for line in by_line}
    has_calls = any(isinstance(step, Call) for step in by_line.values())
    lines = list(counterexample.lines) + [0] * (len(counterexample.threads) - len(counterexample.lines))
    values = list(counterexample.values) + [None] * (len(lines) - len(counterexample.values))
    return [
        CounterexampleStep(
            thread,
            _action_words(by_line.get(line), places.get(line), counterexample.kind, has_calls=has_calls),
            places.get(line),
            _value(by_line.get(line), places.get(line), value),
        )
        for thread, line, value in zip(counterexample.threads, lines, values, strict=False)
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


def _action_words(  # noqa: PLR0911  (one for each kind)
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


def parting_of(verified: Verified, counterexample: Counterexample) -> SourcePlace | None:
    """Return the place of the branch at which the threads of a divergence go different ways, if it is known."""
    return _place(verified, counterexample.parting) if counterexample.parting else None


def solver_choices(verified: Verified, counterexample: Counterexample) -> list[SolverChoice]:
    """Return what a counterexample takes from nowhere: values that are read, and loops. A confirmed one has none."""
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    steps = {step.line: step for block in verified.kernel.blocks for step in block.instructions}
    values = [
        SolverChoice(what, place, thread)
        for thread, line, value in dict.fromkeys(counterexample.invented)
        if line in steps and (what := _choice_words(steps[line], place := _place(verified, line), value))
    ]
    loops = [
        (place, f" `{place.text}`" if place.text else "")
        for place in (_place(verified, line) for line in counterexample.loops)
    ]
    return [
        *values,
        *(SolverChoice(f"earlier rounds of the loop{text}", place, None) for place, text in loops),
        *(_call_choice(verified, line) for line in counterexample.calls),
    ]


def _choice_words(step: Instruction, place: SourcePlace, value: int) -> str:
    """Return what a thread gets that the solver chose, or nothing if the source says nothing of it."""
    match step:
        case Access() | Peek():
            return f"{_action_words(step, place, '')} and gets {value}"
        case Arbitrary(is_unset=True) if place.text:
            return f"finds {value} in {place.text}, which is not set"
        case Arbitrary(is_of_lanes=True):
            return f"gets {value} from {place.text or 'a function'}, which depends on the lanes that run together"
        case Arbitrary(is_event=False) if place.text:
            return f"gets {value} from {place.text}"
        case _:
            return ""


def rests_on_lanes(verified: Verified, counterexample: Counterexample) -> bool:
    """Return whether a counterexample invents what depends on which lanes of a warp run together."""
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    lines = {line for _, line, _ in counterexample.invented}
    steps = (step for block in verified.kernel.blocks for step in block.instructions)
    return any(isinstance(step, Arbitrary) and step.is_of_lanes and step.line in lines for step in steps)


def rests_on_atomics(verified: Verified, counterexample: Counterexample) -> bool:
    """Return whether a counterexample invents what atomic or volatile accesses find."""
    lines = {line for _, line, _ in counterexample.invented}
    return any((step.kind == "atomic" or step.is_volatile) and step.line in lines for step in _accesses(verified))


def is_of_volatile(verified: Verified, counterexample: Counterexample) -> bool:
    """Return whether a fault is a race of volatile accesses."""
    accesses = [step for step in _accesses(verified) if step.line in counterexample.lines]
    return (
        counterexample.kind == "race"
        and bool(accesses)
        and all(step.is_volatile or step.kind == "atomic" for step in accesses)
    )


def _accesses(verified: Verified) -> list[Access]:
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    return [step for block in verified.kernel.blocks for step in block.instructions if isinstance(step, Access)]


def _call_choice(verified: Verified, line: int) -> SolverChoice:
    """Return what is not known of a call, or of what ran before a function is called."""
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    place = _place(verified, line)
    calls = (step for block in verified.kernel.blocks for step in block.instructions if isinstance(step, Call))
    if any(step.line == line and not step.unit for step in calls):
        what = (
            f"the parameters of {verified.kernel.name}, and what ran before its call; add a __requires that limits them"
        )
        return SolverChoice(what, place, None)
    return SolverChoice(
        f"what the call {place.text} does; add an __ensures to the function that limits it", place, None
    )


def _place(verified: Verified, line: int) -> SourcePlace:
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    return verified.kernel.places.get(line) or SourcePlace(str(verified.path), line)


def large_numbers(verified: Verified, counterexample: Counterexample) -> list[str]:
    """Return the scalars and sizes of a fault at an element that are so large that its index may have wrapped around.

    Such a fault was not found with small numbers, because these are tried first.
    """
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no counterexample)
    if counterexample.array is None:
        return []
    widths = dict(verified.kernel.scalars)
    scalars = [
        name for name, value in counterexample.scalars.items() if widths[name] > 1 and _is_large(value, widths[name])
    ]
    words = {"lsize": "the local size", "groups": "the number of groups"}
    large = {name.partition(".")[0] for name, size in counterexample.sizes.items() if size >= LARGE}
    return [*scalars, *(what for word, what in words.items() if word in large)]


def _is_large(value: int, width: int) -> bool:
    return abs(to_signed(value, width)) >= LARGE


class JudgedCandidate(NamedTuple):
    """A candidate of a rule, the place of its loop, and what came of it: kept, refuted in some round, or dropped.

    A candidate of the kernel's own has no rule. `engine` is what refuted it: `H` is Houdini.
    """

    rule: str
    place: SourcePlace
    outcome: str
    round: int
    lines: tuple[str, ...]
    engine: str = ""


def candidates_of(verified: Verified) -> list[JudgedCandidate]:
    """Return the candidates of a kernel, loop by loop: those that it has of its own, and those that rules made."""
    if not isinstance(verified.kernel, Kernel) or verified.options.unroll:
        return []
    own = [
        (block.name, _judged(verified, "", block.name, claim.line, _own_text(verified.kernel, claim)))
        for block in verified.kernel.blocks
        for claim in block.instructions
        if isinstance(claim, KernelClaim) and claim.kind == "candidate"
    ]
    is_typed, cuda = verified.path.suffix == TYPED, verified.path.suffix in CUDA
    flow = Flow(verified.kernel)
    of_rules = []
    for number, candidate in enumerate(verified.report.candidates):
        scope = scope_of(flow, candidate.header)
        text = None if is_typed else annotation(candidate.meaning, verified.kernel, scope, cuda=cuda)
        lines = typed_lines(candidate.meaning, f"inv{number}.") if text is None else [text]
        of_rules.append(
            (candidate.header, _judged(verified, candidate.rule, candidate.header, candidate.line, tuple(lines)))
        )
    headers = dict.fromkeys(header for header, _ in (*of_rules, *own))
    return [judged for name in headers for header, judged in (*own, *of_rules) if header == name]


def _judged(verified: Verified, rule: str, header: str, line: int, lines: tuple[str, ...]) -> JudgedCandidate:
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no candidates)
    inferred = verified.report.inferred
    outcome = "dropped" if line in inferred.dropped else "refuted" if line in inferred.refuted else "kept"
    engine = inferred.by.get(line, "H") if outcome == "refuted" else ""
    place = _place(verified, verified.kernel.block(header).end.line)
    return JudgedCandidate(rule, place, outcome, inferred.refuted.get(line, 0), lines, engine)


def _own_text(kernel: Kernel, claim: KernelClaim) -> tuple[str, ...]:
    """Return a candidate of the kernel's own as its source has it."""
    place = kernel.places.get(claim.line)
    return (place.text if place is not None and place.text else f"candidate {claim.value}",)


class ProvedLoop(NamedTuple):
    """A loop of a verified kernel: the place of its test, and how it was proved."""

    place: SourcePlace
    way: str


def loops_of(verified: Verified) -> list[ProvedLoop]:
    """Return how each loop of a verified kernel was proved, in the order of their lines."""
    assert isinstance(verified.kernel, Kernel)  # noqa: S101  (others have no proof)
    loops = [
        ProvedLoop(_place(verified, verified.kernel.block(header).end.line), way)
        for header, way in verified.report.loops
    ]
    return sorted(loops, key=lambda loop: (loop.place.file, loop.place.line, loop.place.column))


def unreached_places(verified: Verified) -> list[SourcePlace]:
    """Return the places that no run reaches while each loop makes only so many rounds.

    Of a line that some run reaches, it is the first such column, and otherwise 0.
    """
    if not isinstance(verified.kernel, Kernel) or not verified.report.unreached:
        return []
    lines = [step.line for block in verified.kernel.blocks for step in (*block.instructions, block.end)]
    places = {line: (place.file, place.line, place.column) for line in lines if (place := _place(verified, line)).line}
    reached = {places[line] for line in places.keys() - set(verified.report.unreached)}
    never = {places[line] for line in verified.report.unreached if line in places} - reached
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


class FaultStepFields(TypedDict):
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
    steps: list[FaultStepFields]
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


def kernel_fields(verified: Verified, *, with_candidates: bool = False) -> KernelFields:
    """Return the JSON form of a report."""
    return {
        "file": str(verified.path),
        "kernel": verified.kernel.name,
        "verdict": verified.report.verdict,
        "reason": verified.report.reason,
        "local_size": list(verified.launch.local) if verified.launch else [],
        "groups": list(verified.launch.groups) if verified.launch else [],
        "recorded": _recorded_fields(verified),
        "counterexamples": [counterexample_fields(verified, item) for item in verified.report.counterexamples],
        "not_reached": list(map(place_fields, unreached_places(verified))),
        "notes": notes_of(verified.kernel) if isinstance(verified.kernel, Kernel) else [],
        "rests_on": premises_of(verified),
        "loops": [_loop_fields(item) for item in loops_of(verified)] if isinstance(verified.kernel, Kernel) else [],
        "candidates": [_candidate_fields(item) for item in candidates_of(verified)] if with_candidates else [],
        "function": is_function(verified),
        "calls": called_functions(verified),
        "contract": contract_fields(verified, with_candidates=with_candidates),
    }


def _loop_fields(loop: ProvedLoop) -> LoopFields:
    return {"file": loop.place.file, "line": loop.place.line, "column": loop.place.column, "way": loop.way}


def _recorded_fields(verified: Verified) -> RecordedFields | None:
    if (recorded := verified.recorded) is None or not isinstance(verified.kernel, Kernel):
        return None
    widths = dict(verified.kernel.scalars)
    return {
        "file": str(recorded.launch.path),
        "line": recorded.launch.line,
        "launches": recorded.launch.times,
        "fixed": {name: to_signed(value, widths[name]) for name, value in recorded.fixed},
        "open": list(recorded.open_),
        "clean": recorded.is_clean,
    }


def _candidate_fields(candidate: JudgedCandidate) -> CandidateFields:
    return {
        "rule": candidate.rule,
        "file": candidate.place.file,
        "line": candidate.place.line,
        "outcome": candidate.outcome,
        "round": candidate.round,
        "engine": candidate.engine,
        "lines": list(candidate.lines),
    }


def counterexample_fields(verified: Verified, counterexample: Counterexample) -> CounterexampleFields:
    """Return the JSON form of a counterexample."""
    return {
        "kind": counterexample.kind,
        "confirmed": counterexample.is_confirmed,
        "array": counterexample.array,
        "element": counterexample.element,
        "steps": [_step(step) for step in steps_of(verified, counterexample)],
        "sizes": counterexample.sizes,
        "scalars": counterexample.scalars,
        "parting": None if (place := parting_of(verified, counterexample)) is None else place_fields(place),
        "one_barrier": counterexample.one_barrier,
        "invented": [
            {
                "what": what,
                "group": None if thread is None else list(thread[0]),
                "local": None if thread is None else list(thread[1]),
                "place": place_fields(where),
            }
            for what, where, thread in solver_choices(verified, counterexample)
        ],
    }


def place_fields(place: SourcePlace) -> PlaceFields:
    """Return the JSON form of a place."""
    return {"file": place.file, "line": place.line, "column": place.column, "expression": place.text}


def _step(step: CounterexampleStep) -> FaultStepFields:
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
