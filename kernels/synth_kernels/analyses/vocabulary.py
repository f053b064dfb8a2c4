"""What a precondition of a kernel may say of its scalars and sizes, and how strong that is.

A number is positive, or not negative, or so small that products of two of them do not wrap. It is a power of two, or a
multiple of 2, 4, 16 or 32. Two numbers are in order, equal, or one divides the other. Numbers are
scalars of 32 bits, sizes of the launch, and numbers of threads in a dimension. Comparisons are signed.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.analyses.insertion import Writer
from synth_kernels.program import ID_WIDTH, Constant
from synth_kernels.terms import Terms, below, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_kernels.launch import Launch
    from synth_kernels.program import Kernel, Operand
    from synth_kernels.terms import Term

#: A number below this has a square without a wrap.
SMALL = 1 << 15
#: How strong a condition is: the sum of these, for several conditions. Weaker conditions are tried first.
_SIGN, _SMALL, _ORDER, _POWER, _MULTIPLE, _DIVIDES, _EQUAL = 2, 2, 4, 5, 6, 7, 9


@dataclass(frozen=True, slots=True)
class LaunchCondition:
    """A condition on scalars and sizes by their names, and its negation. `cost` says how strong it is."""

    meaning: Term
    denied: Term
    cost: int

    def holds(self, values: Mapping[str, int]) -> bool:
        """Return whether it holds for some numbers."""
        return bool(evaluate([self.meaning], values)[self.meaning])


class Vocabulary:
    """The `conditions` on what a launch leaves open, the weakest first, and the `facts` that hold of all launches."""

    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        self._terms = terms = Terms()
        fixed_scalars = dict(launch.scalars)
        sizes = launch.sizes()
        self._scalars = [
            terms.variable(name, width)
            for name, width in kernel.scalars
            if width == ID_WIDTH and name not in fixed_scalars
        ]
        used = [number for number in range(3) if any(sizes[f"{word}.{number}"] != 1 for word in ("lsize", "groups"))]
        self._sizes: list[Term] = []
        self._open: list[Term] = []
        self.facts: list[Term] = []
        for number in used:
            local, groups = (terms.variable(f"{word}.{number}", ID_WIDTH) for word in ("lsize", "groups"))
            for size in (local, groups):
                fixed = sizes[size.name]
                positive = terms.apply("slt", (self._number(0), size))
                self.facts.append(positive if fixed is None else terms.equal(size, self._number(fixed)))
            self._sizes.append(local)
            if sizes[f"groups.{number}"] != 1:
                self._sizes.append(terms.apply("mul", (local, groups)))
            self._open += [] if sizes[f"lsize.{number}"] is not None else [local]
        self.conditions = sorted(self._all(), key=lambda condition: condition.cost)

    def _condition(self, meaning: Term, cost: int) -> LaunchCondition:
        return LaunchCondition(meaning, self._terms.no(meaning), cost)

    def _all(self) -> Iterator[LaunchCondition]:
        terms, zero = self._terms, self._number(0)
        for scalar in self._scalars:
            yield self._condition(terms.apply("sle", (zero, scalar)), _SIGN)
            yield self._condition(terms.apply("slt", (zero, scalar)), _SIGN + 1)
        for scalar in (*self._scalars, *self._open):
            yield self._condition(terms.apply("ult", (scalar, self._number(SMALL))), _SMALL)
            less = terms.apply("sub", (scalar, self._number(1)))
            single = terms.equal(terms.apply("and", (scalar, less)), zero)
            positive = terms.apply("slt", (zero, scalar))
            yield self._condition(single if scalar in self._open else terms.all(positive, single), _POWER)
            for number in (2, 4, 16, 32):
                yield self._condition(self._divides(self._number(number), scalar), _MULTIPLE)
        for term, other in itertools.chain(
            itertools.combinations(self._scalars, 2), itertools.product(self._scalars, self._sizes)
        ):
            yield self._condition(terms.apply("sle", (other, term)), _ORDER)
            yield self._condition(terms.apply("sle", (term, other)), _ORDER)
            yield self._condition(terms.equal(term, other), _EQUAL)
            yield self._condition(self._divides(other, term), _DIVIDES)
            yield self._condition(self._divides(term, other), _DIVIDES)

    def _number(self, value: int) -> Term:
        return self._terms.constant(value, ID_WIDTH)

    def _divides(self, divisor: Term, dividend: Term) -> Term:
        terms = self._terms
        divides = terms.equal(terms.apply("urem", (dividend, divisor)), self._number(0))
        return divides if divisor.value else terms.all(terms.apply("slt", (self._number(0), divisor)), divides)


def with_assumptions(kernel: Kernel, chosen: Iterable[LaunchCondition]) -> Kernel:
    """Return a kernel that assumes conditions where it begins."""
    writer = Writer(kernel, "assumed.")
    for condition in chosen:
        names: dict[Term, Operand] = {}
        for term in below([condition.meaning]):
            if term.value is not None:
                names[term] = Constant(term.value, term.width)
            elif term.name:
                names[term] = term.name
            else:
                operands = (names[operand] for operand in term.operands)
                names[term] = writer.compute(term.operator, *operands, width=term.width)
        writer.claim("assume", names[condition.meaning])
    first, *others = kernel.blocks
    first = replace(first, instructions=(*writer.take(), *first.instructions))
    return replace(kernel, blocks=(first, *others))
