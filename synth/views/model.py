"""The texts of `synth model`: which models there are, what one says, and where two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.judging.describing import PLACES
from synth.phrases import count, written_set
from synth_checker.fairness_order import THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.judging.describing import Description, KnownModels
    from synth_checker.model_difference import Difference
    from synth_checker.models import Model

#: States that are listed; with --json all are.
_MOST_STATES = 20


def known_lines(found: KnownModels) -> Iterator[str]:
    """Each model and what it says."""
    width = max(len(model.name) for model in found.library)
    for model in found.library:
        yield f"{model.name:{width}} = {model.definition}"
        yield f"{'':{width}}   {model.about}"
    yield "\nFurther models, known by name and asked for by name alone; see docs/models.md:"
    for name, about in found.further.items():
        yield f"{name}\n{'':{width}}   {about}"
    for name in found.registered:
        yield f"{name} is registered as a Python object"


def description_lines(found: Description) -> Iterator[str]:
    """What a model says, its states up to a number, and where it stands to the six."""
    model, automaton, most = found.model, found.model.automaton(found.threads), _MOST_STATES
    yield model.text
    if model.about:
        yield model.about
    if found.is_thread_symmetric:
        yield f"Thread-symmetric for {count(found.threads, 'thread')}: it does not tell them apart."
    else:
        yield f"Not thread-symmetric for {count(found.threads, 'thread')}: it tells them apart."
    if found.hides_no_ops:
        yield f"No-ops are hidden from it: with up to {THREADS} threads a program has its normal form's verdicts."
    else:
        yield "It may see no-ops: a program with some may have other verdicts than its normal form."
    yield f"{count(automaton.states, 'state')}:"
    for number, holds in list(enumerate(found.states))[:most]:
        owed = written_set(automaton.fair[number][-1])
        moves = ", ".join(
            f"{t} {event} -> {row[number][t]}"
            for event, row in (("steps", automaton.steps), ("ends", automaton.ends))
            for t in range(found.threads)
            if row[number][t] != number
        )
        state = f"{number} ({holds})" if holds else f"{number}"
        yield f"  {state}: guarantees {owed} while all are live{moves and '; '}{moves}"
    if automaton.states > most:
        yield f"  ({automaton.states - most} more)"
    yield f"With up to {THREADS} threads, in all that may go on for ever, it guarantees"
    for place in PLACES:
        if found.order[place]:
            yield f"  {place} {', '.join(found.order[place])}"


def difference_lines(found: Difference | None, models: tuple[Model, Model], threads: int) -> Iterator[str]:
    """Whether two models are the same, as text."""
    if found is None:
        yield f"The same: with up to {count(threads, 'thread')} they guarantee the same in all that may go on for ever."
        return
    events = ", ".join(f"thread {event.thread} {'ends' if event.ends else 'steps'}" for event in found.history)
    after = f"after: {events}" if events else "at the start"
    yield f"Not the same: of {count(found.threads, 'thread')}, {after}, with {written_set(found.live)} live,"
    for model, mask in zip(models, (found.one, found.other), strict=True):
        yield f"  {model.name} guarantees {written_set(mask)}"
