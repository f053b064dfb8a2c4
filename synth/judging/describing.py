"""What there is to say about a model: its states for a number of threads, and where it stands among the six.

A model is called *more* than another if in every state on a cycle it guarantees all threads that the other does, and in
some state others too (`synth_checker.fairness_order`); so it is at least as fair. *Beside* another is one of which
neither holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from synth.words import count, threads_in, written_set
from synth_checker.errors import LimitError
from synth_checker.fairness_order import THREADS, is_included
from synth_checker.models import Model, library
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.models.expression import Expression
from synth_checker.models.guarded import GuardedAutomaton
from synth_checker.no_ops import hides_no_ops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.model_difference import Difference

Place = Literal["the same as", "more than", "less than", "beside"]
PLACES: tuple[Place, ...] = ("the same as", "more than", "less than", "beside")


@dataclass(frozen=True, slots=True)
class Description:
    """A model, whether it tells so many threads apart, what its states hold, and the six by where it stands to them.

    `hides_no_ops` says whether programs surely have the verdicts of their normal forms (`synth_checker.no_ops`).
    """

    model: Model
    threads: int
    is_thread_symmetric: bool
    hides_no_ops: bool
    states: tuple[str, ...]
    order: dict[Place, tuple[str, ...]]

    def lines(self, most: int) -> Iterator[str]:
        """The description as text, with at most so many states."""
        model, automaton = self.model, self.model.automaton(self.threads)
        yield model.text
        if model.about:
            yield model.about
        if self.is_thread_symmetric:
            yield f"Thread-symmetric for {count(self.threads, 'thread')}: it does not tell them apart."
        else:
            yield f"Not thread-symmetric for {count(self.threads, 'thread')}: it tells them apart."
        if self.hides_no_ops:
            yield f"No-ops are hidden from it: with up to {THREADS} threads a program has its normal form's verdicts."
        else:
            yield "It may see no-ops: a program with some may have other verdicts than its normal form."
        yield f"{count(automaton.states, 'state')}:"
        for number, holds in list(enumerate(self.states))[:most]:
            owed = written_set(automaton.fair[number][-1])
            moves = ", ".join(
                f"{t} {event} -> {row[number][t]}"
                for event, row in (("steps", automaton.steps), ("ends", automaton.ends))
                for t in range(self.threads)
                if row[number][t] != number
            )
            state = f"{number} ({holds})" if holds else f"{number}"
            yield f"  {state}: guarantees {owed} while all are live{moves and '; '}{moves}"
        if automaton.states > most:
            yield f"  ({automaton.states - most} more)"
        yield f"With up to {THREADS} threads, in all that may go on for ever, it guarantees"
        for place in PLACES:
            if self.order[place]:
                yield f"  {place} {', '.join(self.order[place])}"

    def fields(self) -> dict[str, Any]:
        """The description with the whole tables, for programs."""
        automaton = self.model.automaton(self.threads)
        return {
            "name": self.model.name,
            "definition": self.model.definition,
            "about": self.model.about,
            "threads": self.threads,
            "thread_symmetric": self.is_thread_symmetric,
            "hides_no_ops": self.hides_no_ops,
            "states": [
                {
                    "holds": holds,
                    "steps": automaton.steps[number],
                    "ends": automaton.ends[number],
                    "fair": [threads_in(mask) for mask in automaton.fair[number]],
                }
                for number, holds in enumerate(self.states)
            ],
            "order": {place: list(names) for place, names in self.order.items()},
        }


def check_asked(threads: int) -> None:
    """Raise LimitError if a model has no tables for so many threads."""
    if threads > MAX_THREADS:
        msg = f"threads: found {threads}, expected at most {MAX_THREADS}, for which models have tables"
        raise LimitError(msg)


def described(model: Model, threads: int) -> Description:
    """Describe a model for a number of threads.

    Raises:
        LimitError: there are more than eight threads, or too many states.
        InputError: a registered model can't be used.
    """
    check_asked(threads)
    places: dict[Place, list[str]] = {place: [] for place in PLACES}
    for other in library():
        less, more = is_included(model, other), is_included(other, model)
        place = PLACES[0 if less and more else 1 if more else 2 if less else 3]
        places[place].append(other.name)
    order = {place: tuple(names) for place, names in places.items()}
    return Description(
        model=model,
        threads=threads,
        is_thread_symmetric=model.is_thread_symmetric(threads),
        hides_no_ops=hides_no_ops(model, THREADS),
        states=_states(model, threads),
        order=order,
    )


def _states(model: Model, threads: int) -> tuple[str, ...]:
    """What each state of a model's tables holds."""
    states = model.automaton(threads).states
    if isinstance(model.fair, GuardedAutomaton):
        return tuple(map(model.fair.told, model.fair.configurations(threads)))
    if isinstance(model.fair, Expression) and states > 1:
        return tuple(f"stepped {written_set(stepped)}" for stepped in range(states))
    return ("",) * states


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


def difference_fields(found: Difference | None, threads: int) -> dict[str, Any]:
    """The same for programs."""
    if found is None:
        return {"equal": True, "threads": threads}
    return {
        "equal": False,
        "threads": found.threads,
        "history": [event._asdict() for event in found.history],
        "live": threads_in(found.live),
        "guaranteed": [threads_in(found.one), threads_in(found.other)],
    }
