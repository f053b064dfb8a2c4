"""Find the type of each name, bound name and generic constant of formulas that belong together.

    scope = Scope({"S": PowerType(CarrierType("S"))})
    typed = scope.predicate(read_predicate("x ∈ S ∧ f = ∅ ∪ {x ↦ 1}"), new=("x", "f"))
    scope.finish()

Nothing is declared with a type. Formulas of one scope are read one by one, and the types that they leave open may
follow from later ones. `finish` refuses what is still open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import hint
from synth_machines.formulas.formula import Binding, Bound, Constant, Name, Number, Operation
from synth_machines.formulas.printer import shown
from synth_machines.formulas.signatures import BOOLEAN_CONSTANTS, SIGNATURES, constant_type
from synth_machines.formulas.types import BOOLEAN, INTEGER, PowerType
from synth_machines.formulas.unification import MismatchError, Unifier, has_variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

#: The type of predicates inside this module. It is no type of Event-B.
_TRUTH = None


class Scope:
    """The types of free names; those that are open are found while formulas are read."""

    def __init__(self, known: Mapping[str, Type]) -> None:
        self.types: dict[str, Type] = dict(known)
        self._unifier = Unifier()

    def inner(self, types: Mapping[str, Type]) -> Scope:
        """Return a scope with further names, which shares the types that are open with this one."""
        found = Scope({**self.types, **types})
        found._unifier = self._unifier
        return found

    def add(self, names: Iterable[str]) -> None:
        """Add free names whose types are not known yet."""
        for name in names:
            self.types[name] = self._unifier.new()

    def predicate(self, formula: Formula) -> Formula:
        """Take what a predicate says about types, and return it for `typed`.

        Raises:
            InputError: the predicate is not well typed, or has an unknown name. Then it has said nothing.
        """
        before = self._unifier.moment
        try:
            found, _ = self._walk(formula, {})
        except InputError:
            self._unifier.back_to(before)
            raise
        return found

    def expression(self, formula: Formula, kind: Type | None = None) -> Formula:
        """Take what an expression says about types; if `kind` is given, it is the type of the expression."""
        found, own = self._walk(formula, {})
        if kind is not None and own is not None:
            self._unify(own, kind, formula)
        return found

    def finish(self, names: Iterable[str]) -> None:
        """Fill in the types of free names.

        Raises:
            InputError: the type of a name is still open.
        """
        for name in names:
            self.types[name] = self._unifier.resolved(self.types[name])
            if has_variable(self.types[name]):
                raise InputError(f"{name}: found nothing that says its type, expected a predicate such as {name} ∈ ℤ")

    def is_open(self, name: str) -> bool:
        """Return whether the type of a free name is not known yet."""
        return has_variable(self._unifier.resolved(self.types[name]))

    def typed(self, formula: Formula) -> Formula:
        """Return a formula of `predicate` or `expression` with all types filled in.

        Raises:
            InputError: the type of a bound name or of a constant is still open.
        """
        match formula:
            case Constant(word, kind) if kind is not None:
                return Constant(word, self._closed(kind, word, formula))
            case Operation(operator, operands):
                return Operation(operator, tuple(self.typed(operand) for operand in operands))
            case Binding(binder, bound, condition, value, form):
                names = tuple(Bound(name.name, self._closed(name.type, name.name, formula)) for name in bound)
                inner = None if value is None else self.typed(value)
                return Binding(binder, names, self.typed(condition), inner, form)
            case _:
                return formula

    def _closed(self, kind: Type | None, what: str, where: Formula) -> Type:
        found = self._unifier.resolved(kind or self._unifier.new())
        if has_variable(found):
            raise InputError(
                f"{shown(where)}: found nothing that says the type of {what}, expected a predicate about it"
            )
        return found

    def _walk(self, formula: Formula, bound: Mapping[str, Type]) -> tuple[Formula, Type | None]:
        """Return a formula with types that may be open, and its own type, which is None for a predicate."""
        match formula:
            case Name(name):
                return formula, self._type_of_name(name, bound)
            case Number():
                return formula, INTEGER
            case Constant(word, kind):
                if word in BOOLEAN_CONSTANTS:
                    return formula, _TRUTH if word in {"⊤", "⊥"} else BOOLEAN
                own = constant_type(word, self._unifier.new)
                if kind is not None:
                    self._unify(own, kind, formula)
                return (Constant(word, own) if word in {"∅", "id", "prj1", "prj2"} else formula), own
            case Operation(operator, operands):
                return self._operation(operator, operands, formula, bound)
            case Binding():
                return self._binding(formula, bound)

    def _type_of_name(self, name: str, bound: Mapping[str, Type]) -> Type:
        found = bound.get(name, self.types.get(name))
        if found is None:
            raise InputError(f"found {name}, which is not declared{hint(name, [*self.types, *bound])}")
        return found

    def _operation(
        self, operator: str, operands: tuple[Formula, ...], whole: Formula, bound: Mapping[str, Type]
    ) -> tuple[Formula, Type | None]:
        walked = [self._walk(operand, bound) for operand in operands]
        found = Operation(operator, tuple(formula for formula, _ in walked))
        types = [own for _, own in walked if own is not None]
        if operator == "bool":
            return found, BOOLEAN
        if not types:
            return found, _TRUTH
        expected, result = SIGNATURES[operator](len(types), self._unifier.new)
        for own, wanted in zip(types, expected, strict=True):
            self._unify(own, wanted, whole)
        return found, result

    def _binding(self, formula: Binding, bound: Mapping[str, Type]) -> tuple[Formula, Type | None]:
        names = tuple(Bound(name.name, name.type or self._unifier.new()) for name in formula.bound)
        inner = {**bound, **{name.name: name.type for name in names if name.type is not None}}
        condition, _ = self._walk(formula.condition, inner)
        if formula.value is None:
            return Binding(formula.binder, names, condition), _TRUTH
        value, own = self._walk(formula.value, inner)
        assert own is not None  # noqa: S101  (the reader has looked)
        found = Binding(formula.binder, names, condition, value, formula.form)
        if formula.binder == "{}":
            return found, PowerType(own)
        self._unify(own, PowerType(self._unifier.new()), formula)
        return found, own

    def _unify(self, left: Type, right: Type, where: Formula) -> None:
        try:
            self._unifier.unify(left, right)
        except MismatchError as error:
            raise InputError(f"{shown(where)}: found the types {error}, expected equal types") from None


def type_of(formula: Formula, types: Mapping[str, Type]) -> Type:
    """Return the type of an expression whose parts have all their types."""
    match formula:
        case Name(name):
            return types[name]
        case Number():
            return INTEGER
        case Constant(word, kind):
            return kind or constant_type(word, Unifier().new)
        case Binding(binder, bound, _, value):
            assert value is not None  # noqa: S101  (predicates have no type)
            own = type_of(value, {**types, **{name.name: name.type for name in bound if name.type is not None}})
            return PowerType(own) if binder == "{}" else own
        case Operation("bool"):
            return BOOLEAN
        case Operation(operator, operands):
            unifier = Unifier()
            expected, result = SIGNATURES[operator](len(operands), unifier.new)
            for operand, wanted in zip(operands, expected, strict=True):
                unifier.unify(type_of(operand, types), wanted)
            assert result is not None  # noqa: S101  (predicates have no type)
            return unifier.resolved(result)
