"""An obligation: hypotheses, and a goal that must follow from them. A trivial goal is no obligation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_machines.formulas.formula import TRUTH, FormulaName, FormulaOperation
from synth_machines.formulas.names import free_names
from synth_machines.formulas.type_expressions import as_type
from synth_machines.formulas.types import CarrierType, PowerType, ProductType

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

#: The last part of Rodin's names. `SAT` is ours: ⊥ does not follow from the axioms of a context.
Kind: TypeAlias = Literal[
    "WD", "THM", "INV", "FIS", "GRD", "MRG", "SIM", "EQL", "WWD", "WFIS", "VWD", "FIN", "NAT", "VAR", "SAT"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourcedPredicate:
    """A predicate that holds, and where it comes from: `kernel/inv3`, or the label of a guard or an action."""

    source: str
    predicate: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Obligation:
    """What must be proved.

    `name` is unique within the component. `types` are those of all free names; a name with a prime is the value after
    the event. `event` is the label of the event that the obligation is about, if there is one. The last `local`
    hypotheses are those of the event: its guards, and what its actions and witnesses say. It is partial if hypotheses
    may be missing. Then it can be proved, but not refuted.
    """

    component: str
    name: str
    kind: Kind
    hypotheses: tuple[SourcedPredicate, ...]
    goal: Formula
    types: Mapping[str, Type]
    carriers: tuple[str, ...]
    event: str | None = None
    local: int = 0
    is_partial: bool = False

    @property
    def full_name(self) -> str:
        """The name with that of the component."""
        return f"{self.component}/{self.name}"


def is_trivial(goal: Formula, carriers: Collection[str]) -> bool:
    """Return whether a goal is ⊤, or says that an expression is of its type: E∈T or E⊆T."""
    match goal:
        case FormulaOperation("∈" | "⊆", (_, members)):
            kind = as_type(members)
            return kind is not None and _is_known(kind, carriers)
        case _:
            return goal == TRUTH


def _is_known(kind: Type, carriers: Collection[str]) -> bool:
    match kind:
        case CarrierType(name):
            return name in carriers
        case PowerType(of):
            return _is_known(of, carriers)
        case ProductType(left, right):
            return _is_known(left, carriers) and _is_known(right, carriers)
        case _:
            return True


def names_in(formula: Formula) -> set[str]:
    """Return the free names of a formula."""
    return set(free_names(formula))


def is_named(names: Collection[str], formula: Formula) -> bool:
    """Return whether one of some names is free in a formula."""
    return any(name in names for name in free_names(formula))


def equation(name: str, value: Formula) -> Formula:
    """Return `name = value`."""
    return FormulaOperation("=", (FormulaName(name), value))
