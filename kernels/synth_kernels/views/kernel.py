"""The text of `synth verify`: the verdict on a kernel, and its counterexamples with lines of the source.

The functions without an underscore give parts of it, which the HTML form has, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, in_ranges, listed
from synth_kernels.clang.source_expressions import line_of
from synth_kernels.launch import used_dimensions
from synth_kernels.operators import to_signed
from synth_kernels.premises import premises_text
from synth_kernels.program import ID_WIDTH, IS_NULL
from synth_kernels.source_place import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_kernels.source_place import SourcePlace
    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.faults import CounterexampleStep, KernelFault, SolverChoice
    from synth_kernels.verification.records import VerifiedLaunch

#: The kinds of faults, in words.
FAULTS = {
    "race": "data race",
    "divergence": "barrier that only some threads reach",
    "assertion": "assertion that fails",
    "overflow": "signed number that overflows",
    "bounds": "access outside an array",
    "constant-write": "write to constant memory",
    "invariant": "invariant that does not hold",
}
#: What is said of a divergence that does not show where a group has one barrier.
ONE_BARRIER = (
    "The language asks all threads of a group to wait at the same barrier of the source. Hardware of today has one "
    "barrier object for all places, and would not notice (--barrier-sites any)."
)
#: A line of the source is shown if it has at most so many letters.
_MOST_LETTERS = 160
#: So many things that the solver invented are shown.
_MOST_INVENTED = 6


def kernel_lines(answer: VerifiedKernel) -> Iterator[str]:
    """Yield lines about one kernel."""
    if not answer.is_read:
        yield f"{kernel_title(answer)}: unknown: {unread_reason(answer)}"
        return
    because = f": {answer.reason}" if answer.reason else ""
    yield f"{kernel_title(answer)}: {answer.verdict_in_short}{because}"
    if answer.recorded is not None:
        yield f"  {recorded_words(answer.recorded)}"
    for fault in answer.counterexamples:
        yield ""
        yield from fault_lines(fault)
    if contract := contract_words(answer):
        yield f"  {contract}"
    yield from (f"  {sentence}" for sentence in remarks(answer))


def remarks(answer: VerifiedKernel) -> Iterator[str]:
    """Yield the sentences that end an answer: how loops were proved, what was not reached, and what it rests on."""
    if answer.verdict == "verified" and (ways := _loop_words(answer)):
        yield ways
    if lines := _not_reached_words(answer):
        yield lines
    yield from (f"Note: {note}" for note in answer.notes)
    yield premises_text(answer.rests_on)


def kernel_title(answer: VerifiedKernel) -> str:
    """Return the name of a kernel, or of a function, which says so."""
    return f"function {answer.kernel}" if answer.function else answer.kernel


def contract_words(answer: VerifiedKernel) -> str:
    """Return which contracts a verdict is about: that of a function, and those of what it calls."""
    parts = []
    if answer.function:
        of_source = [line.text for line in answer.contract if line.outcome == "given"]
        guessed = sum(line.outcome == "kept" for line in answer.contract)
        lines = f"{listed(of_source)}" if of_source else "nothing in the source"
        more = f", and {count(guessed, 'line')} found (--show-candidates shows them)" if guessed else ""
        parts.append(f"Contract: {lines}{more}.")
    if answer.declared:
        parts.append("Its body is only a contract, so synth does not check what the function does.")
    if answer.calls:
        parts.append(f"By contract: calls of {listed(answer.calls)}.")
    return " ".join(parts)


def recorded_words(recorded: VerifiedLaunch) -> str:
    """Return the launch that a kernel was verified for, and which of its scalars may have any value."""
    times = f", launched {count(recorded.launches, 'time')}" if recorded.launches > 1 else ""
    parts = [f"The launch of {recorded.file}:{recorded.line}{times}."]
    if recorded.open:
        parts.append(f"With any value: {listed(recorded.open)}.")
    return " ".join(parts)


def unread_reason(answer: VerifiedKernel) -> str:
    """Return why a kernel was not read, and where."""
    place = answer.start
    return f"{place.file}:{place.line}:{place.column}: not supported: {answer.reason}"


def _loop_words(answer: VerifiedKernel) -> str:
    """Return how the loops of a verified kernel were proved, or nothing if it has none."""
    places: dict[str, list[str]] = {}
    for loop in answer.loops:
        places.setdefault(loop.way, []).append(f"{loop.file}:{loop.line}")
    proofs = [f"{listed(list(dict.fromkeys(where)))} by {way}" for way, where in places.items()]
    return f"Loops: {'; '.join(proofs)}." if proofs else ""


def _not_reached_words(answer: VerifiedKernel) -> str:
    """Return which lines no run reaches in the rounds that were looked at, or nothing if there are none."""
    of: dict[str, list[int]] = {}
    for place in answer.not_reached:
        if not place.column:
            of.setdefault(place.file, []).append(place.line)
    parts = [f"{file}:{in_ranges(lines)}" for file, lines in of.items()]
    parts += [f"{place.file}:{place.line}:{place.column}" for place in answer.not_reached if place.column]
    return f"Not reached in these rounds: {listed(parts)}." if parts else ""


def fault_lines(fault: KernelFault) -> Iterator[str]:
    """Yield lines about a fault."""
    yield f"  {fault_words(fault)}; {confirmation(fault)}"
    for step in fault.steps:
        is_known = step.place is not NOWHERE
        yield f"  {f'{step.file}:{step.line}: ' if is_known else ''}{step_words(step)}"
        if is_known:
            yield from source_excerpt(step.place)
    if (place := fault.parting) is not None:
        yield f"  {place.file}:{place.line}: here the two threads go different ways"
        yield from source_excerpt(place)
    if fault.one_barrier:
        yield f"  {ONE_BARRIER}"
    for choice in fault.invented[:_MOST_INVENTED]:
        yield f"  invented: {invented_words(choice)}"
    if len(fault.invented) > _MOST_INVENTED:
        yield f"  invented: {len(fault.invented) - _MOST_INVENTED} more values; --json lists them"
    yield f"  with {numbers(fault)}"
    yield from (f"  {line}" for line in wrap_words(fault))


def fault_words(fault: KernelFault) -> str:
    """Return what a fault is, and the element that it is about."""
    element = to_signed(fault.element or 0, ID_WIDTH)
    return f"{FAULTS[fault.kind]}{'' if fault.array is None else f', element {element} of {fault.array}'}"


def confirmation(fault: KernelFault) -> str:
    """Return whether a run has a fault, and what was not looked at if none has."""
    if fault.confirmed:
        return "confirmed by a run"
    if fault.is_of_volatile:
        return "a race by the language; runs order volatile accesses, so none can show it"
    doubt = "; what atomic and volatile accesses synchronise was not looked at" if fault.rests_on_atomics else ""
    doubt += "; where lanes meet again is up to the compiler" if fault.rests_on_lanes else ""
    return f"possible, but no run was found that shows it{doubt}"


def step_words(step: CounterexampleStep) -> str:
    """Return what a thread does, with the value that it reads or writes if that is known."""
    value = "" if step.value is None else f", value {step.value}"
    return f"{thread_words(step.group, step.local)} {step.does}{value}"


def wrap_words(fault: KernelFault) -> list[str]:
    """Return sentences about a fault that may need an index that wraps around, or nothing."""
    if not (large := fault.large):
        return []
    return [
        f"{listed(large)} {'is' if len(large) == 1 else 'are'} large here, so an index may wrap around at 2^32.",
        "If that never happens, say so: __requires in the kernel, --args, --num-groups or --local-size.",
    ]


def numbers(fault: KernelFault) -> str:
    """Return the sizes and the scalars of a fault."""
    return launch_numbers(fault.sizes, fault.scalars, fault.widths)


def launch_numbers(sizes: Mapping[str, int], scalars: Mapping[str, int], widths: Mapping[str, int]) -> str:
    """Return the sizes and the scalars of a launch. Scalars have these widths."""
    numbers_of_sizes = [sizes[f"{word}.{number}"] for word in ("lsize", "groups") for number in range(3)]
    local, groups = (
        " x ".join(map(str, used_dimensions(part))) for part in (numbers_of_sizes[:3], numbers_of_sizes[3:])
    )
    return ", ".join([f"local size {local}", f"groups {groups}", *scalar_words(scalars, widths)])


def scalar_words(scalars: Mapping[str, int], widths: Mapping[str, int]) -> Iterator[str]:
    """Yield what scalars are, such as `n = 4` or `mask = null`. Scalars have these widths."""
    for name, value in scalars.items():
        if name.endswith(IS_NULL):
            yield f"{name.removesuffix(IS_NULL)} {'= null' if value else 'not null'}"
        else:
            yield f"{name} = {to_signed(value, widths[name]) if widths[name] > 1 else value}"


def invented_words(invented: SolverChoice) -> str:
    """Return something that the solver chose and no run may reach, with its place."""
    thread = f"{thread_words(invented.group, invented.local)} " if invented.group and invented.local else ""
    return f"{thread}{invented.what} ({invented.place.file}:{invented.place.line})"


def thread_words(group: Sequence[int], local: Sequence[int]) -> str:
    """Return the name of a thread."""
    words = [", ".join(map(str, used_dimensions(ids, 0))) for ids in (local, group)]
    return f"thread {words[0]} of group {words[1]}"


def source_excerpt(place: SourcePlace) -> Iterator[str]:
    """Yield lines that show a place in its source, with the calls that lead there."""
    yield from (f"      {line}" for line in source_lines(place))
    if place.calls:
        yield f"      {callers(place)}"


def callers(place: SourcePlace) -> str:
    """Return the calls that lead to a place."""
    return f"called from {listed([f'{call.file}:{call.line}' for call in place.calls])}"


def source_lines(place: SourcePlace) -> list[str]:
    """Return a line of the source without its indent, and a mark below its column; none if it can't be shown."""
    line = line_of(place.file, place.line).replace("\t", " ")
    text = "".join(letter if letter.isprintable() else "?" for letter in line)
    if not text.strip() or len(text) > _MOST_LETTERS:
        return []
    indent = len(text) - len(text.lstrip())
    marks = [" " * (place.column - 1 - indent) + "^"] if place.column > indent else []
    return [text.strip(), *marks]
