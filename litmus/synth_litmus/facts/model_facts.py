"""Describe a model: its states for a number of threads, and how it compares with the six models of the library.

A model is *more than* another one if it guarantees all threads that the other does in every state on a cycle, and
further threads in some state (`synth_checker.relations.fairness_order`). So a model that is more than another one is at
least as fair. Two models are *beside* each other if neither is more than the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_checker.errors import LimitError
from synth_checker.models import Model, library
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.models.expression import Expression
from synth_checker.models.further import further_abouts
from synth_checker.models.guarded import GuardedAutomaton
from synth_checker.models.registered import registered_names
from synth_checker.relations.fairness_order import THREADS, is_included, is_settled
from synth_checker.relations.no_ops import hides_no_ops
from synth_documents.phrases import threads_in, written_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_checker.relations.model_difference import Difference

Place = Literal["the same as", "more than", "less than", "beside"]
PLACES: tuple[Place, ...] = ("the same as", "more than", "less than", "beside")


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """A model, its properties for a number of threads, a phrase for each of its states, and how it compares.

    `hides_no_ops` says whether it is proven that every program of up to `compared` threads has the same verdicts as its
    normal form (`synth_checker.relations.no_ops`). `order` lists the six models of the library by how this model
    compares with them with up to `compared` threads. `unsettled` has those for which more threads may change this. For
    a model of the library, docs/semantics.md proves that the model hides no-ops with any number of threads.
    """

    model: Model
    threads: int
    is_thread_symmetric: bool
    hides_no_ops: bool
    states: tuple[str, ...]
    order: dict[Place, tuple[str, ...]]
    compared: int
    unsettled: tuple[str, ...]

    @property
    def is_of_library(self) -> bool:
        """Whether the model promises what a model of the library does, by its definition."""
        return any(self.model.fair == model.fair for model in library())


@dataclass(frozen=True, slots=True)
class KnownModels:
    """The models of the library, the further models that ship, and the names of registered models.

    Each further model comes with a comment about it.
    """

    library: tuple[Model, ...]
    further: Mapping[str, str]
    registered: tuple[str, ...]


class KnownModelFields(TypedDict):
    """The definitions of the library's models, the comments of further models, and the names of registered models."""

    library: dict[str, str]
    further: dict[str, str]
    registered: list[str]


class ModelStateFields(TypedDict):
    """A state of a model: a phrase for it, the states that follow it, and its fair sets.

    A state is a number. `steps` and `ends` have the next state for a step and for the end of each thread. `fair` has a
    fair set for each set of live threads, in the order of their bit masks.
    """

    holds: str
    steps: list[int]
    ends: list[int]
    fair: list[list[int]]


class ModelDescriptionFields(TypedDict):
    """A model for a number of threads, with all its tables, and its comparison with the six models of the library.

    The comparison and `hides_no_ops` are about up to `compared` threads. More threads may change how the model compares
    with the models in `unsettled`.
    """

    name: str
    definition: str
    about: str
    threads: int
    thread_symmetric: bool
    hides_no_ops: bool
    states: list[ModelStateFields]
    order: dict[Place, list[str]]
    compared: int
    unsettled: list[str]


class SameFields(TypedDict):
    """The answer that two models guarantee the same with up to `threads` threads, or with any number if `settled`."""

    equal: Literal[True]
    threads: int
    settled: bool


class EventFields(TypedDict):
    """A step of a thread; `ends` says whether the thread ends with it."""

    thread: int
    ends: bool


class ModelDifferenceFields(TypedDict):
    """The answer that two models differ, with the shortest history after which they guarantee different threads.

    `threads` is the number of threads in that history.
    """

    equal: Literal[False]
    threads: int
    history: list[EventFields]
    live: list[int]
    guaranteed: list[list[int]]


EqualFields = SameFields | ModelDifferenceFields


def known_models() -> KnownModels:
    """Return all models that this installation knows."""
    return KnownModels(library(), further_abouts(), tuple(registered_names()))


def known_fields(models: KnownModels) -> KnownModelFields:
    """Return the known models as the JSON object that `synth model list --json` prints."""
    return {
        "library": {model.name: model.definition for model in models.library},
        "further": dict(models.further),
        "registered": list(models.registered),
    }


def check_threads(threads: int) -> None:
    """Raise LimitError if `threads` is more than the number of threads for which models have tables."""
    if threads > MAX_THREADS:
        raise LimitError(
            f"threads: found {threads}, expected at most {MAX_THREADS}, because models have no tables for more"
        )


def describe_model(model: Model, threads: int) -> ModelDescription:
    """Describe a model for a number of threads.

    The comparison looks at so many threads, and at least at five.

    Raises:
        LimitError: there are more than eight threads, or the model has too many states.
        InputError: a registered model can't be used.
    """
    check_threads(threads)
    most = max(threads, THREADS)
    places: dict[Place, list[str]] = {place: [] for place in PLACES}
    unsettled = []
    for other in library():
        less, more = is_included(model, other, most), is_included(other, model, most)
        place = PLACES[0 if less and more else 1 if more else 2 if less else 3]
        places[place].append(other.name)
        pairs = [pair for pair, holds in (((model, other), less), ((other, model), more)) if holds]
        if not all(is_settled(*pair, most) for pair in pairs):
            unsettled.append(other.name)
    order = {place: tuple(names) for place, names in places.items()}
    return ModelDescription(
        model=model,
        threads=threads,
        is_thread_symmetric=model.is_thread_symmetric(threads),
        hides_no_ops=hides_no_ops(model, most),
        states=_states(model, threads),
        order=order,
        compared=most,
        unsettled=tuple(unsettled),
    )


def _states(model: Model, threads: int) -> tuple[str, ...]:
    """Return a phrase for each state in the tables of a model, or an empty text."""
    states = model.automaton(threads).states
    if isinstance(model.fair, GuardedAutomaton):
        return tuple(map(model.fair.told, model.fair.configurations(threads)))
    if isinstance(model.fair, Expression) and states > 1:
        return tuple(f"stepped {written_set(stepped)}" for stepped in range(states))
    return ("",) * states


def description_fields(description: ModelDescription) -> ModelDescriptionFields:
    """Return the description of a model as the JSON object that `synth model show --json` prints."""
    automaton = description.model.automaton(description.threads)
    return {
        "name": description.model.name,
        "definition": description.model.definition,
        "about": description.model.about,
        "threads": description.threads,
        "thread_symmetric": description.is_thread_symmetric,
        "hides_no_ops": description.hides_no_ops,
        "states": [
            {
                "holds": holds,
                "steps": list(automaton.steps[number]),
                "ends": list(automaton.ends[number]),
                "fair": [threads_in(mask) for mask in automaton.fair[number]],
            }
            for number, holds in enumerate(description.states)
        ],
        "order": {place: list(names) for place, names in description.order.items()},
        "compared": description.compared,
        "unsettled": list(description.unsettled),
    }


def difference_fields(difference: Difference | None, models: tuple[Model, Model], threads: int) -> EqualFields:
    """Return a comparison of two models as the JSON object that `synth model equal --json` prints."""
    if difference is None:
        return {"equal": True, "threads": threads, "settled": is_settled(*models, threads)}
    return {
        "equal": False,
        "threads": difference.threads,
        "history": [{"thread": event.thread, "ends": event.ends} for event in difference.history],
        "live": threads_in(difference.live),
        "guaranteed": [threads_in(difference.first), threads_in(difference.other)],
    }
