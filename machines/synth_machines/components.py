"""Contexts, machines and events, as they are written: formulas without types, extended events with their own part only.

Every part may have a comment. `line` is the line of a text in which a part begins, or 0; objects that differ only in
lines are equal. `left_out` says what is wrong with parts of a file that could not be read. `projects` puts components
together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_machines.formulas.formula import FormulaName, FormulaOperation

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula

Status: TypeAlias = Literal["ordinary", "anticipated", "convergent"]
INITIALISATION = "INITIALISATION"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A carrier set, constant, variable or parameter."""

    name: str
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class LabelledPredicate:
    """A predicate with a label: an axiom, an invariant, a guard or a witness."""

    label: str
    predicate: Formula
    is_theorem: bool = False
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an action does: it gives variables new values, all at once.

    `x,y ≔ E,F` has two values; in `x :∈ S` the value is S, and in `x,y :∣ P` it is P, where x' and y' are the new
    values. `f(x) ≔ E` has the argument x.
    """

    operator: Literal["≔", ":∈", ":∣"]
    targets: tuple[str, ...]
    values: tuple[Formula, ...]
    argument: Formula | None = None

    @property
    def results(self) -> tuple[Formula, ...]:
        """The values after `≔`: those of f(x) ≔ E are f <+ {x ↦ E}."""
        if self.argument is None:
            return self.values
        change = FormulaOperation("{,}", (FormulaOperation("↦", (self.argument, self.values[0])),))
        return (FormulaOperation("<+", (FormulaName(self.targets[0]), change)),)


@dataclass(frozen=True, slots=True)
class Action:
    """An assignment with a label."""

    label: str
    assignment: Assignment
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MachineVariant:
    """What convergent events decrease: an integer or a finite set."""

    expression: Formula
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MachineEvent:
    """An event. `refines` names its abstract events. If `is_extended`, there is one, and it stands in front."""

    label: str
    status: Status = "ordinary"
    refines: tuple[str, ...] = ()
    is_extended: bool = False
    parameters: tuple[Identifier, ...] = ()
    guards: tuple[LabelledPredicate, ...] = ()
    witnesses: tuple[LabelledPredicate, ...] = ()
    actions: tuple[Action, ...] = ()
    comment: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Context:
    """Carrier sets, constants and what holds for them."""

    name: str
    extends: tuple[str, ...] = ()
    sets: tuple[Identifier, ...] = ()
    constants: tuple[Identifier, ...] = ()
    axioms: tuple[LabelledPredicate, ...] = ()
    comment: str = ""
    line: int = field(default=0, compare=False)
    left_out: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MachineComponent:
    """Variables, invariants and the events that change the variables."""

    name: str
    refines: str | None = None
    sees: tuple[str, ...] = ()
    variables: tuple[Identifier, ...] = ()
    invariants: tuple[LabelledPredicate, ...] = ()
    variant: MachineVariant | None = None
    events: tuple[MachineEvent, ...] = ()
    comment: str = ""
    line: int = field(default=0, compare=False)
    left_out: tuple[str, ...] = field(default=(), compare=False)


Component: TypeAlias = Context | MachineComponent
