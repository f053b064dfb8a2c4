"""Queries over few values: carrier sets of some size, and sets of numbers from a short list.

Then each set is a table of truth values. A solver answers such a query with values for all names, which can be
evaluated. That no values are found proves nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_machines.evaluation.values import Element, Evaluated
from synth_machines.formulas.formula import Number, parts_of
from synth_machines.formulas.types import BooleanType, CarrierType, IntegerType, PowerType, ProductType
from synth_machines.sequents.declarations import Symbols
from synth_machines.sequents.terms import TRUE, conj, disj, equals, number
from synth_machines.sequents.values import FunctionPart, SetValue, UnsupportedError, Value, chosen, function_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

    #: The values of constants of a query, by their names.
    Answered: TypeAlias = Mapping[str, int | bool]
    #: Gives the value of a name, from the values of constants.
    Reading: TypeAlias = Callable[[Answered], Evaluated]

#: A table has at most so many rows.
_MOST_ROWS = 600
#: A set of sets has at most so many sets in it that are tried.
_MOST_SETS = 16
#: If the largest number of the formulas is at most this one, all numbers up to it are tried in the end.
_MOST_DENSE = 64
#: Numbers of a formula beyond this one are not in the list.
_MOST_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class Setting:
    """The number of elements of carrier sets that no hypothesis lists, and the numbers that sets may have."""

    size: int
    numbers: tuple[int, ...]


def settings_for(formulas: Iterable[Formula]) -> list[Setting]:
    """Return settings to try for some formulas, the smallest first."""
    found = {value for formula in formulas for value in _numbers_in(formula) if abs(value) <= _MOST_NUMBER}
    near = {value + step for value in found for step in (-1, 0, 1)} if len(found) <= 8 else found
    small = set(range(-1, 3))
    settings = [
        Setting(1, tuple(range(-1, 2))),
        Setting(2, tuple(sorted(small | near))),
        Setting(3, tuple(sorted(set(range(-2, 5)) | near))),
    ]
    most = max(found, default=0)
    return [*settings, Setting(2, tuple(range(-1, most + 2)))] if 4 < most <= _MOST_DENSE else settings


def _numbers_in(formula: Formula) -> set[int]:
    if isinstance(formula, Number):
        return {formula.value}
    return {value for part in parts_of(formula) for value in _numbers_in(part)}


class FiniteSymbols(Symbols):
    """The declarations of a query over few values. `readings` give the values of the free names that it has."""

    has_finite_carriers = True

    def __init__(
        self,
        types: Mapping[str, Type],
        enumerated: Mapping[str, tuple[str, ...]],
        functions: Collection[str],
        setting: Setting,
    ) -> None:
        carriers = {
            kind.of.name for kind in types.values() if isinstance(kind, PowerType) and isinstance(kind.of, CarrierType)
        }
        self._names = {carrier: enumerated.get(carrier, ("",) * setting.size) for carrier in carriers}
        listed = {
            carrier: enumerated.get(carrier) or tuple(f"{carrier} {place}" for place in range(setting.size))
            for carrier in carriers
        }
        super().__init__(types, listed, functions)
        self.readings: dict[str, Reading] = {}
        self._setting = setting
        self._listed = listed

    @property
    def carriers(self) -> dict[str, frozenset[Element]]:
        """The elements of the carrier sets."""
        return {name: frozenset(self._elements_of(name)) for name in self._names}

    def _elements_of(self, carrier: str) -> list[Element]:
        return [Element(carrier, place, name) for place, name in enumerate(self._names[carrier])]

    def constant(self, name: str) -> Value:
        """Return the value of a free name."""
        if name not in self._values and name not in self._elements:
            is_function = name in self._functions
            self._values[name], self.readings[name] = self._read(self.types[name], is_function=is_function)
        found = super().constant(name)
        if name in self._elements and name not in self.readings:
            carrier = self._elements[name]
            element = self._elements_of(carrier)[self._listed[carrier].index(name)]
            self.readings[name] = lambda _: element
        return found

    def _read(self, kind: Type, *, is_function: bool = False) -> tuple[Value, Reading]:
        """Declare a value, and say how it is read."""
        match kind:
            case IntegerType():
                term = self.function("c", [], "Int")
                return term, lambda answered: int(answered.get(term, 0))
            case BooleanType():
                truth = self.function("b", [], "Bool")
                return truth, lambda answered: bool(answered.get(truth, False))
            case CarrierType(name):
                return self._read_element(name)
            case ProductType(left, right):
                first, of_first = self._read(left)
                second, of_second = self._read(right)
                return (first, second), lambda answered: (of_first(answered), of_second(answered))
            case PowerType(ProductType() as pair) if is_function:
                return self._read_function(pair)
            case PowerType(of):
                return self._read_set(of)
            case _:
                raise UnsupportedError("a value of an unknown type")

    def _read_element(self, carrier: str) -> tuple[Value, Reading]:
        self.sort(carrier)
        elements = self._elements_of(carrier)
        code = self.function("c", [], "Int")
        self.axioms.append(f"(<= 0 {code} {len(elements) - 1})")
        found, *others = (self._values[name] for name in self._listed[carrier])
        for place, other in enumerate(others, start=1):
            found = chosen(equals(code, number(place)), other, found)
        return found, lambda answered: elements[min(int(answered.get(code, 0)), len(elements) - 1)]

    def _read_set(self, element: Type) -> tuple[Value, Reading]:
        rows = [(term, value, self.function("b", [], "Bool")) for term, value in self._rows(element)]

        def contains(value: Value) -> str:
            return disj(conj([bit, self.same(value, term)]) for term, _, bit in rows)

        def read(answered: Answered) -> Evaluated:
            return frozenset(value for _, value, bit in rows if answered.get(bit, False))

        return SetValue(element, contains), read

    def _read_function(self, pair: ProductType) -> tuple[Value, Reading]:
        rows = [
            (term, value, self.function("b", [], "Bool"), *self._read(pair.right))
            for term, value in self._rows(pair.left)
        ]

        def domain(place: Value) -> str:
            return disj(conj([bit, self.same(place, term)]) for term, _, bit, _, _ in rows)

        def apply(place: Value) -> Value:
            found = rows[-1][3]
            for term, _, _, result, _ in rows[:-1]:
                found = chosen(self.same(place, term), result, found)
            return found

        def read(answered: Answered) -> Evaluated:
            return frozenset((value, result(answered)) for _, value, bit, _, result in rows if answered.get(bit, False))

        return function_of(pair, FunctionPart(domain, apply), self.same), read

    def elements(self, kind: Type) -> list[Value] | None:
        """Return the elements of a type, as far as a table has rows for them."""
        try:
            return [term for term, _ in self._rows(kind)]
        except UnsupportedError:
            return None

    def _rows(self, kind: Type) -> list[tuple[Value, Evaluated]]:
        """Return the values of a type that a table has rows for, as terms and as they are."""
        match kind:
            case IntegerType():
                return [(number(value), value) for value in self._setting.numbers]
            case BooleanType():
                return [("false", False), (TRUE, True)]
            case CarrierType(name):
                self.sort(name)
                elements = self._elements_of(name)
                return [
                    (self._values[index], element) for index, element in zip(self._listed[name], elements, strict=True)
                ]
            case ProductType(left, right):
                first, second = self._rows(left), self._rows(right)
                if len(first) * len(second) > _MOST_ROWS:
                    raise UnsupportedError("a table with too many rows")
                return [((one, two), (a, b)) for one, a in first for two, b in second]
            case PowerType(of):
                rows = self._rows(of)
                subsets = (
                    combination for size in range(len(rows) + 1) for combination in itertools.combinations(rows, size)
                )
                return [self._row_of_set(of, subset) for subset in itertools.islice(subsets, _MOST_SETS)]
            case _:
                raise UnsupportedError("a value of an unknown type")

    def _row_of_set(self, of: Type, rows: Sequence[tuple[Value, Evaluated]]) -> tuple[Value, Evaluated]:
        terms = tuple(term for term, _ in rows)
        found = SetValue(of, lambda element: disj(self.same(element, term) for term in terms), listed=terms or None)
        return found, frozenset(value for _, value in rows)
