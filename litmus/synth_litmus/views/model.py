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
    from synth_litmus.facts.model_facts import Description, KnownModels

#: The most states that are listed. --json has all.
_MOST_STATES = 20


def known_lines(found: KnownModels) -> Iterator[str]:
    """Yield a line for each known model, with its definition or a description."""
    width = max(len(model.name) for model in found.library)
    for model in found.library:
        yield f"{model.name:{width}} = {model.definition}"
        yield f"{'':{width}}   {model.about}"
    yield ""
    yield "Further models, which are used only if you name them; see docs/models.md:"
    for name, about in found.further.items():
        yield name
        yield f"{'':{width}}   {about}"
    for name in found.registered:
        yield f"{name}: a model that is Python code, which an installed package has registered"


def description_lines(found: Description, again: Callable[[int], str]) -> Iterator[str]:
    """Yield lines about a model: its definition, its first states, and how it compares with the six models.

    `again` returns the command that looks at more threads.
    """
    model, automaton, most = found.model, found.model.automaton(found.threads), _MOST_STATES
    yield from model.text.splitlines()
    if model.about:
        yield model.about
    if found.is_thread_symmetric:
        yield f"Thread-symmetric for {count(found.threads, 'thread')}: the model does not tell threads apart."
    else:
        yield f"Not thread-symmetric for {count(found.threads, 'thread')}: the model tells threads apart."
    so_many, any_number = f"up to {count(found.compared, 'thread')}", "any number of threads"
    if found.hides_no_ops:
        yield (
            f"The model does not notice no-ops: with {any_number if found.is_of_library else so_many} a program has "
            "the verdicts of its normal form."
        )
    else:
        yield "The model may notice no-ops: a program with no-ops may have other verdicts than its normal form."
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
    for settled, threads in ((True, any_number), (False, so_many)):
        order = {
            place: [name for name in found.order[place] if (name not in found.unsettled) == settled] for place in PLACES
        }
        if any(order.values()):
            yield f"How this model compares with the models of synth, in all endless executions with {threads}:"
        yield from (f"  {place} {', '.join(names)}" for place, names in order.items() if names)
    if found.unsettled or (found.hides_no_ops and not found.is_of_library):
        yield look_further(found.compared, again)


def difference_lines(
    found: Difference | None, models: tuple[Model, Model], threads: int, again: Callable[[int], str]
) -> Iterator[str]:
    """Yield lines which say whether two models are the same, and if not, after which history they differ.

    `again` returns the command that looks at more threads.
    """
    if found is None:
        settled = is_settled(*models, threads)
        so_many = "any number of threads" if settled else f"up to {count(threads, 'thread')}"
        yield f"The models are the same: with {so_many}, both guarantee the same in all endless executions."
        if not settled:
            yield look_further(threads, again)
        return
    events = ", ".join(f"thread {event.thread} {'ends' if event.ends else 'steps'}" for event in found.history)
    after = f"After this history: {events}" if events else "At the start"
    yield (
        f"The models differ with {count(found.threads, 'thread')}. {after}, while the threads "
        f"{written_set(found.live)} are live,"
    )
    for model, mask in zip(models, (found.first, found.other), strict=True):
        yield f"  {model.name} guarantees {written_set(mask)}"
