"""Describe a model: its states for a number of threads, and how it compares with the six models of the library.

A model is *more than* another one if it guarantees all threads that the other does in every state on a cycle, and
further threads in some state (`synth_checker.relations.fairness_order`). So a model that is more than another one is at
least as fair. Two models are *beside* each other if neither is more than the other.
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for the JSON Schema)
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from synth_checker.errors import LimitError
from synth_checker.models import Model, library
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.models.expression import Expression
from synth_checker.models.further import further_abouts
from synth_checker.models.guarded import GuardedAutomaton
from synth_checker.models.registered import registered_names
from synth_checker.relations.fairness_order import THREADS, Event, is_included, is_settled
from synth_checker.relations.model_difference import difference
from synth_checker.relations.no_ops import hides_no_ops
from synth_documents.phrases import threads_in, written_set
from synth_storage.answer_json import HIDDEN, answer_from

Place = Literal["the same as", "more than", "less than", "beside"]
PLACES: tuple[Place, ...] = ("the same as", "more than", "less than", "beside")


@dataclass(frozen=True, slots=True)
class KnownModels:
    """The definitions of the library's models, the comments of further models, and the names of registered models."""

    library: dict[str, str]
    further: dict[str, str]
    registered: list[str]


class ModelState(NamedTuple):
    """A state of a model: a phrase for it, the states that follow it, and its fair sets.

    A state is a number. `steps` and `ends` have the next state for a step and for the end of each thread. `fair` has a
    fair set for each set of live threads, in the order of their bit masks.
    """

    holds: str
    steps: Sequence[int]
    ends: Sequence[int]
    fair: list[list[int]]


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """A model for a number of threads, with all its tables, and its comparison with the six models of the library.

    `hides_no_ops` says whether it is proven that every program of up to `compared` threads has the same verdicts as its
    normal form (`synth_checker.relations.no_ops`). `order` lists the six models of the library by how this model
    compares with them with up to `compared` threads. More threads may change how it compares with the models in
    `unsettled`. For a model of the library, docs/understand/semantics.md proves that the model hides no-ops with any
    number of threads.
    """

    name: str
    definition: str
    about: str
    threads: int
    thread_symmetric: bool
    hides_no_ops: bool
    states: list[ModelState]
    order: dict[Place, list[str]]
    compared: int
    unsettled: list[str]
    model: Model = field(metadata=HIDDEN)

    @property
    def is_of_library(self) -> bool:
        """Whether the model promises what a model of the library does, by its definition."""
        return any(self.model.fair == model.fair for model in library())


class SameModels(NamedTuple):
    """The answer that two models guarantee the same with up to `threads` threads, or with any number if `settled`."""

    equal: Literal[True]
    threads: int
    settled: bool


class ModelDifference(NamedTuple):
    """The answer that two models differ, with the shortest history after which they guarantee different threads.

    `threads` is the number of threads in that history.
    """

    equal: Literal[False]
    threads: int
    history: tuple[Event, ...]
    live: list[int]
    guaranteed: list[list[int]]


EqualAnswer = SameModels | ModelDifference


def known_models() -> KnownModels:
    """Return all models that this installation knows."""
    definitions = {model.name: model.definition for model in library()}
    return KnownModels(definitions, dict(further_abouts()), list(registered_names()))


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
    return answer_from(
        ModelDescription,
        model,
        threads=threads,
        thread_symmetric=model.is_thread_symmetric(threads),
        hides_no_ops=hides_no_ops(model, most),
        states=_states(model, threads),
        order=places,
        compared=most,
        unsettled=unsettled,
        model=model,
    )


def _states(model: Model, threads: int) -> list[ModelState]:
    automaton = model.automaton(threads)
    return [
        ModelState(
            holds, automaton.steps[number], automaton.ends[number], list(map(threads_in, automaton.fair[number]))
        )
        for number, holds in enumerate(_phrases(model, threads))
    ]


def _phrases(model: Model, threads: int) -> tuple[str, ...]:
    """Return a phrase for each state in the tables of a model, or an empty text."""
    states = model.automaton(threads).states
    if isinstance(model.fair, GuardedAutomaton):
        return tuple(map(model.fair.told, model.fair.configurations(threads)))
    if isinstance(model.fair, Expression) and states > 1:
        return tuple(f"stepped {written_set(stepped)}" for stepped in range(states))
    return ("",) * states


def compare_models(models: tuple[Model, Model], threads: int) -> EqualAnswer:
    """Say whether two models are the same with up to a number of threads.

    Raises:
        LimitError: `threads` is too large, or the models have too many states side by side.
        InputError: a registered model cannot be used.
    """
    check_threads(threads)
    found = difference(*models, threads)
    if found is None:
        return SameModels(equal=True, threads=threads, settled=is_settled(*models, threads))
    guaranteed = [threads_in(found.first), threads_in(found.other)]
    return ModelDifference(False, found.threads, found.history, threads_in(found.live), guaranteed)  # noqa: FBT003
