"""Turn a transition system into a graph for people and for other tools, alone or together with a model.

A step is `on_cycle` if some execution can take it again. It can go on `for_ever` under a form of the model if it lies
in a set of states that makes a program fail that form. Without a model, nothing is promised, so every cycle can go on
without end.

`lts_of` makes the graph of a program. `lts_of_system` makes that of any other transition system with the interface
`DrawnSystem`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from synth_checker.certificates.product import MAX_STATES, Product, failing_sets, product_of, recurrent_sets
from synth_checker.models import Form, Model, library
from synth_checker.notebook import NotebookObject
from synth_checker.programs.program import State
from synth_checker.transitions.state_bounds import check_states
from synth_checker.transitions.transition_system import AnyState, TransitionSystem
from synth_litmus.inputs.models import given_model
from synth_litmus.lts.drawn_program import DrawnProgram

if TYPE_CHECKING:
    from synth_checker.programs.program import Program

#: The type of states that are written as text.
Told_contra = TypeVar("Told_contra", bound=Hashable, contravariant=True)
#: The model for an LTS without a model: it changes nothing there, and promises nothing about cycles.
NO_PROMISE = library()[0]


class Drawable(Protocol[Told_contra]):
    """The interface of what can write the states and steps of a transition system as text."""

    @property
    def title(self) -> str:
        """The title of the drawing."""

    def lines(self, state: Told_contra) -> list[str]:
        """Return the lines of text that a drawing has in the box of a state."""

    def told(self, state: Told_contra, thread: int) -> str:
        """Return text for people that says what a live thread does in its next step from a state."""

    def label(self, state: Told_contra, thread: int) -> str:
        """Return text for other tools that says what a live thread does in its next step from a state."""


class DrawnSystem(TransitionSystem[AnyState], Drawable[AnyState], Protocol[AnyState]):
    """The interface of a transition system that can write its states and steps as text."""


class LtsTransition(NamedTuple):
    """A step of a thread from one state to another. States are numbered from 0, which is the start.

    `on_cycle` says whether an execution can take the step again and again. `for_ever` has the forms of the model under
    which an execution may do so without end.
    """

    source: int
    thread: int
    target: int
    on_cycle: bool
    for_ever: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Lts(NotebookObject, Generic[AnyState]):
    """A transition system, its product with a model, and all steps in the order of the states.

    `model` is None if there is no model. `forms` are the forms of the model that the caller asked for.
    """

    system: Drawable[AnyState]
    model: Model | None
    forms: tuple[Form, ...]
    product: Product[AnyState]
    transitions: tuple[LtsTransition, ...]

    @property
    def title(self) -> str:
        """A title that names the system and the model."""
        if self.model is None:
            return self.system.title
        only = f".{self.forms[0]}" if len(self.forms) < len(self.model.forms) else ""
        return f"{self.system.title} under {self.model.name}{only}"


@dataclass(frozen=True, slots=True)
class ProgramLts(Lts[State]):
    """The transition system of a program; the field `of` has the program."""

    of: DrawnProgram


def lts_of(program: Program, model: str | None = None, name: str | None = None) -> ProgramLts:
    """Return the transition system (LTS) of a program with its no-ops.

    `model` names a model, or a verdict for one form of a model only.

    Raises:
        InputError: there is no such model, or the program has only no-ops.
        LimitError: the program has more than 32 threads, or too many states.
    """
    drawn = DrawnProgram(program, name)
    check_states(drawn.program, MAX_STATES)
    lts = lts_of_system(drawn, model)
    return ProgramLts(drawn, lts.model, lts.forms, lts.product, lts.transitions, drawn)


def lts_of_system(system: DrawnSystem[AnyState], model: str | None = None) -> Lts[AnyState]:
    """Return the graph of any transition system; `model` names a model, or a verdict for one form of a model only.

    Raises:
        InputError: there is no such model, or a step of the system is not as `TransitionSystem` demands.
        LimitError: the system has more than 32 threads, or too many states.
    """
    chosen, forms = named_model(model)
    return lts_of_product(system, chosen, forms, product_of(system, (chosen or NO_PROMISE).beside(system.threads)))


def named_model(word: str | None) -> tuple[Model | None, tuple[Form, ...]]:
    """Return the model that a word names, and the forms of it. Without a word there is no model.

    Raises:
        InputError: there is no such model.
    """
    return (None, NO_PROMISE.forms) if word is None else given_model(word)


def lts_of_product(
    system: Drawable[AnyState], model: Model | None, forms: tuple[Form, ...], product: Product[AnyState]
) -> Lts[AnyState]:
    """Return the graph of a product that is already there. Without a model, its model is `NO_PROMISE`."""
    cycles = _numbers(recurrent_sets(product, set(range(len(product.states)))))
    failing = {each: _numbers(failing_sets(product, each)) for each in forms}
    transitions = tuple(
        LtsTransition(
            source,
            thread,
            target,
            _is_inside(cycles, source, target),
            tuple(each for each in forms if _is_inside(failing[each], source, target)),
        )
        for source, row in enumerate(product.successors)
        for thread, target in row.items()
    )
    return Lts(system, model, forms, product, transitions)


def _numbers(sets: list[set[int]]) -> dict[int, int]:
    """Return for each state that lies in one of some disjoint sets the number of that set."""
    return {state: number for number, c in enumerate(sets) for state in c}


def _is_inside(numbers: dict[int, int], source: int, target: int) -> bool:
    return source in numbers and numbers[source] == numbers.get(target)
