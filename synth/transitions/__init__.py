"""A transition system as a graph for people and for other tools: alone, or as the product with a model.

A step is `on_cycle` if some execution can take it again, and it may go on `for_ever` under the forms of the model in
whose failing sets it lies. Without a model each cycle is one that nobody promises to leave.

Programs are drawn by `lts_of`; any other transition system that says what to write, `Drawn`, by `lts_of_system`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol

from synth.inputs.given_models import given_model
from synth.transitions.drawn_program import DrawnProgram
from synth_checker.certificates.product import MAX_STATES, Product, failing_sets, product_of, recurrent_sets
from synth_checker.models import Form, Model, library
from synth_checker.program import State
from synth_checker.state_bounds import check_states
from synth_checker.transition_system import AnyState, TransitionSystem

if TYPE_CHECKING:
    from synth_checker.program import Program


class Drawn(TransitionSystem[AnyState], Protocol[AnyState]):
    """A transition system that says how its states and steps are written."""

    @property
    def title(self) -> str:
        """What it is."""

    def lines(self, state: AnyState) -> list[str]:
        """What stands in the box of a state."""

    def told(self, state: AnyState, thread: int) -> str:
        """The step of a live thread, for people."""

    def label(self, state: AnyState, thread: int) -> str:
        """The step of a live thread, for other tools."""


class Transition(NamedTuple):
    """A step of a thread between two states, which are numbered from 0, the start."""

    source: int
    thread: int
    target: int
    on_cycle: bool
    for_ever: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Lts(Generic[AnyState]):
    """A transition system, the product with the model, if there is one, and all steps in the order of states.

    `forms` are the forms of the model that were asked for.
    """

    system: Drawn[AnyState]
    model: Model | None
    forms: tuple[Form, ...]
    product: Product[AnyState]
    transitions: tuple[Transition, ...]

    @property
    def title(self) -> str:
        """What is shown: the system and the model."""
        if self.model is None:
            return self.system.title
        only = f".{self.forms[0]}" if len(self.forms) < len(self.model.forms) else ""
        return f"{self.system.title} under {self.model.name}{only}"


@dataclass(frozen=True, slots=True)
class ProgramLts(Lts[State]):
    """The same of a program, `of`."""

    of: DrawnProgram


def lts_of(program: Program, model: str | None = None, name: str | None = None) -> ProgramLts:
    """The LTS of a program, no-ops and all; `model` names a model, or a verdict for one form only.

    Raises:
        InputError: there is no such model, or the program consists of no-ops.
        LimitError: the program has more than 32 threads, or too many states.
    """
    drawn = DrawnProgram(program, name)
    check_states(drawn.program, MAX_STATES)
    made = lts_of_system(drawn, model)
    return ProgramLts(drawn, made.model, made.forms, made.product, made.transitions, drawn)


def lts_of_system(system: Drawn[AnyState], model: str | None = None) -> Lts[AnyState]:
    """The same of any transition system.

    Raises:
        InputError: there is no such model, or a step of the system is not as `TransitionSystem` says.
        LimitError: the system has more than 32 threads, or too many states.
    """
    chosen, forms = (None, library()[0].forms) if model is None else given_model(model)
    # A model that is never fair leaves the LTS as it is, and nobody promises to leave a cycle.
    product = product_of(system, (chosen or library()[0]).beside(system.threads))
    cycles = _numbers(recurrent_sets(product, set(range(len(product.states)))))
    failing = {each: _numbers(failing_sets(product, each)) for each in forms}
    transitions = tuple(
        Transition(
            source,
            thread,
            target,
            _is_inside(cycles, source, target),
            tuple(each for each in forms if _is_inside(failing[each], source, target)),
        )
        for source, row in enumerate(product.successors)
        for thread, target in row.items()
    )
    return Lts(system, chosen, forms, product, transitions)


def _numbers(sets: list[set[int]]) -> dict[int, int]:
    """For each state that is in one of some disjoint sets, which."""
    return {state: number for number, c in enumerate(sets) for state in c}


def _is_inside(numbers: dict[int, int], source: int, target: int) -> bool:
    return source in numbers and numbers[source] == numbers.get(target)
