"""The sorts, constants and functions of a query, with ASCII names of our own.

`Symbols` gives every carrier set a sort and every free name a value. A set is a predicate over the components of its
elements. A function, if a hypothesis says that a name is one, is a predicate for its domain and a function for each
component of its values. A set that is an element of a set, or that is bound, is an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.types import (
    BooleanType,
    CarrierType,
    IntegerType,
    PowerType,
    ProductType,
    shown_type,
)
from synth_machines.sequents.terms import applied, conj, equals, implies, quantified
from synth_machines.sequents.values import FunctionPart, SetValue, UnsupportedError, Value, function_of, pair_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from synth_machines.formulas.types import Type


class Symbols:
    """The declarations of a query.

    `enumerated` gives, for some carrier sets, the constants that are all of their elements. `functions` are the free
    names that are functions. `has_finite_carriers` says whether all carrier sets are finite.
    """

    has_finite_carriers = False

    def __init__(
        self, types: Mapping[str, Type], enumerated: Mapping[str, tuple[str, ...]], functions: Collection[str]
    ) -> None:
        self.types = types
        self.declarations: list[str] = []
        #: What holds for the symbols that were declared on the way.
        self.axioms: list[str] = []
        #: The variables that are bound where a formula is being written.
        self.scope: list[tuple[str, str]] = []
        self._enumerated = enumerated
        self._functions = frozenset(functions)
        self._sorts: dict[str, str] = {}
        self._values: dict[str, Value] = {}
        self._number = 0
        self._elements = {name: sort for sort, names in enumerated.items() for name in names}

    def new(self, stem: str) -> str:
        """Return a name that is not used yet."""
        self._number += 1
        return f"{stem}{self._number}"

    def elements(self, kind: Type) -> list[Value] | None:
        """Return all elements of a type if they are listed one by one."""
        del kind
        return None

    def sort(self, carrier: str) -> str:
        """Return the sort of a carrier set."""
        if carrier not in self._sorts:
            sort = self._sorts[carrier] = self.new("S")
            names = self._enumerated.get(carrier)
            if names is None:
                self.declarations.append(f"(declare-sort {sort} 0)")
            else:
                symbols = [self.new("e") for _ in names]
                self._values |= dict(zip(names, symbols, strict=True))
                listed = " ".join(f"({symbol})" for symbol in symbols)
                self.declarations.append(f"(declare-datatypes (({sort} 0)) (({listed})))")
        return self._sorts[carrier]

    def sorts(self, kind: Type) -> list[str]:
        """Return the sorts of the components of a value."""
        match kind:
            case IntegerType():
                return ["Int"]
            case BooleanType():
                return ["Bool"]
            case CarrierType(name):
                return [self.sort(name)]
            case ProductType(left, right):
                return [*self.sorts(left), *self.sorts(right)]
            case PowerType(of):
                sort = "Bool"
                for index_sort in reversed(self.sorts(of)):
                    sort = f"(Array {index_sort} {sort})"
                return [sort]
            case _:
                raise UnsupportedError(f"a value of type {shown_type(kind)}")

    def constant(self, name: str) -> Value:
        """Return the value of a free name."""
        if name in self._elements:
            self.sort(self._elements[name])
        if name not in self._values:
            self._values[name] = self.declared(self.types[name], is_function=name in self._functions)
        return self._values[name]

    def declared(self, kind: Type, *, is_function: bool = False) -> Value:
        """Declare a constant of a type."""
        if isinstance(kind, ProductType):
            return self.declared(kind.left), self.declared(kind.right)
        if not isinstance(kind, PowerType):
            return self.function("c", [], self.sorts(kind)[0])
        if is_function and isinstance(kind.of, ProductType):
            return self._declared_function(kind.of)
        predicate = self.function("p", self.sorts(kind.of), "Bool")
        return SetValue(kind.of, lambda element: applied(predicate, self.components(element)))

    def _declared_function(self, pair: ProductType) -> Value:
        places = self.sorts(pair.left)
        domain = self.function("d", places, "Bool")
        values = [self.function("f", places, sort) for sort in self.sorts(pair.right)]

        def apply(place: Value) -> Value:
            components = self.components(place)
            return self.assembled(pair.right, iter([applied(value, components) for value in values]))

        part = FunctionPart(lambda place: applied(domain, self.components(place)), apply)
        return function_of(pair, part, self.same)

    def function(self, stem: str, arguments: Iterable[str], sort: str) -> str:
        """Declare a function, and return its name."""
        name = self.new(stem)
        self.declarations.append(f"(declare-fun {name} ({' '.join(arguments)}) {sort})")
        return name

    def here(self, stem: str, sort: str) -> str:
        """Declare a term that may depend on all variables that are bound here, and return it."""
        return applied(self.function(stem, [sort for _, sort in self.scope], sort), [name for name, _ in self.scope])

    def state(self, axiom: str) -> None:
        """Add an axiom about terms of `here`, for all values of the bound variables."""
        self.axioms.append(quantified("forall", list(self.scope), axiom))

    def components(self, value: Value) -> list[str]:
        """Return the components of a value, as terms."""
        if isinstance(value, tuple):
            return [*self.components(value[0]), *self.components(value[1])]
        return [self._array(value) if isinstance(value, SetValue) else value]

    def _array(self, members: SetValue) -> str:
        """Return a set as an array."""
        if members.term is not None:
            return members.term
        term = self.here("a", self.sorts(PowerType(members.element))[0])
        as_array = self.array_set(members.element, term)
        self.state(
            self.quantify(
                "forall", members.element, lambda element: equals(as_array.contains(element), members.contains(element))
            )
        )
        return term

    def array_set(self, element: Type, term: str) -> SetValue:
        """Return the set that an array is."""

        def contains(value: Value) -> str:
            found = term
            for component in self.components(value):
                found = f"(select {found} {component})"
            return found

        return SetValue(element, contains, term=term)

    def assembled(self, kind: Type, terms: Iterable[str]) -> Value:
        """Return the value of a type that has some components."""
        parts = iter(terms)
        if isinstance(kind, ProductType):
            left = self.assembled(kind.left, parts)
            return left, self.assembled(kind.right, parts)
        if isinstance(kind, PowerType):
            return self.array_set(kind.of, next(parts))
        return next(parts)

    def quantify(self, word: str, kind: Type, body: Callable[[Value], str]) -> str:
        """Return a quantified term about all values, or some value, of a type."""
        variables = [(self.new("x"), sort) for sort in self.sorts(kind)]
        self.scope += variables
        try:
            inner = body(self.assembled(kind, [name for name, _ in variables]))
        finally:
            del self.scope[len(self.scope) - len(variables) :]
        return quantified(word, variables, inner)

    def for_all(self, kind: Type, body: Callable[[Value], str]) -> str:
        """Return `∀x·body(x)`."""
        return self.quantify("forall", kind, body)

    def exists(self, kind: Type, body: Callable[[Value], str]) -> str:
        """Return `∃x·body(x)`."""
        return self.quantify("exists", kind, body)

    def same(self, left: Value, right: Value) -> str:
        """Return the term that says that two values are equal."""
        if isinstance(left, tuple):
            other = pair_of(right)
            return conj([self.same(left[0], other[0]), self.same(left[1], other[1])])
        if isinstance(left, SetValue) and isinstance(right, SetValue):
            return self._same_sets(left, right)
        return equals(str(left), str(right))

    def _same_sets(self, left: SetValue, right: SetValue) -> str:
        if left.term is not None and right.term is not None:
            return equals(left.term, right.term)
        if left.single is not None and right.single is not None:
            return self.same(left.single, right.single)
        first, second = left.function, right.function
        if first is None or second is None or not isinstance(left.element, ProductType):
            return self.for_all(left.element, lambda element: equals(left.contains(element), right.contains(element)))

        def agree(place: Value) -> str:
            inside = first.domain(place)
            return conj(
                [
                    equals(inside, second.domain(place)),
                    implies(inside, self.same(first.apply(place), second.apply(place))),
                ]
            )

        return self.for_all(left.element.left, agree)
