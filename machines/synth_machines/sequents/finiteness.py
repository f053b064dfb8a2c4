"""Sets that the hypotheses make finite, by rules. A solver does not guess two bounds, or that a product is finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Constant, Name, Operation, conjuncts
from synth_machines.formulas.names import free_names
from synth_machines.formulas.operators import ARROWS, FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_machines.formulas.formula import Formula

#: How many hypotheses in a row may be used to find out about one set.
_MOST_STEPS = 20


class Finiteness:
    """Knows which expressions the hypotheses make finite."""

    def __init__(self, hypotheses: Iterable[Formula]) -> None:
        self._known = [conjunct for hypothesis in hypotheses for conjunct in conjuncts(hypothesis)]

    def is_finite(self, members: Formula, steps: int = _MOST_STEPS) -> bool:
        """Return whether a rule says that a set is finite."""
        if steps == 0:
            return False

        def all_of(parts: Sequence[Formula]) -> bool:
            return all(self.is_finite(part, steps) for part in parts)

        match members:
            case Constant("∅" | "BOOL"):
                return True
            case Operation("‥" | "{,}"):
                return True
            case Operation("∪" | "×" | "<+" | "∥" | ";" | "∘" | "⊗", operands):
                return all_of(operands)
            case Operation("∩", operands):
                return any(self.is_finite(part, steps) for part in operands)
            case Operation("∖" | "▷" | "⩥" | "[]" | "dom" | "ran" | "∼" | "ℙ" | "ℙ1", (first, *_)):
                return self.is_finite(first, steps) or self._is_known(members, steps)
            case Operation("◁", (domain, relation)):
                return self.is_finite(relation, steps) or (
                    self._is_function(relation) and self.is_finite(domain, steps)
                )
            case Operation("⩤", (_, relation)):
                return self.is_finite(relation, steps)
            case Binding("{}", bound, condition, _):
                return self._are_limited([name.name for name in bound], condition, steps)
            case _:
                return self._is_known(members, steps)

    def _are_limited(self, names: Sequence[str], condition: Formula, steps: int) -> bool:
        """Return whether a condition allows bound names only finitely many values.

        What limits a name may mention bound names only if they are limited already: `x = y ∧ y = x` limits none.
        """
        limited: set[str] = set()
        while True:
            open_names = [name for name in names if name not in limited]
            found = next(
                (name for name in open_names if self._is_limited(name, names, limited, condition, steps)), None
            )
            if found is None:
                return not open_names
            limited.add(found)

    def _is_limited(self, name: str, names: Sequence[str], limited: set[str], condition: Formula, steps: int) -> bool:
        for part in conjuncts(condition):
            match part:
                case Operation("∈" | "=" as operator, (Name(found), source)) if found == name:
                    used = set(free_names(source)) & set(names)
                    if not used <= limited:
                        continue
                    # A hypothesis about a name says nothing about a bound name that looks the same.
                    is_listed = isinstance(source, Operation) and source.operator in {"‥", "{,}"}
                    if operator == "=" or is_listed or (not used and self.is_finite(source, steps)):
                        return True
        return False

    def _is_known(self, members: Formula, steps: int) -> bool:
        """Return whether a hypothesis says that a set is finite, or is inside a finite one."""
        for formula in self._known:
            match formula:
                case Operation("finite", (found,)) if found == members:
                    return True
                case Operation("=" | "⊆" | "⊂", (found, other)) if found == members and other != members:
                    if self.is_finite(other, steps - 1):
                        return True
                case Operation("∈", (found, Operation("ℙ" | "ℙ1", (other,)))) if found == members:
                    if self.is_finite(other, steps - 1):
                        return True
                case Operation("∈", (found, Operation(arrow, (left, right)))) if found == members and arrow in ARROWS:
                    is_enough = arrow in FUNCTIONS or self.is_finite(right, steps - 1)
                    if is_enough and self.is_finite(left, steps - 1):
                        return True
                case Operation("partition", (found, *parts)) if found == members:
                    if all(self.is_finite(part, steps - 1) for part in parts):
                        return True
        return False

    def _is_function(self, relation: Formula) -> bool:
        for formula in self._known:
            match formula:
                case Operation("∈", (found, Operation(arrow))) if found == relation and arrow in FUNCTIONS:
                    return True
        return False
