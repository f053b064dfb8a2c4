"""The texts of `synth model`: the known models, what one of them says, and where two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.models import library
from synth_documents.phrases import count, written_set
from synth_litmus.facts.model_facts import PLACES
from synth_litmus.views.more_threads import look_further

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_checker.models import Model
    from synth_litmus.facts.model_facts import EqualAnswer, KnownModels, ModelDescription

#: The most states that are listed. --json has all.
_MOST_STATES = 20


def known_lines(models: KnownModels) -> Iterator[str]:
    """Yield a line for each known model, with its definition or a description."""
    width = max(map(len, models.library))
    for model in library():
        yield f"{model.name:{width}} = {model.definition}"
        yield f"{'':{width}}   {model.about}"
    yield ""
    yield "Further models, which are used only if you name them; see docs/understand/models.md:"
    for name, about in models.further.items():
        yield name
        yield f"{'':{width}}   {about}"
    for name in models.registered:
        yield f"{name}: a model that is Python code, which an installed package has registered"


def description_lines(description: ModelDescription, again: Callable[[int], str]) -> Iterator[str]:
    """Yield lines about a model: its definition, its first states, and how it compares with the six models.

    `again` returns the command that looks at more threads.
    """
    states = description.states
    yield from description.model.text.splitlines()
    if description.about:
        yield description.about
    if description.thread_symmetric:
        yield f"Thread-symmetric for {count(description.threads, 'thread')}: the model does not tell threads apart."
    else:
        yield f"Not thread-symmetric for {count(description.threads, 'thread')}: the model tells threads apart."
    up_to, any_number = f"up to {count(description.compared, 'thread')}", "any number of threads"
    threads = any_number if description.is_of_library else up_to
    if description.hides_no_ops:
        yield (f"The model does not notice no-ops: with {threads} a program has the verdicts of its normal form.")
    else:
        yield "The model may notice no-ops: a program with no-ops may have other verdicts than its normal form."
    yield f"{count(len(states), 'state')}:"
    for number, state in enumerate(states[:_MOST_STATES]):
        moves = ", ".join(
            f"{t} {event} -> {row[t]}"
            for event, row in (("steps", state.steps), ("ends", state.ends))
            for t in range(description.threads)
            if row[t] != number
        )
        name = f"{number} ({state.holds})" if state.holds else f"{number}"
        yield f"  {name}: guarantees {written_set(state.fair[-1])} while all are live{moves and '; '}{moves}"
    if len(states) > _MOST_STATES:
        yield f"  ({len(states) - _MOST_STATES} more)"
    for settled, threads in ((True, any_number), (False, up_to)):
        order = {
            place: [name for name in description.order[place] if (name not in description.unsettled) == settled]
            for place in PLACES
        }
        if any(order.values()):
            yield f"How this model compares with the models of synth, in all endless executions with {threads}:"
        yield from (f"  {place} {', '.join(names)}" for place, names in order.items() if names)
    if description.unsettled or (description.hides_no_ops and not description.is_of_library):
        yield look_further(description.compared, again)


def difference_lines(answer: EqualAnswer, models: tuple[Model, Model], again: Callable[[int], str]) -> Iterator[str]:
    """Yield lines which say whether two models are the same, and if not, after which history they differ.

    `again` returns the command that looks at more threads.
    """
    if answer.equal:
        so_many = "any number of threads" if answer.settled else f"up to {count(answer.threads, 'thread')}"
        yield f"The models are the same: with {so_many}, both guarantee the same in all endless executions."
        if not answer.settled:
            yield look_further(answer.threads, again)
        return
    events = ", ".join(f"thread {event.thread} {'ends' if event.ends else 'steps'}" for event in answer.history)
    after = f"After this history: {events}" if events else "At the start"
    yield (
        f"The models differ with {count(answer.threads, 'thread')}. {after}, while the threads "
        f"{written_set(answer.live)} are live,"
    )
    for model, threads in zip(models, answer.guaranteed, strict=True):
        yield f"  {model.name} guarantees {written_set(threads)}"
