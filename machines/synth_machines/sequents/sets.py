"""Operators on sets and relations, as operations on values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.types import PowerType, ProductType
from synth_machines.sequents.terms import FALSE, TRUE, conj, disj, implies, negation
from synth_machines.sequents.values import (
    FunctionPart,
    SetValue,
    UnsupportedError,
    Value,
    chosen,
    function_of,
    pair_of,
    set_of,
)

if TYPE_CHECKING:
    from synth_machines.formulas.types import Type
    from synth_machines.sequents.declarations import Symbols


class Sets:
    """Operators that need quantifiers over elements, which the symbols of a query provide."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def everything(self, element: Type) -> SetValue:
        """Return the set of all values of a type."""
        return SetValue(element, lambda _: TRUE)

    def empty(self, element: Type) -> SetValue:
        """Return the empty set; as a relation, it is a function."""
        function = None
        if isinstance(element, ProductType):
            right = element.right
            function = FunctionPart(lambda _: FALSE, lambda _: self.arbitrary(right))
        return SetValue(element, lambda _: FALSE, function)

    def arbitrary(self, kind: Type) -> Value:
        """Return some value of a type, of which nothing is known."""
        return self.symbols.assembled(kind, [self.symbols.here("u", sort) for sort in self.symbols.sorts(kind)])

    def single(self, element: Type, value: Value) -> SetValue:
        """Return the set with one element."""
        function = None
        if isinstance(element, ProductType):
            place, result = pair_of(value)
            function = FunctionPart(lambda argument: self.symbols.same(argument, place), lambda _: result)
        return SetValue(element, lambda member: self.symbols.same(member, value), function, (value,))

    def as_function(self, element: Type, part: FunctionPart) -> SetValue:
        """Return a function as a set."""
        return function_of(element, part, self.symbols.same)

    def not_empty(self, members: SetValue) -> str:
        """Return the term that says that a set has an element."""
        return TRUE if members.listed is not None else self.symbols.exists(members.element, members.contains)

    def is_subset(self, left: SetValue, right: SetValue) -> str:
        """Return the term for `left ⊆ right`."""
        if left.listed is not None:
            return conj(map(right.contains, left.listed))
        if left.function is not None and isinstance(left.element, ProductType):
            part = left.function
            return self.symbols.for_all(
                left.element.left,
                lambda argument: implies(part.domain(argument), right.contains((argument, part.apply(argument)))),
            )
        return self.symbols.for_all(left.element, lambda member: implies(left.contains(member), right.contains(member)))

    def domain(self, relation: SetValue) -> SetValue:
        """Return the domain of a relation."""
        pair = _pair(relation)
        if relation.function is not None:
            return SetValue(pair.left, relation.function.domain)
        return SetValue(
            pair.left, lambda one: self.symbols.exists(pair.right, lambda other: relation.contains((one, other)))
        )

    def range(self, relation: SetValue) -> SetValue:
        """Return the range of a relation."""
        return self.image(relation, self.everything(_pair(relation).left))

    def image(self, relation: SetValue, of: SetValue) -> SetValue:
        """Return the image of a set under a relation."""
        pair = _pair(relation)

        def contains(other: Value) -> str:
            if of.single is not None:
                return relation.contains((of.single, other))
            return self.symbols.exists(pair.left, lambda one: conj([of.contains(one), relation.contains((one, other))]))

        return SetValue(pair.right, contains)

    def inverse(self, relation: SetValue) -> SetValue:
        """Return the inverse of a relation."""
        pair = _pair(relation)
        return SetValue(
            ProductType(pair.right, pair.left), lambda pair: relation.contains((pair_of(pair)[1], pair_of(pair)[0]))
        )

    def product(self, left: SetValue, right: SetValue) -> SetValue:
        """Return the product of two sets; with a single element on the right it is a function."""
        pair = ProductType(left.element, right.element)
        if right.single is not None:
            result = right.single
            return self.as_function(pair, FunctionPart(left.contains, lambda _: result))
        return SetValue(pair, lambda pair: conj([left.contains(pair_of(pair)[0]), right.contains(pair_of(pair)[1])]))

    def union(self, sets: list[SetValue]) -> SetValue:
        """Return the union of sets."""
        return SetValue(sets[0].element, lambda element: disj(part.contains(element) for part in sets))

    def within(self, members: SetValue, others: SetValue, *, is_inside: bool) -> SetValue:
        """Return the elements of a set that are in another one, or not in it."""

        def keep(value: Value) -> str:
            inside = others.contains(value)
            return inside if is_inside else negation(inside)

        part = members.function
        if part is not None:
            return self.as_function(
                members.element,
                FunctionPart(
                    lambda argument: conj([part.domain(argument), keep((argument, part.apply(argument)))]), part.apply
                ),
            )
        return SetValue(members.element, lambda member: conj([members.contains(member), keep(member)]))

    def restricted(self, relation: SetValue, to: SetValue, *, of_domain: bool, is_inside: bool) -> SetValue:
        """Return the part of a relation whose domain or range is inside, or outside, a set."""

        def contains(pair: Value) -> str:
            inside = to.contains(pair_of(pair)[0 if of_domain else 1])
            return inside if is_inside else negation(inside)

        return self.within(relation, SetValue(relation.element, contains), is_inside=True)

    def overridden(self, relation: SetValue, change: SetValue) -> SetValue:
        """Return a relation with another one in place of it, where that one is defined."""
        first, second = relation.function, change.function
        if first is not None and second is not None:

            def apply(place: Value) -> Value:
                return chosen(second.domain(place), second.apply(place), first.apply(place))

            return self.as_function(
                relation.element,
                FunctionPart(lambda argument: disj([second.domain(argument), first.domain(argument)]), apply),
            )
        changed = self.domain(change)
        return SetValue(
            relation.element,
            lambda pair: disj(
                [
                    change.contains(pair),
                    conj([relation.contains(pair), negation(changed.contains(pair_of(pair)[0]))]),
                ]
            ),
        )

    def composed(self, first: SetValue, second: SetValue) -> SetValue:
        """Return `first ; second`."""
        left, right = _pair(first), _pair(second)
        element = ProductType(left.left, right.right)
        one, two = first.function, second.function
        if one is not None and two is not None:
            return self.as_function(
                element,
                FunctionPart(
                    lambda place: conj([one.domain(place), two.domain(one.apply(place))]),
                    lambda place: two.apply(one.apply(place)),
                ),
            )

        def contains(pair: Value) -> str:
            start, end = pair_of(pair)
            if one is not None:
                return conj([one.domain(start), second.contains((one.apply(start), end))])
            return self.symbols.exists(
                left.right, lambda middle: conj([first.contains((start, middle)), second.contains((middle, end))])
            )

        return SetValue(element, contains)

    def direct_product(self, first: SetValue, second: SetValue) -> SetValue:
        """Return `first ⊗ second`."""
        left, right = _pair(first), _pair(second)
        element = ProductType(left.left, ProductType(left.right, right.right))

        def contains(pair: Value) -> str:
            start, ends = pair_of(pair)
            one, two = pair_of(ends)
            return conj([first.contains((start, one)), second.contains((start, two))])

        return SetValue(element, contains)

    def parallel_product(self, first: SetValue, second: SetValue) -> SetValue:
        """Return `first ∥ second`."""
        left, right = _pair(first), _pair(second)
        element = ProductType(ProductType(left.left, right.left), ProductType(left.right, right.right))

        def contains(pair: Value) -> str:
            starts, ends = pair_of(pair)
            return conj(
                [
                    first.contains((pair_of(starts)[0], pair_of(ends)[0])),
                    second.contains((pair_of(starts)[1], pair_of(ends)[1])),
                ]
            )

        return SetValue(element, contains)

    def powers(self, members: SetValue, *, is_empty_left_out: bool) -> SetValue:
        """Return the set of subsets of a set."""

        def contains(value: Value) -> str:
            subset = set_of(value)
            not_empty = self.not_empty(subset) if is_empty_left_out else TRUE
            return conj([not_empty, self.is_subset(subset, members)])

        return SetValue(PowerType(members.element), contains)


def _pair(relation: SetValue) -> ProductType:
    if not isinstance(relation.element, ProductType):
        raise UnsupportedError("a set that is no relation")
    return relation.element
