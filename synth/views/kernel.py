"""The text of `synth verify`: the verdict on a kernel, and its counterexamples with lines of the source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth.phrases import listed
from synth.verification.answer import assumptions_of, invented_in, parting_of, steps_of
from synth_kernels.program import ID_WIDTH, Unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.verification import Verified
    from synth_kernels.launch import Launch, Thread
    from synth_kernels.program import Place
    from synth_kernels.verifying import Counterexample

_FAULTS = {
    "race": "data race",
    "divergence": "barrier that only some threads reach",
    "assertion": "assertion that fails",
    "bounds": "access outside an array",
    "constant-write": "write to constant memory",
    "invariant": "invariant that does not hold",
}
#: A line of the source is shown if it has at most so many letters.
_MOST_LETTERS = 160
#: So many things that the solver invented are shown.
_MOST_INVENTED = 6


def kernel_lines(one: Verified) -> Iterator[str]:
    """Yield lines about one kernel."""
    if isinstance(one.kernel, Unread):
        place = one.kernel.place
        where = f"{place.file}:{place.line}:{place.column}"
        yield f"{one.kernel.name}: unknown: {where}: not supported: {one.report.reason}"
        return
    assert one.launch is not None  # noqa: S101  (only kernels that were not read have none)
    because = f": {one.report.reason}" if one.report.reason else ""
    found_all = one.report.counterexamples
    doubt = ", not confirmed" if found_all and not any(found.is_confirmed for found in found_all) else ""
    yield f"{one.kernel.name}: {one.report.verdict}{doubt}{because} ({_launch(one.launch)})"
    for found in found_all:
        yield ""
        yield from _counterexample(one, found)
    if one.report.verdict == "verified":
        yield f"  This holds if {listed(assumptions_of(one))}."
        for note in one.kernel.notes:
            yield f"  Taken for granted: {note}."


def _launch(launch: Launch) -> str:
    return f"local size {_sizes(launch.local)}, groups {_sizes(launch.groups)}"


def _sizes(sizes: Sequence[int | None]) -> str:
    return " x ".join("any" if size is None else str(size) for size in sizes)


def _counterexample(one: Verified, found: Counterexample) -> Iterator[str]:
    how = "confirmed by a run" if found.is_confirmed else "possible, but no run was found that shows it"
    where = "" if found.array is None else f", element {_signed(found.element or 0, ID_WIDTH)} of {found.array}"
    yield f"  {_FAULTS[found.kind]}{where}; {how}"
    for step in steps_of(one, found):
        at = "" if step.place is None else f"{step.place.file}:{step.place.line}: "
        yield f"  {at}{_thread(step.thread)} {step.does}"
        if step.place is not None:
            yield from _source(step.place)
    if (place := parting_of(one, found)) is not None:
        yield f"  {place.file}:{place.line}: here the two threads go different ways"
        yield from _source(place)
    yield from _invented(one, found)
    sizes = [found.sizes[f"{word}.{number}"] for word in ("lsize", "groups") for number in range(3)]
    local, groups = (" x ".join(map(str, used_dimensions(part))) for part in (sizes[:3], sizes[3:]))
    widths = {} if isinstance(one.kernel, Unread) else dict(one.kernel.scalars)
    scalars = [f"{name} = {_signed(value, widths[name])}" for name, value in found.scalars.items()]
    yield f"  with local size {local}, groups {groups}{''.join(f', {scalar}' for scalar in scalars)}"


def _invented(one: Verified, found: Counterexample) -> Iterator[str]:
    """Yield what the solver chose, and no run may reach."""
    chosen = [] if found.is_confirmed else invented_in(one, found)
    for what, place, thread in chosen[:_MOST_INVENTED]:
        who = "" if thread is None else f"{_thread(thread)} "
        yield f"  invented: {who}{what} ({place.file}:{place.line})"
    if len(chosen) > _MOST_INVENTED:
        yield f"  invented: {len(chosen) - _MOST_INVENTED} more values; --json lists them"


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) and width > 1 else value


def _thread(thread: Thread) -> str:
    group, local = (", ".join(map(str, used_dimensions(ids, 0))) for ids in thread)
    return f"thread {local} of group {group}"


def used_dimensions(ids: Sequence[int], empty: int = 1) -> list[int]:
    """Leave out the last dimensions, as far as they are not used."""
    found = list(ids)
    while len(found) > 1 and found[-1] == empty:
        found.pop()
    return found


def _source(place: Place) -> Iterator[str]:
    try:
        lines = Path(place.file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    if not 1 <= place.line <= len(lines):
        return
    line = lines[place.line - 1].replace("\t", " ")
    text = "".join(letter if letter.isprintable() else "?" for letter in line)
    if not text.strip() or len(text) > _MOST_LETTERS:
        return
    indent = len(text) - len(text.lstrip())
    yield f"      {text.strip()}"
    if place.column > indent:
        yield f"      {' ' * (place.column - 1 - indent)}^"
    if place.calls:
        yield f"      called from {listed([f'{call.file}:{call.line}' for call in place.calls])}"
