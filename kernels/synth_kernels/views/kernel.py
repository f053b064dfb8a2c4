"""The text of `synth verify`: the verdict on a kernel, and its counterexamples with lines of the source.

The functions without an underscore give parts of it, which the HTML form has, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, in_ranges, listed
from synth_kernels.clang.source_expressions import line_of
from synth_kernels.launch import used_dimensions
from synth_kernels.operators import to_signed
from synth_kernels.program import ID_WIDTH, IS_NULL, UnreadKernel
from synth_kernels.verdict_premises import notes_of, premises_of, premises_text
from synth_kernels.verification.answer import (
    is_of_volatile,
    large_numbers,
    loops_of,
    parting_of,
    rests_on_atomics,
    rests_on_lanes,
    solver_choices,
    steps_of,
    unreached_places,
)
from synth_kernels.verification.contracts import called_functions, contract_of, is_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.launch import Thread
    from synth_kernels.program import SourcePlace
    from synth_kernels.reports import Counterexample
    from synth_kernels.verification import Verified
    from synth_kernels.verification.answer import CounterexampleStep, SolverChoice
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


def kernel_lines(verified: Verified) -> Iterator[str]:
    """Yield lines about one kernel."""
    if isinstance(verified.kernel, UnreadKernel):
        yield f"{kernel_title(verified)}: unknown: {unread_reason(verified.kernel)}"
        return
    assert verified.launch is not None  # noqa: S101  (only kernels that were not read have none)
    because = f": {verified.report.reason}" if verified.report.reason else ""
    yield f"{kernel_title(verified)}: {verdict_of(verified)}{because}"
    if verified.recorded is not None:
        yield f"  {recorded_words(verified.recorded)}"
    for counterexample in verified.report.counterexamples:
        yield ""
        yield from counterexample_lines(verified, counterexample)
    if contract := contract_words(verified):
        yield f"  {contract}"
    if verified.report.verdict == "verified" and (ways := loop_words(verified)):
        yield f"  {ways}"
    if lines := not_reached_words(verified):
        yield f"  {lines}"
    yield from (f"  Note: {note}" for note in notes_of(verified.kernel))
    yield f"  {premises_text(premises_of(verified))}"


def kernel_title(verified: Verified) -> str:
    """Return the name of a kernel, or of a function, which says so."""
    return f"function {verified.kernel.name}" if is_function(verified) else verified.kernel.name


def contract_words(verified: Verified) -> str:
    """Return which contracts a verdict is about: that of a function, and those of what it calls."""
    parts = []
    if is_function(verified):
        contract = contract_of(verified)
        of_source = [line.text for line in contract if line.outcome == "given"]
        guessed = sum(line.outcome == "kept" for line in contract)
        lines = f"{listed(of_source)}" if of_source else "nothing in the source"
        more = f", and {count(guessed, 'line')} found (--show-candidates shows them)" if guessed else ""
        parts.append(f"Contract: {lines}{more}.")
    if (
        not isinstance(verified.kernel, UnreadKernel)
        and verified.kernel.function is not None
        and verified.kernel.function.declared
    ):
        parts.append("Its body is only a contract, so synth does not check what the function does.")
    if calls := called_functions(verified):
        parts.append(f"By contract: calls of {listed(calls)}.")
    return " ".join(parts)


def recorded_words(as_recorded: VerifiedLaunch) -> str:
    """Return the launch that a kernel was verified for, and which of its scalars may have any value."""
    times = f", launched {count(as_recorded.launch.times, 'time')}" if as_recorded.launch.times > 1 else ""
    parts = [f"The launch of {as_recorded.launch.where}{times}."]
    if as_recorded.open_:
        parts.append(f"With any value: {listed(list(as_recorded.open_))}.")
    return " ".join(parts)


def unread_reason(kernel: UnreadKernel) -> str:
    """Return why a kernel was not read, and where."""
    return f"{kernel.place.file}:{kernel.place.line}:{kernel.place.column}: not supported: {kernel.reason}"


def verdict_of(verified: Verified) -> str:
    """Return the verdict, and whether no fault was confirmed."""
    faults = verified.report.counterexamples
    doubt = ", not confirmed" if faults and not any(fault.is_confirmed for fault in faults) else ""
    return f"{verified.report.verdict}{doubt}"


def loop_words(verified: Verified) -> str:
    """Return how the loops of a verified kernel were proved, or nothing if it has none."""
    places: dict[str, list[str]] = {}
    for loop in loops_of(verified):
        places.setdefault(loop.way, []).append(f"{loop.place.file}:{loop.place.line}")
    proofs = [f"{listed(list(dict.fromkeys(where)))} by {way}" for way, where in places.items()]
    return f"Loops: {'; '.join(proofs)}." if proofs else ""


def not_reached_words(verified: Verified) -> str:
    """Return which lines no run reaches in the rounds that were looked at, or nothing if there are none."""
    of: dict[str, list[int]] = {}
    unreached = unreached_places(verified)
    for place in unreached:
        if not place.column:
            of.setdefault(place.file, []).append(place.line)
    parts = [f"{file}:{in_ranges(lines)}" for file, lines in of.items()]
    parts += [f"{place.file}:{place.line}:{place.column}" for place in unreached if place.column]
    return f"Not reached in these rounds: {listed(parts)}." if parts else ""


def counterexample_lines(verified: Verified, counterexample: Counterexample) -> Iterator[str]:
    """Yield lines about a counterexample."""
    yield f"  {fault_words(counterexample)}; {confirmation(verified, counterexample)}"
    for step in steps_of(verified, counterexample):
        at = "" if step.place is None else f"{step.place.file}:{step.place.line}: "
        yield f"  {at}{step_words(step)}"
        if step.place is not None:
            yield from source_excerpt(step.place)
    if (place := parting_of(verified, counterexample)) is not None:
        yield f"  {place.file}:{place.line}: here the two threads go different ways"
        yield from source_excerpt(place)
    if counterexample.one_barrier:
        yield f"  {ONE_BARRIER}"
    chosen = solver_choices(verified, counterexample)
    for each in chosen[:_MOST_INVENTED]:
        yield f"  invented: {invented_words(each)}"
    if len(chosen) > _MOST_INVENTED:
        yield f"  invented: {len(chosen) - _MOST_INVENTED} more values; --json lists them"
    yield f"  with {numbers(verified, counterexample)}"
    yield from (f"  {line}" for line in wrap_words(verified, counterexample))


def fault_words(counterexample: Counterexample) -> str:
    """Return what a fault is, and the element that it is about."""
    where = (
        ""
        if counterexample.array is None
        else f", element {to_signed(counterexample.element or 0, ID_WIDTH)} of {counterexample.array}"
    )
    return f"{FAULTS[counterexample.kind]}{where}"


def confirmation(verified: Verified, counterexample: Counterexample) -> str:
    """Return whether a run has a fault, and what was not looked at if none has."""
    if counterexample.is_confirmed:
        return "confirmed by a run"
    if is_of_volatile(verified, counterexample):
        return "a race by the language; runs order volatile accesses, so none can show it"
    doubt = (
        "; what atomic and volatile accesses synchronise was not looked at"
        if rests_on_atomics(verified, counterexample)
        else ""
    )
    doubt += "; where lanes meet again is up to the compiler" if rests_on_lanes(verified, counterexample) else ""
    return f"possible, but no run was found that shows it{doubt}"


def step_words(step: CounterexampleStep) -> str:
    """Return what a thread does, with the value that it reads or writes if that is known."""
    value = "" if step.value is None else f", value {step.value}"
    return f"{thread_words(step.thread)} {step.does}{value}"


def wrap_words(verified: Verified, counterexample: Counterexample) -> list[str]:
    """Return sentences about a fault that may need an index that wraps around, or nothing."""
    if not (large := large_numbers(verified, counterexample)):
        return []
    return [
        f"{listed(large)} {'is' if len(large) == 1 else 'are'} large here, so an index may wrap around at 2^32.",
        "If that never happens, say so: __requires in the kernel, --args, --num-groups or --local-size.",
    ]


def numbers(verified: Verified, counterexample: Counterexample) -> str:
    """Return the sizes and the scalars of a counterexample."""
    return launch_numbers(
        counterexample.sizes,
        counterexample.scalars,
        {} if isinstance(verified.kernel, UnreadKernel) else dict(verified.kernel.scalars),
    )


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
    thread = "" if invented.thread is None else f"{thread_words(invented.thread)} "
    return f"{thread}{invented.what} ({invented.place.file}:{invented.place.line})"


def thread_words(thread: Thread) -> str:
    """Return the name of a thread."""
    group, local = (", ".join(map(str, used_dimensions(ids, 0))) for ids in thread)
    return f"thread {local} of group {group}"


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
