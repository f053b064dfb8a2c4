"""The text of `synth verify`: the verdict on a kernel, and its counterexamples with lines of the source.

The functions without an underscore give parts of it, which the HTML form has, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, in_ranges, listed
from synth_kernels.clang.places import line_of
from synth_kernels.launch import used_dimensions
from synth_kernels.operators import to_signed
from synth_kernels.program import ID_WIDTH, IS_NULL, UnreadKernel
from synth_kernels.verdict_premises import notes_of, premises_of, premises_text
from synth_kernels.verification.answer import (
    invented_in,
    is_of_volatile,
    large_numbers,
    loops_of,
    not_reached,
    parting_of,
    rests_on_atomics,
    rests_on_lanes,
    steps_of,
)
from synth_kernels.verification.contracts import called_by, contract_of, is_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.launch import Thread
    from synth_kernels.program import SourcePlace
    from synth_kernels.reports import Counterexample
    from synth_kernels.verification import Verified
    from synth_kernels.verification.answer import Invented, Step
    from synth_kernels.verification.records import AsRecorded

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


def kernel_lines(one: Verified) -> Iterator[str]:
    """Yield lines about one kernel."""
    if isinstance(one.kernel, UnreadKernel):
        yield f"{named(one)}: unknown: {unread_because(one.kernel)}"
        return
    assert one.launch is not None  # noqa: S101  (only kernels that were not read have none)
    because = f": {one.report.reason}" if one.report.reason else ""
    yield f"{named(one)}: {verdict_of(one)}{because}"
    if one.recorded is not None:
        yield f"  {recorded_words(one.recorded)}"
    for found in one.report.counterexamples:
        yield ""
        yield from counterexample_lines(one, found)
    if contract := contract_words(one):
        yield f"  {contract}"
    if one.report.verdict == "verified" and (ways := loop_words(one)):
        yield f"  {ways}"
    if lines := not_reached_words(one):
        yield f"  {lines}"
    yield from (f"  Note: {note}" for note in notes_of(one.kernel))
    yield f"  {premises_text(premises_of(one))}"


def named(one: Verified) -> str:
    """Return the name of a kernel, or of a function, which says so."""
    return f"function {one.kernel.name}" if is_function(one) else one.kernel.name


def contract_words(one: Verified) -> str:
    """Return which contracts a verdict is about: that of a function, and those of what it calls."""
    parts = []
    if is_function(one):
        agreed = contract_of(one)
        given = [found.text for found in agreed if found.outcome == "given"]
        kept = sum(found.outcome == "kept" for found in agreed)
        lines = f"{listed(given)}" if given else "nothing in the source"
        found = f", and {count(kept, 'line')} found (--show-candidates shows them)" if kept else ""
        parts.append(f"Contract: {lines}{found}.")
    if not isinstance(one.kernel, UnreadKernel) and one.kernel.function is not None and one.kernel.function.declared:
        parts.append("Its body is only a contract, so synth does not check what the function does.")
    if calls := called_by(one):
        parts.append(f"By contract: calls of {listed(calls)}.")
    return " ".join(parts)


def recorded_words(one: AsRecorded) -> str:
    """Return the launch that a kernel was verified for, and which of its scalars may have any value."""
    times = f", launched {count(one.launch.times, 'time')}" if one.launch.times > 1 else ""
    parts = [f"The launch of {one.launch.where}{times}."]
    if one.open_:
        parts.append(f"With any value: {listed(list(one.open_))}.")
    return " ".join(parts)


def unread_because(kernel: UnreadKernel) -> str:
    """Return why a kernel was not read, and where."""
    return f"{kernel.place.file}:{kernel.place.line}:{kernel.place.column}: not supported: {kernel.reason}"


def verdict_of(one: Verified) -> str:
    """Return the verdict, and whether no fault was confirmed."""
    found = one.report.counterexamples
    doubt = ", not confirmed" if found and not any(fault.is_confirmed for fault in found) else ""
    return f"{one.report.verdict}{doubt}"


def loop_words(one: Verified) -> str:
    """Return how the loops of a verified kernel were proved, or nothing if it has none."""
    places: dict[str, list[str]] = {}
    for loop in loops_of(one):
        places.setdefault(loop.way, []).append(f"{loop.place.file}:{loop.place.line}")
    found = [f"{listed(list(dict.fromkeys(where)))} by {way}" for way, where in places.items()]
    return f"Loops: {'; '.join(found)}." if found else ""


def not_reached_words(one: Verified) -> str:
    """Return which lines no run reaches in the rounds that were looked at, or nothing if there are none."""
    of: dict[str, list[int]] = {}
    found = not_reached(one)
    for place in found:
        if not place.column:
            of.setdefault(place.file, []).append(place.line)
    parts = [f"{file}:{in_ranges(lines)}" for file, lines in of.items()]
    parts += [f"{place.file}:{place.line}:{place.column}" for place in found if place.column]
    return f"Not reached in these rounds: {listed(parts)}." if parts else ""


def counterexample_lines(one: Verified, found: Counterexample) -> Iterator[str]:
    """Yield lines about a counterexample."""
    yield f"  {fault_words(found)}; {confirmation(one, found)}"
    for step in steps_of(one, found):
        at = "" if step.place is None else f"{step.place.file}:{step.place.line}: "
        yield f"  {at}{step_words(step)}"
        if step.place is not None:
            yield from shown_source(step.place)
    if (place := parting_of(one, found)) is not None:
        yield f"  {place.file}:{place.line}: here the two threads go different ways"
        yield from shown_source(place)
    if found.one_barrier:
        yield f"  {ONE_BARRIER}"
    chosen = invented_in(one, found)
    for each in chosen[:_MOST_INVENTED]:
        yield f"  invented: {invented_words(each)}"
    if len(chosen) > _MOST_INVENTED:
        yield f"  invented: {len(chosen) - _MOST_INVENTED} more values; --json lists them"
    yield f"  with {numbers(one, found)}"
    yield from (f"  {line}" for line in wrap_words(one, found))


def fault_words(found: Counterexample) -> str:
    """Return what a fault is, and the element that it is about."""
    where = "" if found.array is None else f", element {to_signed(found.element or 0, ID_WIDTH)} of {found.array}"
    return f"{FAULTS[found.kind]}{where}"


def confirmation(one: Verified, found: Counterexample) -> str:
    """Return whether a run has a fault, and what was not looked at if none has."""
    if found.is_confirmed:
        return "confirmed by a run"
    if is_of_volatile(one, found):
        return "a race by the language; runs order volatile accesses, so none can show it"
    doubt = "; what atomic and volatile accesses synchronise was not looked at" if rests_on_atomics(one, found) else ""
    doubt += "; where lanes meet again is up to the compiler" if rests_on_lanes(one, found) else ""
    return f"possible, but no run was found that shows it{doubt}"


def step_words(step: Step) -> str:
    """Return what a thread does, with the value that it reads or writes if that is known."""
    value = "" if step.value is None else f", value {step.value}"
    return f"{thread_words(step.thread)} {step.does}{value}"


def wrap_words(one: Verified, found: Counterexample) -> list[str]:
    """Return sentences about a fault that may need an index that wraps around, or nothing."""
    if not (large := large_numbers(one, found)):
        return []
    return [
        f"{listed(large)} {'is' if len(large) == 1 else 'are'} large here, so an index may wrap around at 2^32.",
        "If that never happens, say so: __requires in the kernel, --args, --num-groups or --local-size.",
    ]


def numbers(one: Verified, found: Counterexample) -> str:
    """Return the sizes and the scalars of a counterexample."""
    return launch_numbers(
        found.sizes, found.scalars, {} if isinstance(one.kernel, UnreadKernel) else dict(one.kernel.scalars)
    )


def launch_numbers(sizes: Mapping[str, int], scalars: Mapping[str, int], widths: Mapping[str, int]) -> str:
    """Return the sizes and the scalars of a launch. Scalars have these widths."""
    found = [sizes[f"{word}.{number}"] for word in ("lsize", "groups") for number in range(3)]
    local, groups = (" x ".join(map(str, used_dimensions(part))) for part in (found[:3], found[3:]))
    return ", ".join([f"local size {local}", f"groups {groups}", *scalar_words(scalars, widths)])


def scalar_words(scalars: Mapping[str, int], widths: Mapping[str, int]) -> Iterator[str]:
    """Yield what scalars are, such as `n = 4` or `mask = null`. Scalars have these widths."""
    for name, value in scalars.items():
        if name.endswith(IS_NULL):
            yield f"{name.removesuffix(IS_NULL)} {'= null' if value else 'not null'}"
        else:
            yield f"{name} = {to_signed(value, widths[name]) if widths[name] > 1 else value}"


def invented_words(one: Invented) -> str:
    """Return something that the solver chose and no run may reach, with its place."""
    who = "" if one.thread is None else f"{thread_words(one.thread)} "
    return f"{who}{one.what} ({one.place.file}:{one.place.line})"


def thread_words(thread: Thread) -> str:
    """Return the name of a thread."""
    group, local = (", ".join(map(str, used_dimensions(ids, 0))) for ids in thread)
    return f"thread {local} of group {group}"


def shown_source(place: SourcePlace) -> Iterator[str]:
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
