"""Evaluate formulas in an environment: the values of free names and the elements of carrier sets.

A connective looks at its parts from left to right, and stops when the answer is known: `x ≠ 0 ∧ 1 ÷ x = 1` is false for
x = 0. What has no value raises IllDefinedError. Bound names take their values one by one (`candidates`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from synth_machines.evaluation import sets
from synth_machines.evaluation.candidates import assignments
from synth_machines.evaluation.values import Element, Evaluated, IllDefinedError, LazySet, TooLargeError, UnboundedError
from synth_machines.formulas.definedness import bounded_set
from synth_machines.formulas.formula import Binding, Constant, Name, Number, Operation, conjunction, conjuncts
from synth_machines.formulas.operators import ARROWS
from synth_machines.formulas.printer import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_machines.formulas.formula import Bound, Formula

    Values: TypeAlias = Mapping[str, Evaluated]

#: An interval with more numbers is not listed.
MOST_NUMBERS = 100_000
#: A power of more bits is refused.
_MOST_BITS = 100_000
INTEGERS = LazySet(lambda _: True, is_infinite=True)
NATURALS = LazySet(lambda number: isinstance(number, int) and number >= 0, is_infinite=True)
POSITIVE = LazySet(lambda number: isinstance(number, int) and number >= 1, is_infinite=True)
TRUTHS: frozenset[Evaluated] = frozenset({False, True})


class Evaluator:
    """Evaluates formulas; `carriers` are the elements of the carrier sets."""

    def __init__(self, carriers: Mapping[str, frozenset[Element]]) -> None:
        self.carriers = carriers

    def holds(self, formula: Formula, values: Values) -> bool:
        """Return whether a predicate holds.

        Raises:
            IllDefinedError: a part that is needed has no value.
            UnboundedError: a bound name has infinitely many values.
            TooLargeError: a bound name has too many values, or a number has too many digits.
        """
        match formula:
            case Constant(word):
                return word == "⊤"
            case Operation("∧", parts):
                return all(self.holds(part, values) for part in parts)
            case Operation("∨", parts):
                return any(self.holds(part, values) for part in parts)
            case Operation("⇒", (left, right)):
                return not self.holds(left, values) or self.holds(right, values)
            case Operation("⇔", (left, right)):
                return self.holds(left, values) == self.holds(right, values)
            case Operation("¬", (part,)):
                return not self.holds(part, values)
            case Binding("∃", bound, condition):
                found = bounded_set(formula)
                if found is not None and isinstance(self.set(found[1], values), frozenset):
                    return True
                return any(self.holds(condition, inner) for inner in self.tried(bound, condition, values))
            case Binding("∀", bound, condition):
                return self._holds_for_all(bound, condition, values)
            case Operation(operator, operands):
                return self._relation(operator, operands, values)
        raise UnboundedError(shown(formula))

    def _holds_for_all(self, bound: tuple[Bound, ...], condition: Formula, values: Values) -> bool:
        """Look at the values that the left sides of implications allow."""
        match condition:
            case Operation("∧", parts):
                return all(self._holds_for_all(bound, part, values) for part in parts)
        limits: list[Formula] = []
        inner = condition
        while isinstance(inner, Operation) and inner.operator == "⇒":
            limits.append(inner.operands[0])
            inner = inner.operands[1]
        return all(self.holds(condition, assignment) for assignment in self.tried(bound, conjunction(limits), values))

    def tried(
        self,
        bound: tuple[Bound, ...],
        condition: Formula,
        values: Values,
        numbers: Mapping[str, Sequence[int]] | None = None,
    ) -> Iterator[dict[str, Evaluated]]:
        """Yield the environments in which a condition may hold; bound names have values there.

        An integer that the condition does not limit has the `numbers` of its name. Then not all environments are found.
        """
        names = {name.name: name.type for name in bound}
        outer = {name: value for name, value in values.items() if name not in names}
        return assignments(names, list(conjuncts(condition)), outer, self, numbers)

    def _relation(self, operator: str, operands: tuple[Formula, ...], values: Values) -> bool:
        match operator:
            case "∉" | "≠" | "⊈" | "⊄":
                return not self._relation({"∉": "∈", "≠": "=", "⊈": "⊆", "⊄": "⊂"}[operator], operands, values)
            case "∈":
                match operands:
                    case (relation, Operation(arrow, (left, right))) if arrow in ARROWS:
                        domain, range_ = self.set(left, values), self.set(right, values)
                        return sets.is_between(self.value(relation, values), arrow, domain, range_)
                return sets.contains(self.set(operands[1], values), self.value(operands[0], values))
            case "=":
                return sets.equal(self.value(operands[0], values), self.value(operands[1], values))
            case "finite":
                found = self.set(operands[0], values)
                if isinstance(found, LazySet) and not found.is_infinite:
                    raise UnboundedError(shown(operands[0]))
                return isinstance(found, frozenset)
            case "partition":
                whole, *parts = (sets.listed(self.set(operand, values)) for operand in operands)
                return whole == frozenset().union(*parts) and len(whole) == sum(map(len, parts))
            case "⊆" | "⊂":
                first, second = (self.set(operand, values) for operand in operands)
                is_smaller = operator == "⊆" or not sets.equal(first, second)
                return sets.is_subset(first, second) and is_smaller
        one, other = (self.number(part, values) for part in operands)
        return {"<": one < other, "≤": one <= other, ">": one > other, "≥": one >= other}[operator]

    def number(self, formula: Formula, values: Values) -> int:
        """Return the value of an expression that is a number."""
        found = self.value(formula, values)
        assert isinstance(found, int)  # noqa: S101  (formulas are well typed)
        return found

    def set(self, formula: Formula, values: Values) -> sets.Set:
        """Return the value of an expression that is a set."""
        return sets.as_set(self.value(formula, values))

    def value(self, formula: Formula, values: Values) -> Evaluated:
        """Return the value of an expression. It raises the same errors as `holds`."""
        match formula:
            case Name(name):
                return values[name] if name in values else frozenset(self.carriers[name])
            case Number(value):
                return value
            case Constant(word):
                return self._constant(word)
            case Binding(_, _, _, value) if value is not None:
                return self._collected(formula, value, values)
            case Operation("bool", (part,)):
                return self.holds(part, values)
            case Operation("↦", (left, right)):
                return self.value(left, values), self.value(right, values)
            case Operation("{,}", parts):
                return frozenset(self.value(part, values) for part in parts)
            case Operation("()", (function, argument)):
                return self._applied(formula, function, argument, values)
            case Operation("min" | "max" | "card" | "union" | "inter" as operator, (part,)):
                return self._of_set(formula, operator, self.set(part, values))
            case Operation("+" | "−" | "∗" | "÷" | "mod" | "^" | "‥" as operator, operands):
                return self._arithmetic(formula, operator, [self.number(part, values) for part in operands])
            case Operation(arrow, (left, right)) if arrow in ARROWS:
                domain, range_ = self.set(left, values), self.set(right, values)
                return LazySet(lambda relation: sets.is_between(relation, arrow, domain, range_))
            case Operation(operator, operands):
                return sets.operate(operator, [self.set(part, values) for part in operands])
        raise UnboundedError(shown(formula))

    def _constant(self, word: str) -> Evaluated:
        match word:
            case "TRUE" | "FALSE":
                return word == "TRUE"
            case "∅":
                return frozenset()
            case "BOOL":
                return TRUTHS
            case "ℤ" | "ℕ" | "ℕ1":
                return {"ℤ": INTEGERS, "ℕ": NATURALS, "ℕ1": POSITIVE}[word]
            case "succ" | "pred":
                step = 1 if word == "succ" else -1
                return LazySet(lambda pair: isinstance(pair, tuple) and pair[1] == pair[0] + step, is_infinite=True)  # type: ignore[operator]
            case "id":
                return LazySet(lambda pair: isinstance(pair, tuple) and sets.equal(pair[0], pair[1]))
        place = 0 if word == "prj1" else 1
        return LazySet(lambda pair: isinstance(pair, tuple) and sets.equal(pair[0][place], pair[1]))  # type: ignore[index]

    def _collected(self, whole: Binding, value: Formula, values: Values) -> Evaluated:
        """Return a set with a condition, or a union or intersection of sets."""
        tried = self.tried(whole.bound, whole.condition, values)
        found = [self.value(value, inner) for inner in tried if self.holds(whole.condition, inner)]
        if whole.binder == "{}":
            return frozenset(found)
        parts = [sets.as_set(value) for value in found]
        if whole.binder == "⋃":
            return sets.operate("∪", parts) if parts else frozenset()
        if not parts:
            raise IllDefinedError(shown(whole))
        return sets.operate("∩", parts)

    def _applied(self, whole: Formula, function: Formula, argument: Formula, values: Values) -> Evaluated:
        relation, place = self.value(function, values), self.value(argument, values)
        found = [right for left, right in sets.pairs(relation) if left == place]
        if len(found) != 1 or len({left for left, _ in sets.pairs(relation)}) != len(sets.pairs(relation)):
            raise IllDefinedError(shown(whole))
        return found[0]

    def _of_set(self, whole: Formula, operator: str, members: sets.Set) -> Evaluated:
        if isinstance(members, LazySet):
            if members.is_infinite and operator == "card":
                raise IllDefinedError(shown(whole))
            raise UnboundedError(shown(whole))
        if operator == "card":
            return len(members)
        if operator == "union":
            return sets.operate("∪", [sets.as_set(member) for member in members]) if members else frozenset()
        if not members:
            raise IllDefinedError(shown(whole))
        if operator == "inter":
            return sets.operate("∩", [sets.as_set(member) for member in members])
        numbers = [member for member in members if isinstance(member, int)]
        return min(numbers) if operator == "min" else max(numbers)

    def _arithmetic(self, whole: Formula, operator: str, numbers: list[int]) -> Evaluated:
        first, last = numbers[0], numbers[-1]
        match operator:
            case "−":
                return first - last if len(numbers) > 1 else -first
            case "÷" if last != 0:
                quotient = abs(first) // abs(last)
                return quotient if (first < 0) == (last < 0) else -quotient
            case "mod" if first >= 0 and last > 0:
                return first % last
            case "^" if first >= 0 and last >= 0:
                if last * first.bit_length() > _MOST_BITS:
                    raise TooLargeError(f"more than {_MOST_BITS:,} bits in {shown(whole)}")
                return int(first**last)
            case "‥":
                if last - first >= MOST_NUMBERS:
                    raise TooLargeError(f"more than {MOST_NUMBERS:,} numbers in {shown(whole)}")
                return frozenset(range(first, last + 1))
            case "+":
                return sum(numbers)
            case "∗":
                found = 1
                for number in numbers:
                    found *= number
                return found
        raise IllDefinedError(shown(whole))
