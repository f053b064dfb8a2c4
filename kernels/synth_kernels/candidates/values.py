"""The values of a kernel as formulas over what they come from, so that rules match values and not how they are written.

A value that instructions compute is replaced by its formula. What stays are names: parameters of blocks, what is read,
scalars, ids and sizes. Sizes and scalars that a launch fixes are numbers. So `get_global_size(0)` is the same value
wherever a kernel computes it.

A sum is a formula as a table: each product of names with its coefficient. The empty product has the constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.operators import KEEP, RELATING
from synth_kernels.program import IDS, Compute, Constant
from synth_kernels.terms import Terms, below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.launch import Launch
    from synth_kernels.program import Block, Kernel, Operand
    from synth_kernels.terms import Term

#: Coefficients of products; a product is a tuple of its factors, sorted by number.
Sum: TypeAlias = "dict[tuple[Term, ...], int]"
#: A sum with more products than this stays a single factor.
_MOST_PRODUCTS = 24


class Values:
    """The values of a kernel for a launch. `terms` makes formulas, in which a variable has the name of its value."""

    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        self.terms = Terms()
        self.warp = launch.warp
        self._widths = kernel.all_widths()
        self._computed = {
            instruction.name: instruction
            for instruction in kernel.steps
            if isinstance(instruction, Compute) and instruction.operator not in {*RELATING, KEEP}
        }
        self._blocks = {name: block.name for block in kernel.blocks for name in names_in(block)}
        self._formulas: dict[str, Term] = {
            name: self.terms.constant(value, self._widths[name]) for name, value in _fixed_values(launch)
        }
        self._leaves: dict[Term, frozenset[str]] = {}
        self._sums: dict[Term, Sum] = {}
        #: The name that the kernel has for a formula that it computes.
        self.names: dict[Term, str] = {}
        words = kernel.words().keys() - {*IDS, *(name for name, _ in kernel.scalars)}
        for name in self._computed:
            if not self.leaves(self.of(name)) & words:  # what speaks of the pair is computed anew for each claim
                self.names.setdefault(self.of(name), name)

    def of(self, operand: Operand) -> Term:
        """Return the formula of an operand."""
        if isinstance(operand, Constant):
            return self.terms.constant(operand.value, operand.width)
        todo = [operand]
        while todo:  # no recursion, because a chain of values may be long
            name = todo[-1]
            computed = self._computed.get(name)
            if name in self._formulas or computed is None:
                self.of_word(name, self._widths[name])
                todo.pop()
            elif missing := [
                part for part in computed.operands if isinstance(part, str) and part not in self._formulas
            ]:
                todo += missing
            else:
                self._formulas[name] = self.terms.apply(
                    computed.operator, tuple(map(self._formula, computed.operands)), computed.width
                )
                todo.pop()
        return self._formulas[operand]

    def of_word(self, name: str, width: int) -> Term:
        """Return the formula of a name that nothing computes."""
        if name not in self._formulas:
            self._formulas[name] = self.terms.variable(name, width)
        return self._formulas[name]

    def _formula(self, operand: Operand) -> Term:
        return (
            self.terms.constant(operand.value, operand.width)
            if isinstance(operand, Constant)
            else self._formulas[operand]
        )

    def block_of(self, name: str) -> str | None:
        """Return the block that defines a name, or None if it has a value from the start."""
        return self._blocks.get(name)

    def leaves(self, term: Term) -> frozenset[str]:
        """Return the names in a formula."""
        for part_below in below([term], self._leaves):
            own = frozenset({part_below.name} if part_below.name else ())
            self._leaves[part_below] = own.union(*(self._leaves[part] for part in part_below.operands))
        return self._leaves[term]

    def substitute(self, term: Term, by: Mapping[Term, Term]) -> Term:
        """Return a formula with some of its parts replaced by others."""
        results: dict[Term, Term] = {}
        for old in below([term]):
            if old in by:
                results[old] = by[old]
            elif old.operands and (parts := tuple(results[part] for part in old.operands)) != old.operands:
                related = old.operator in RELATING
                results[old] = (
                    self.terms.related(old.operator, parts[0])
                    if related
                    else self.terms.apply(old.operator, parts, old.width)
                )
            else:
                results[old] = old
        return results[term]

    # --- sums ---

    def sum(self, term: Term) -> Sum:
        """Return a formula as a sum."""
        for part in below([term], self._sums):  # parts first, so that no call is nested deeply
            self._sums[part] = self._sum(part)
        return self._sums[term]

    def _sum(self, term: Term) -> Sum:
        limit = (1 << term.width) - 1
        if term.value is not None:
            return {(): term.value} if term.value else {}
        match term.operator:
            case "add" | "sub":
                left, right = map(self.sum, term.operands)
                return add_sums(left, right, limit, -1 if term.operator == "sub" else 1)
            case "mul":
                return self._product(self.sum(term.operands[0]), self.sum(term.operands[1]), term)
            case "shl" if (bits := term.operands[1].value) is not None and bits < term.width:
                return scale_sum(self.sum(term.operands[0]), 1 << bits, limit)
            case "trunc":
                return self._truncated(term)
        return {(term,): 1}

    def _product(self, left: Sum, right: Sum, term: Term) -> Sum:
        if len(left) * len(right) > _MOST_PRODUCTS:
            return {(term,): 1}
        total: Sum = {}
        for product, factor in left.items():
            part = {tuple(sorted((*product, *more), key=_number)): factor * by for more, by in right.items()}
            total = add_sums(total, part, (1 << term.width) - 1)
        return total

    def _truncated(self, term: Term) -> Sum:
        """Return the sum of fewer bits: that of the parts with fewer bits."""
        total: Sum = {}
        for product, factor in self.sum(term.operands[0]).items():
            part: Sum = {(): factor & ((1 << term.width) - 1)}
            for factor_ in product:
                narrow = self._narrow(factor_, term.width)
                part = self._product(part, {(narrow,): 1} if narrow.operator == "trunc" else self.sum(narrow), narrow)
            total = add_sums(total, part, (1 << term.width) - 1)
        return total

    def _narrow(self, term: Term, width: int) -> Term:
        if term.operator in {"zext", "sext"}:
            inner = term.operands[0]
            if inner.width == width:
                return inner
            return self.terms.apply("trunc" if inner.width > width else term.operator, (inner,), width)
        return self.terms.apply("trunc", (term,), width)

    def term(self, sum_: Sum, width: int) -> Term:
        """Return the formula of a sum."""
        terms = self.terms
        result = terms.constant(0, width)
        for product, factor in sorted(
            sum_.items(), key=lambda item: (not item[0], [factor_of.number for factor_of in item[0]])
        ):
            small = min(factor, (1 << width) - factor)
            part = terms.constant(1, width)
            for operand in (*product, *([terms.constant(small, width)] if small != 1 or not product else ())):
                part = operand if part.value == 1 else terms.apply("mul", (part, operand))
            if small != factor:
                result = terms.apply("sub", (result, part))
            else:
                result = part if result.value == 0 else terms.apply("add", (result, part))
        return result


def _number(term: Term) -> int:
    return term.number


def _fixed_values(launch: Launch) -> list[tuple[str, int]]:
    """Return the names that a launch gives a number: sizes, scalars, and ids that can only be 0."""
    sizes = launch.sizes()
    fixed = {name: size for name, size in sizes.items() if size is not None}
    ids = {
        name: 0
        for name in IDS
        if sizes.get(name.replace("lid", "lsize").replace("gid", "groups")) == 1 and name not in sizes
    }
    return [*fixed.items(), *ids.items(), *launch.scalars]


def add_sums(left: Sum, right: Sum, limit: int, factor: int = 1) -> Sum:
    """Return one sum plus a multiple of another; `limit` is the largest value."""
    total = dict(left)
    for product, by in right.items():
        total[product] = (total.get(product, 0) + factor * by) & limit
    return {product: by for product, by in total.items() if by}


def scale_sum(sum_: Sum, factor: int, limit: int) -> Sum:
    """Return a multiple of a sum."""
    return add_sums({}, sum_, limit, factor)


def names_in(block: Block) -> list[str]:
    """Return the names that a block gives a value: its parameters, and what its instructions define."""
    defined = [str(getattr(instruction, "name", "")) for instruction in block.instructions]
    return [*(name for name, _ in block.parameters), *filter(None, defined)]
