"""Components that have been checked: all formulas have types, extended events are whole, and references are resolved.

`static_checks` makes these objects. Obligations, provers and animation start from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_machines.components import INITIALISATION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.components import Action, Context, LabelledPredicate, MachineComponent, MachineEvent, Status
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class CheckedContext:
    """A context. `all_axioms` begins with those of the contexts that it extends, and ends with its own `axioms`.

    `types` are those of all carrier sets and constants, also of extended contexts. `carriers` are the carrier sets
    among them. `left_out` says what is wrong with parts that were left out. It is whole if no part was left out, here
    or in what it extends.
    """

    context: Context
    axioms: tuple[LabelledPredicate, ...]
    all_axioms: tuple[LabelledPredicate, ...]
    types: Mapping[str, Type]
    carriers: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def name(self) -> str:
        """The name of the context."""
        return self.context.name


@dataclass(frozen=True, slots=True, eq=False)
class CheckedEvent:
    """An event with all that it extends.

    `abstract` are the events that it refines: none for a new event, several for a merge. `types` are those of the
    parameters. Guards, actions and witnesses have types.
    """

    event: MachineEvent
    abstract: tuple[CheckedEvent, ...]
    parameters: tuple[str, ...]
    types: Mapping[str, Type]
    guards: tuple[LabelledPredicate, ...]
    witnesses: tuple[LabelledPredicate, ...]
    actions: tuple[Action, ...]
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name of the event."""
        return self.event.label

    @property
    def status(self) -> Status:
        """Whether the event is ordinary, anticipated or convergent."""
        return self.event.status

    @property
    def is_initialisation(self) -> bool:
        """Whether this is the event with which a machine begins."""
        return self.label == INITIALISATION

    @property
    def assigned(self) -> list[str]:
        """The variables that the event assigns."""
        return [target for action in self.actions for target in action.assignment.targets]


@dataclass(frozen=True, slots=True, eq=False)
class CheckedMachine:
    """A machine, with the machine that it refines.

    `axioms` are all that hold for constants, along the whole chain of refinement. `all_invariants` begins with those of
    the abstract machines. `types` are those of carrier sets, constants and variables, also of variables that only
    abstract machines have. `notes` say what is doubtful, but not wrong. `left_out` and `is_whole` are as for contexts.
    """

    machine: MachineComponent
    abstract: CheckedMachine | None
    axioms: tuple[LabelledPredicate, ...]
    invariants: tuple[LabelledPredicate, ...]
    all_invariants: tuple[LabelledPredicate, ...]
    variant: Formula | None
    events: tuple[CheckedEvent, ...]
    types: Mapping[str, Type]
    carriers: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())
    left_out: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def name(self) -> str:
        """The name of the machine."""
        return self.machine.name

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the machine's own variables."""
        return tuple(variable.name for variable in self.machine.variables)

    @property
    def hidden(self) -> frozenset[str]:
        """The names of all variables that only abstract machines have, along the whole chain."""
        names: set[str] = set()
        abstract = self.abstract
        while abstract is not None:
            names.update(abstract.variables)
            abstract = abstract.abstract
        return frozenset(names) - frozenset(self.variables)

    @property
    def kept(self) -> frozenset[str]:
        """The variables that the abstract machine has, too."""
        return frozenset(self.variables) & frozenset(self.abstract.variables if self.abstract else ())

    @property
    def vanished(self) -> frozenset[str]:
        """The variables of the abstract machine that this one does not have."""
        return frozenset(self.abstract.variables if self.abstract else ()) - frozenset(self.variables)
