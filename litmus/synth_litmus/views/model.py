"""The texts of `synth model`: the known models, what one of them says, and where two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.relations.fairness_order import is_settled
from synth_documents.phrases import count, written_set
from synth_litmus.facts.model_facts import PLACES
from synth_litmus.views.more_threads import look_further

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_checker.models import Model
    from synth_checker.relations.model_difference import Difference
    from synth_litmus.facts.model_facts import KnownModels, ModelDescription

#: The most states that are listed. --json has all.
_MOST_STATES = 20


def known_lines(models: KnownModels) -> Iterator[str]:
    """Yield a line for each known model, with its definition or a description."""
    width = max(len(model.name) for model in models.library)
    for model in models.library:
        yield f"{model.name:{width}} = {model.definition}"
        yield f"{'':{width}}   {model.about}"
    yield ""
    yield "Further models, which are used only if you name them; see docs/models.md:"
    for name, about in models.further.items():
        yield name
        yield f"{'':{width}}   {about}"
    for name in models.registered:
        yield f"{name}: a model that is Python code, which an installed package has registered"


def description_lines(description: ModelDescription, again: Callable[[int], str]) -> Iterator[str]:
    """Yield lines about a model: its definition, its first states, and how it compares with the six models.

    `again` returns the command that looks at more threads.
    """
    model, automaton, most = description.model, description.model.automaton(description.threads), _MOST_STATES
    yield from model.text.splitlines()
    if model.about:
        yield model.about
    if description.is_thread_symmetric:
        yield f"Thread-symmetric for {count(description.threads, 'thread')}: the model does not tell threads apart."
    else:
        yield f"Not thread-symmetric for {count(description.threads, 'thread')}: the model tells threads apart."
    up_to, any_number = f"up to {count(description.compared, 'thread')}", "any number of threads"
    threads = any_number if description.is_of_library else up_to
    if description.hides_no_ops:
        yield (f"The model does not notice no-ops: with {threads} a program has the verdicts of its normal form.")
    else:
        yield "The model may notice no-ops: a program with no-ops may have other verdicts than its normal form."
    yield f"{count(automaton.states, 'state')}:"
    for number, holds in list(enumerate(description.states))[:most]:
        owed = written_set(automaton.fair[number][-1])
        moves = ", ".join(
            f"{t} {event} -> {row[number][t]}"
            for event, row in (("steps", automaton.steps), ("ends", automaton.ends))
            for t in range(description.threads)
            if row[number][t] != number
        )
        state = f"{number} ({holds})" if holds else f"{number}"
        yield f"  {state}: guarantees {owed} while all are live{moves and '; '}{moves}"
    if automaton.states > most:
        yield f"  ({automaton.states - most} more)"
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


def difference_lines(
    difference: Difference | None, models: tuple[Model, Model], threads: int, again: Callable[[int], str]
) -> Iterator[str]:
    """Yield lines which say whether two models are the same, and if not, after which history they differ.

    `again` returns the command that looks at more threads.
    """
    if difference is None:
        settled = is_settled(*models, threads)
        so_many = "any number of threads" if settled else f"up to {count(threads, 'thread')}"
        yield f"The models are the same: with {so_many}, both guarantee the same in all endless executions."
        if not settled:
            yield look_further(threads, again)
        return
    events = ", ".join(f"thread {event.thread} {'ends' if event.ends else 'steps'}" for event in difference.history)
    after = f"After this history: {events}" if events else "At the start"
    yield (
        f"The models differ with {count(difference.threads, 'thread')}. {after}, while the threads "
        f"{written_set(difference.live)} are live,"
    )
    for model, mask in zip(models, (difference.first, difference.other), strict=True):
        yield f"  {model.name} guarantees {written_set(mask)}"
