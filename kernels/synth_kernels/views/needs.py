"""The text of `synth kernel`: what a kernel needs, and an execution that does not end, with lines of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_documents.phrases import count, listed
from synth_documents.readable import aligned
from synth_kernels.launch import used_dimensions
from synth_kernels.needs.answer import trace_of, unset_in
from synth_kernels.needs.folded_steps import folded
from synth_kernels.needs.notes import notes_of, reason_of
from synth_kernels.needs.premises import premises_of
from synth_kernels.progress.launch_constants import written
from synth_kernels.verdict_premises import premises_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_kernels.needs import Judged, Needs
    from synth_kernels.needs.answer import Row
    from synth_kernels.needs.final import Final
    from synth_kernels.needs.folded_steps import Folded


#: How many of the litmus tests with the verdicts of a kernel are shown.
SHOWN = 3


def need_lines(found: Needs, tests: Sequence[str]) -> Iterator[str]:
    """Yield what a kernel needs, why less is not enough, and which of the minimal litmus tests have its verdicts."""
    yield f"{found.kernel.name} {needs_words(found)}"
    for verdict in found.not_enough[:1]:
        yield ""
        yield from hang_lines(found, verdict, f"{verdict} is not enough")
    if tests:
        yield ""
        more = f" and {len(tests) - SHOWN:,} more" if len(tests) > SHOWN else ""
        yield f"{like_words(tests)}: {', '.join(tests[:SHOWN])}{more}."
        yield f"To look at the first: synth check {tests[0]}"
    yield ""
    yield from end_lines(found)


def end_lines(found: Needs) -> Iterator[str]:
    """Yield the lines that end each answer: remarks, and what it rests on."""
    if found.is_open:
        yield f"Not known: {reason_of(found)}."
    yield from (f"Note: {note}" for note in notes_of(found))
    yield premises_text(premises_of(found))


def like_words(tests: Sequence[str]) -> str:
    """Return how many litmus tests have the verdicts of a kernel."""
    return f"{len(tests):,} minimal litmus {'test has' if len(tests) == 1 else 'tests have'} the same verdicts"


def _is_unknown(found: Needs) -> bool:
    """Return whether some verdicts are not known to pass or to fail."""
    return found.is_open and len(found.failed) < len(found.launches[0].passes)


def why_nothing(found: Needs) -> str:
    """Return why a kernel needs nothing that a device could give."""
    if _is_unknown(found):
        return "has needs that are not known"
    return "needs no guarantee" if found.passed else "need not end under any of the models"


def needs_words(found: Needs) -> str:
    """Return what a kernel needs, behind its name."""
    asked = (
        ""
        if found.asked.models is None
        else f" asked about: {', '.join(model.name for model in found.asked.known_models)}"
    )
    if _is_unknown(found):
        return "has needs that are not known"
    if not found.passed:
        return f"need not end under any of the models{asked}"
    if "unfair" in found.passed:
        return "needs no guarantee: it ends under all models"
    if found.passed == tuple(found.launches[0].passes):
        return f"ends under each of the models{asked}; a weaker model may be enough"
    return f"needs {' or '.join(found.least)}"


def check_lines(found: Needs, verdicts: Sequence[str], *, certified: bool = False) -> Iterator[str]:
    """Yield whether each launch passes each of some verdicts. `end_lines` end the answer."""
    yield from aligned(verdict_rows(found, verdicts))
    if certified:
        yield "Each verdict is certified."


_WORDS = {True: "pass", False: "fail", None: "unknown"}


def verdict_rows(found: Needs, verdicts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a row of titles, one with the numbers of states, and one for each verdict: whether each launch passes."""
    numbers = [str(size.workgroups) for size in found.sizes]
    states = [f"{size.states:,}" for size in found.sizes]
    rows = [(name, *(_WORDS[size.passes[name]] for size in found.sizes)) for name in verdicts]
    return [("workgroups", *numbers), ("states", *states), *rows]


class Told(NamedTuple):
    """An execution that does not end: a sentence, the rows before its cycle, and those that it then goes on with.

    Without an execution, there are no rows.
    """

    said: str
    before: list[tuple[str, ...]]
    then: str
    after: list[tuple[str, ...]]


def hang_told(found: Needs, verdict: str, title: str = "") -> Told:
    """Return an execution that keeps the promise of a model and does not end."""
    if (hang := found.hang(verdict)) is None:
        is_known = verdict in found.passed
        said = f"passes {verdict}: these launches must end." if is_known else f"is not known to fail {verdict}."
        return Told(f"{found.kernel.name} {said}", [], "", [])
    judged, execution = hang
    title = title or f"{found.kernel.name} fails {verdict}"
    before, cycle = folded(judged, execution)
    trace = trace_of(judged, execution)
    return Told(
        f"{title}: this launch of {count(judged.workgroups, 'workgroup')} need not end.{_unset(judged)}",
        list(map(_folded_row, before)),
        "for ever:" if cycle else "and then no thread can take a step:",
        [*map(_folded_row, cycle), *_together(trace.waiting, trace.ended)],
    )


def hang_lines(found: Needs, verdict: str, title: str = "") -> Iterator[str]:
    """Yield the steps of an execution that keeps the promise of a model and does not end."""
    told = hang_told(found, verdict, title)
    yield told.said
    lines = list(aligned([*told.before, *told.after]))
    yield from lines[: len(told.before)]
    if told.then:
        yield told.then
    yield from lines[len(told.before) :]


def _unset(judged: Judged) -> str:
    """Return what variables that are not set hold in an execution, as a sentence behind another one."""
    of: dict[tuple[str, str], list[str]] = {}
    for held in unset_in(judged):
        name = f"{held.name} ({written(held.place)})" if held.place.line else held.name
        who = f"group {_ids(held.group)}" + ("" if held.local is None else f", thread {_ids(held.local)}")
        of.setdefault((name, str(held.holds)), []).append(who)
    return "".join(f" {name} is not set, and holds {value} for {'; '.join(who)}." for (name, value), who in of.items())


def final_lines(found: Needs, final: Final) -> Iterator[str]:
    """Yield whether an assertion holds wherever all threads have ended, or how they end where it does not."""
    said, steps, end = final_words(found, final)
    yield said
    yield from aligned(steps)
    if end:
        yield end


def final_words(found: Needs, final: Final) -> tuple[str, list[tuple[str, ...]], str]:
    """Return what was found of an assertion: a sentence, and rows of steps with what holds after them, if it fails."""
    if final.refuted is None:
        if final.holds is None:
            return f"It is unknown whether {final.text} holds when all threads have ended.", [], ""
        holds = f"{final.text} holds in each state in which all threads have ended."
        return holds if final.ends else f"{final.text} says nothing, because these launches never end.", [], ""
    judged, steps, memory = final.refuted.judged, final.refuted.rows, final.refuted.memory
    launch = count(judged.workgroups, "workgroup")
    said = f"{final.text} does not hold in {found.kernel.name}: this launch of {launch} ends otherwise."
    return said, list(map(_folded_row, steps)), f"and then all threads have ended, and {memory}."


def _row(row: Row) -> tuple[str, ...]:
    return (f"  group {_ids(row.group)}, thread {_ids(row.local)}", _where(row), row.does, row.place.text)


def _folded_row(row: Folded) -> tuple[str, ...]:
    who = f"  group {_ids(row.group)}, {_threads(row.locals)}"
    return (who, written(row.place) if row.place.line else "", row.does, row.place.text)


def _threads(locals_: Sequence[tuple[int, ...]]) -> str:
    names = list(map(_ids, locals_))
    if len(names) == 1:
        return f"thread {names[0]}"
    return f"threads {listed(names)}" if len(names) <= 3 else f"{len(names)} threads from {names[0]} to {names[-1]}"


def _where(row: Row) -> str:
    return written(row.place) if row.place.line else ""


def _together(waiting: Iterable[Row], ended: Iterable[Row]) -> Iterator[tuple[str, ...]]:
    """Yield a row for the threads of a group that wait at the same barrier, and one for those that have ended."""
    of: dict[tuple[object, ...], list[Row]] = {}
    for row in (*waiting, *ended):
        of.setdefault((row.group, row.place), []).append(row)
    for rows in sorted(of.values(), key=lambda rows: rows[0].group):
        first, last = rows[0], rows[-1]
        if len(rows) == 1:
            yield _row(first)
            continue
        who = f"  group {_ids(first.group)}, {len(rows)} threads from {_ids(first.local)} to {_ids(last.local)}"
        yield (who, _where(first), first.does.replace("waits", "wait").replace("has", "have"), first.place.text)


def _ids(ids: Sequence[int]) -> str:
    return ",".join(map(str, used_dimensions(ids, 0)))
