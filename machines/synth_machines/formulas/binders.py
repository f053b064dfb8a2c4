"""Read what binds names: quantifiers, sets with a condition, and λ."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias, cast

from synth_checker.errors import InputError, LimitError
from synth_machines.formulas.cursor import MOST_NESTED, Cursor
from synth_machines.formulas.formula import Binding, Bound, Name, Operation
from synth_machines.formulas.names import free_names

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Binder, Formula
    from synth_machines.formulas.types import Type

    #: What λ binds: a name, or a pair of patterns.
    _Pattern: TypeAlias = "Bound | tuple[_Pattern, _Pattern]"


class BinderReader(Cursor, ABC):
    """The part of the reader that reads bound names and what stands behind them."""

    @abstractmethod
    def predicate(self) -> Formula:
        """Read a predicate."""

    @abstractmethod
    def expression(self, lowest: int = 4) -> Formula:
        """Read an expression whose operators bind at least as tightly as `lowest`."""

    @abstractmethod
    def type(self) -> Type:
        """Read a type."""

    def quantified(self) -> Formula:
        """Read a formula that begins with ∀, ∃, ⋃, ⋂ or λ."""
        operator = self.take().text
        if operator == "λ":
            return self._lambda()
        binder = cast("Binder", operator)
        if operator in {"∀", "∃"}:
            return Binding(binder, self.bound_names(), self.predicate())
        if self.has_bound_names():
            return self.comprehension(binder, self.bound_names())
        return self.implicit(binder, self.expression())

    def _lambda(self) -> Formula:
        start = self.next
        pattern = self._pattern()
        bound = _bounds_of(pattern)
        if len({name.name for name in bound}) < len(bound):
            raise self.fail("different names between λ and ·", start)
        self.expect("·")
        condition = self.predicate()
        self.expect("∣")
        value = Operation("↦", (_as_pairs(pattern), self.expression()))
        return Binding("{}", tuple(bound), condition, value, "lambda")

    def _pattern(self) -> _Pattern:
        """Read what stands between λ and `·`: names and ↦, as nested pairs."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise LimitError(f"{self.next.place}: found more than {MOST_NESTED} pairs inside each other")
        found = self._pattern_part()
        while self.is_next("↦"):
            self.take()
            found = (found, self._pattern_part())
        self.depth -= 1
        return found

    def _pattern_part(self) -> _Pattern:
        if self.is_next("("):
            self.take()
            found = self._pattern()
            self.expect(")")
            return found
        return self._bound_name()

    def _bound_name(self) -> Bound:
        name = self.name()
        if not self.is_next("⦂"):
            return Bound(name)
        self.take()
        return Bound(name, self.type())

    def bound_names(self) -> tuple[Bound, ...]:
        """Read names with commas, and the `·` behind them."""
        found = [self._bound_name()]
        while self.is_next(","):
            self.take()
            found.append(self._bound_name())
        if len({bound.name for bound in found}) < len(found):
            raise self.fail("different names before ·")
        self.expect("·")
        return tuple(found)

    def has_bound_names(self) -> bool:
        """Return whether names with commas follow, and then `·`. A name may have a type."""
        position, depth = self.position, self.depth
        try:
            self.bound_names()
        except InputError:
            return False
        finally:
            self.position, self.depth = position, depth
        return True

    def comprehension(self, binder: Binder, bound: tuple[Bound, ...]) -> Formula:
        """Read `P∣E` after the bound names."""
        condition = self.predicate()
        self.expect("∣")
        return Binding(binder, bound, condition, self.expression())

    def implicit(self, binder: Binder, value: Formula) -> Formula:
        """Read `∣P` after an expression, which binds all of its free names."""
        names = free_names(value)
        if not names:
            raise self.fail("an expression with names before ∣")
        self.expect("∣")
        return Binding(binder, tuple(map(Bound, names)), self.predicate(), value, "implicit")


def _bounds_of(pattern: _Pattern) -> list[Bound]:
    """Return the names of a pattern, from left to right."""
    return [pattern] if isinstance(pattern, Bound) else [bound for part in pattern for bound in _bounds_of(part)]


def _as_pairs(pattern: _Pattern) -> Formula:
    """Return a pattern as an expression."""
    if isinstance(pattern, Bound):
        return Name(pattern.name)
    return Operation("↦", (_as_pairs(pattern[0]), _as_pairs(pattern[1])))
