"""What there is to say about a model: its states for a number of threads, and where it stands among the six.

A model is called *more* than another if in every state on a cycle it guarantees all threads that the other does, and in
some state others too (`synth_checker.fairness_order`); so it is at least as fair. *Beside* another is one of which
neither holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth.phrases import threads_in, written_set
from synth_checker.errors import LimitError
from synth_checker.fairness_order import THREADS, is_included
from synth_checker.models import Model, library
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.models.expression import Expression
from synth_checker.models.further import further_abouts
from synth_checker.models.guarded import GuardedAutomaton
from synth_checker.models.registered import registered_names
from synth_checker.no_ops import hides_no_ops

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(frozen=True, slots=True)
class KnownModels:
    """The models of the library, those that ship beside it with what each says, and the names of those registered."""

    library: tuple[Model, ...]
    further: Mapping[str, str]
    registered: tuple[str, ...]


class KnownFields(TypedDict):
    """The definitions of the library, what further models say, and the names of those that packages have registered."""

    library: dict[str, str]
    further: dict[str, str]
    registered: list[str]


class ModelStateFields(TypedDict):
    """What a state holds, the states after a step or the end of each thread, and the fair set for each set of threads.

    States are numbers. Sets of threads are numbered as bit masks.
    """

    holds: str
    steps: list[int]
    ends: list[int]
    fair: list[list[int]]


class DescriptionFields(TypedDict):
    """A model for a number of threads, with the whole tables, and where it stands to the six."""

    name: str
    definition: str
    about: str
    threads: int
    thread_symmetric: bool
    hides_no_ops: bool
    states: list[ModelStateFields]
    order: dict[Place, list[str]]


class SameFields(TypedDict):
    """That two models guarantee the same with up to so many threads."""

    equal: Literal[True]
    threads: int


class EventFields(TypedDict):
    """A step of a thread, which may be its last."""

    thread: int
    ends: bool


class DifferenceFields(TypedDict):
    """The shortest history after which two models guarantee other threads a step, with so many threads."""

    equal: Literal[False]
    threads: int
    history: list[EventFields]
    live: list[int]
    guaranteed: list[list[int]]


EqualFields = SameFields | DifferenceFields


def known_models() -> KnownModels:
    """The models that there are."""
    return KnownModels(library(), further_abouts(), tuple(registered_names()))


def known_fields(found: KnownModels) -> KnownFields:
    """What `synth model list` says, as JSON has it."""
    return {
        "library": {model.name: model.definition for model in found.library},
        "further": dict(found.further),
        "registered": list(found.registered),
    }


def check_asked(threads: int) -> None:
    """Raise LimitError if a model has no tables for so many threads."""
    if threads > MAX_THREADS:
        msg = f"threads: found {threads}, expected at most {MAX_THREADS}, for which models have tables"
        raise LimitError(msg)


def describe_model(model: Model, threads: int) -> Description:
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


def description_fields(found: Description) -> DescriptionFields:
    """What `synth model show` says, as JSON has it."""
    automaton = found.model.automaton(found.threads)
    return {
        "name": found.model.name,
        "definition": found.model.definition,
        "about": found.model.about,
        "threads": found.threads,
        "thread_symmetric": found.is_thread_symmetric,
        "hides_no_ops": found.hides_no_ops,
        "states": [
            {
                "holds": holds,
                "steps": list(automaton.steps[number]),
                "ends": list(automaton.ends[number]),
                "fair": [threads_in(mask) for mask in automaton.fair[number]],
            }
            for number, holds in enumerate(found.states)
        ],
        "order": {place: list(names) for place, names in found.order.items()},
    }


def difference_fields(found: Difference | None, threads: int) -> EqualFields:
    """What `synth model equal` says, as JSON has it."""
    if found is None:
        return {"equal": True, "threads": threads}
    return {
        "equal": False,
        "threads": found.threads,
        "history": [{"thread": event.thread, "ends": event.ends} for event in found.history],
        "live": threads_in(found.live),
        "guaranteed": [threads_in(found.one), threads_in(found.other)],
    }
