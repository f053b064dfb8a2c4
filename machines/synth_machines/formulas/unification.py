"""Types that are found by unification (Robinson 1965): each equation between types fills in type variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.types import PowerType, ProductType, TypeVariable, shown_type

if TYPE_CHECKING:
    from synth_machines.formulas.types import Type


class MismatchError(Exception):
    """Two types can't be equal."""


class Unifier:
    """The type variables, and what is known of each of them."""

    def __init__(self) -> None:
        self._known: list[Type | None] = []
        self._found: list[int] = []  # the variables that are known, in the order in which they were found

    def new(self) -> TypeVariable:
        """Return a new type variable."""
        self._known.append(None)
        return TypeVariable(len(self._known) - 1)

    def unify(self, left: Type, right: Type) -> None:
        """Make two types equal, or raise MismatchError."""
        left, right = self._head(left), self._head(right)
        if left == right:
            return
        if isinstance(left, TypeVariable):
            self._set(left, right)
        elif isinstance(right, TypeVariable):
            self._set(right, left)
        elif isinstance(left, PowerType) and isinstance(right, PowerType):
            self.unify(left.of, right.of)
        elif isinstance(left, ProductType) and isinstance(right, ProductType):
            self.unify(left.left, right.left)
            self.unify(left.right, right.right)
        else:
            raise MismatchError(f"{shown_type(self.resolved(left))} and {shown_type(self.resolved(right))}")

    @property
    def moment(self) -> int:
        """What `back_to` takes to forget all that is found from now on."""
        return len(self._found)

    def back_to(self, moment: int) -> None:
        """Forget what was found since a moment."""
        for number in self._found[moment:]:
            self._known[number] = None
        del self._found[moment:]

    def resolved(self, type_: Type) -> Type:
        """Return a type with all that is known filled in."""
        type_ = self._head(type_)
        match type_:
            case PowerType(of):
                return PowerType(self.resolved(of))
            case ProductType(left, right):
                return ProductType(self.resolved(left), self.resolved(right))
            case _:
                return type_

    def _head(self, type_: Type) -> Type:
        while isinstance(type_, TypeVariable) and (known := self._known[type_.number]) is not None:
            type_ = known
        return type_

    def _set(self, variable: TypeVariable, type_: Type) -> None:
        if has_variable(found := self.resolved(type_), variable):
            raise MismatchError(f"a type and {shown_type(found)}, which contains it")
        self._known[variable.number] = type_
        self._found.append(variable.number)


def has_variable(type_: Type, variable: TypeVariable | None = None) -> bool:
    """Return whether a type contains a type variable: any, or the one that is given."""
    match type_:
        case PowerType(of):
            return has_variable(of, variable)
        case ProductType(left, right):
            return has_variable(left, variable) or has_variable(right, variable)
        case TypeVariable():
            return variable is None or type_ == variable
        case _:
            return False
