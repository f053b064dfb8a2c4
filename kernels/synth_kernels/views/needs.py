"""The text of `synth kernel`: what a kernel needs, and an execution that does not end, with lines of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_documents.phrases import count, listed
from synth_documents.readable import aligned
from synth_kernels.launch import used_dimensions
from synth_kernels.needs.answer import hang_of
from synth_kernels.needs.premises import notes_of, premises_of, reason_of
from synth_kernels.needs.steps import folded_rows
from synth_kernels.premises import premises_text
from synth_kernels.progress.launch_constants import place_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_kernels.needs import Needs
    from synth_kernels.needs.answer import FinalReport, UnsetVariable
    from synth_kernels.needs.steps import FoldedStep, ThreadRow


#: How many of the litmus tests with the verdicts of a kernel are shown.
SHOWN = 3


def need_lines(needs: Needs, tests: Sequence[str]) -> Iterator[str]:
    """Yield what a kernel needs, why less is not enough, and which of the minimal litmus tests have its verdicts."""
    yield f"{needs.kernel.name} {needs_words(needs)}"
    for verdict in needs.not_enough[:1]:
        yield ""
        yield from hang_lines(needs, verdict, f"{verdict} is not enough")
    if tests:
        yield ""
        more = f" and {len(tests) - SHOWN:,} more" if len(tests) > SHOWN else ""
        yield f"{like_words(tests)}: {', '.join(tests[:SHOWN])}{more}."
        yield f"To look at the first: synth check {tests[0]}"
    yield ""
    yield from end_lines(needs)


def end_lines(needs: Needs) -> Iterator[str]:
    """Yield the lines that end each answer: remarks, and what it rests on."""
    if needs.is_open:
        yield f"Not known: {reason_of(needs)}."
    yield from (f"Note: {note}" for note in notes_of(needs))
    yield premises_text(premises_of(needs))


def like_words(tests: Sequence[str]) -> str:
    """Return how many litmus tests have the verdicts of a kernel."""
    return f"{len(tests):,} minimal litmus {'test has' if len(tests) == 1 else 'tests have'} the same verdicts"


def _is_unknown(needs: Needs) -> bool:
    """Return whether some verdicts are not known to pass or to fail."""
    return needs.is_open and len(needs.failed) < len(needs.launches[0].passes)


def why_nothing(needs: Needs) -> str:
    """Return why a kernel needs nothing that a device could give."""
    if _is_unknown(needs):
        return "has needs that are not known"
    return "needs no guarantee" if needs.passed else "may hang under every model"


def needs_words(needs: Needs) -> str:
    """Return what a kernel needs, behind its name."""
    models = (
        ""
        if needs.query.models is None
        else f" asked about: {', '.join(model.name for model in needs.query.known_models)}"
    )
    if _is_unknown(needs):
        return "has needs that are not known"
    if not needs.passed:
        return f"may hang under every model{models}"
    if "unfair" in needs.passed:
        return "needs no guarantee: it ends under all models"
    if needs.passed == tuple(needs.launches[0].passes):
        return f"ends under each of the models{models}; a weaker model may be enough"
    return f"needs {' or '.join(needs.least)}"


def check_lines(needs: Needs, verdicts: Sequence[str], *, certified: bool = False) -> Iterator[str]:
    """Yield whether each launch passes each of some verdicts. `end_lines` end the answer."""
    yield from aligned(verdict_rows(needs, verdicts))
    if certified:
        yield "Each verdict is certified."


_WORDS = {True: "pass", False: "fail", None: "unknown"}


def verdict_rows(needs: Needs, verdicts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a row of titles, one with the numbers of states, and one for each verdict: whether each launch passes."""
    numbers = [str(size.workgroups) for size in needs.sizes]
    states = [f"{size.states:,}" for size in needs.sizes]
    rows = [(name, *(_WORDS[size.passes[name]] for size in needs.sizes)) for name in verdicts]
    return [("workgroups", *numbers), ("states", *states), *rows]


class HangText(NamedTuple):
    """An execution that does not end: a sentence, the rows before its cycle, and those that it then goes on with.

    Without an execution, there are no rows.
    """

    sentence: str
    before: list[tuple[str, ...]]
    then: str
    after: list[tuple[str, ...]]


def hang_text(needs: Needs, verdict: str, title: str = "") -> HangText:
    """Return an execution that keeps the promise of a model and does not end."""
    if (found := needs.hang(verdict)) is None:
        is_known = verdict in needs.passed
        sentence = f"passes {verdict}: these launches must end." if is_known else f"is not known to fail {verdict}."
        return HangText(f"{needs.kernel.name} {sentence}", [], "", [])
    judged, execution = found
    title = title or f"{needs.kernel.name} fails {verdict}"
    before, cycle = folded_rows(judged, execution)
    hang = hang_of(verdict, judged, execution)
    return HangText(
        f"{title}: with {count(judged.workgroups, 'workgroup')} it may hang.{_unset(hang.unset)}",
        list(map(_folded_row, before)),
        "again and again:" if cycle else "and then no thread can take a step:",
        [*map(_folded_row, cycle), *_waiting_rows(hang.waiting, hang.ended)],
    )


def hang_lines(needs: Needs, verdict: str, title: str = "") -> Iterator[str]:
    """Yield the steps of an execution that keeps the promise of a model and does not end."""
    text = hang_text(needs, verdict, title)
    yield text.sentence
    lines = list(aligned([*text.before, *text.after]))
    yield from lines[: len(text.before)]
    if text.then:
        yield text.then
    yield from lines[len(text.before) :]


def _unset(variables: Iterable[UnsetVariable]) -> str:
    """Return what variables that are not set hold in an execution, as a sentence behind another one."""
    of: dict[tuple[str, str], list[str]] = {}
    for variable in variables:
        name = f"{variable.name} ({place_text(variable.place)})" if variable.place.line else variable.name
        holder = f"group {_ids(variable.group)}" + (
            "" if variable.local is None else f", thread {_ids(variable.local)}"
        )
        of.setdefault((name, str(variable.holds)), []).append(holder)
    return "".join(
        f" {name} is not set, and holds {value} for {'; '.join(holder)}." for (name, value), holder in of.items()
    )


def final_lines(needs: Needs, final: FinalReport) -> Iterator[str]:
    """Yield whether an assertion holds wherever all threads have ended, or how they end where it does not."""
    sentence, steps, end = final_words(needs, final)
    yield sentence
    yield from aligned(steps)
    if end:
        yield end


def final_words(needs: Needs, final: FinalReport) -> tuple[str, list[tuple[str, ...]], str]:
    """Return what was found of an assertion: a sentence, and rows of steps with what holds after them, if it fails."""
    text = final.assertion
    if final.holds is None:
        return f"It is unknown whether {text} holds when all threads have ended.", [], ""
    if final.holds:
        holds = f"{text} holds in each state in which all threads have ended."
        return holds if final.ends else f"{text} says nothing, because these launches never end.", [], ""
    launch = count(final.workgroups or 0, "workgroup")
    sentence = f"{text} does not hold in {needs.kernel.name}: this launch of {launch} ends otherwise."
    return sentence, list(map(_folded_row, final.rows)), f"and then all threads have ended, and {final.memory}."


def _row(row: ThreadRow) -> tuple[str, ...]:
    return (f"  group {_ids(row.group)}, thread {_ids(row.local)}", _where(row), row.does, row.place.expression)


def _folded_row(row: FoldedStep) -> tuple[str, ...]:
    threads = f"  group {_ids(row.group)}, {_threads(row.locals)}"
    return (threads, place_text(row.place) if row.place.line else "", row.does, row.place.expression)


def _threads(locals_: Sequence[tuple[int, ...]]) -> str:
    names = list(map(_ids, locals_))
    if len(names) == 1:
        return f"thread {names[0]}"
    return f"threads {listed(names)}" if len(names) <= 3 else f"{len(names)} threads from {names[0]} to {names[-1]}"


def _where(row: ThreadRow) -> str:
    return place_text(row.place) if row.place.line else ""


def _waiting_rows(waiting: Iterable[ThreadRow], ended: Iterable[ThreadRow]) -> Iterator[tuple[str, ...]]:
    """Yield a row for the threads of a group that wait at the same barrier, and one for those that have ended."""
    of: dict[tuple[object, ...], list[ThreadRow]] = {}
    for row in (*waiting, *ended):
        of.setdefault((row.group, row.place), []).append(row)
    for rows in sorted(of.values(), key=lambda rows: rows[0].group):
        first, last = rows[0], rows[-1]
        if len(rows) == 1:
            yield _row(first)
            continue
        threads = f"  group {_ids(first.group)}, {len(rows)} threads from {_ids(first.local)} to {_ids(last.local)}"
        yield (
            threads,
            _where(first),
            first.does.replace("waits", "wait").replace("has", "have"),
            first.place.expression,
        )


def _ids(ids: Sequence[int]) -> str:
    return ",".join(map(str, used_dimensions(ids, 0)))
