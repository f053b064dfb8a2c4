"""Products of ids and sizes, if a launch leaves both open: variables of which only the order is known.

The first global id of a group is its group id times the local size. Solvers are slow with the product of two unknown
numbers, and proofs about ids seldom need more than its order: a group begins where the one before it has ended, or
later. So such a product is a variable with facts about this order. A proof with these facts holds for the products,
which have them. A counterexample may not; `exact` says that the variables are the products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import DIMENSIONS, ID_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.terms import Term, Terms


class Products:
    """For each dimension, the number of threads of the launch, and the first id of the group of each thread.

    `ids` has the ids and sizes of both threads by their names.
    """

    def __init__(self, terms: Terms, ids: tuple[Mapping[str, Term], Mapping[str, Term]]) -> None:
        self._terms = terms
        self._ids = ids
        self._found: dict[frozenset[Term], Term] = {}
        for number in range(DIMENSIONS):
            self._product(f"threads.{number}", ids[0][f"groups.{number}"], ids[0][f"lsize.{number}"])
            for thread in (0, 1):
                name = f"first.{number} of thread {thread + 1}"
                self._product(name, ids[thread][f"gid.{number}"], ids[thread][f"lsize.{number}"])

    def _product(self, name: str, one: Term, other: Term) -> None:
        if one.value is None and other.value is None:
            self._found[frozenset((one, other))] = self._terms.variable(name, ID_WIDTH)

    def of(self, one: Term, other: Term) -> Term:
        """Return the product of two terms: the variable if it stands for this product.

        The product of two numbers that were extended is that of the numbers, because it is below 2^31.
        """
        factors = (one, other)
        if one.operator == other.operator == "zext":
            factors = (one.operands[0], other.operands[0])
        found = self._found.get(frozenset(factors))
        if found is None:
            return self._terms.apply("mul", (one, other))
        return self._terms.apply("zext", (found,), one.width) if one.width > found.width else found

    def threads(self, number: int) -> Term:
        """Return the number of threads in a dimension, in 64 bits, so that it is right however large the sizes are."""
        terms, factors = self._terms, [self._ids[0][f"{word}.{number}"] for word in ("groups", "lsize")]
        found = self._found.get(frozenset(factors))
        if found is not None:
            return terms.apply("zext", (found,), 2 * ID_WIDTH)
        one, other = (terms.apply("zext", (factor,), 2 * ID_WIDTH) for factor in factors)
        return terms.apply("mul", (one, other))

    @property
    def exact(self) -> Term:
        """Return that each variable is its product, without overflow."""
        terms = self._terms
        facts = []
        for factors, product in self._found.items():
            one, other = (terms.apply("zext", (factor,), 2 * ID_WIDTH) for factor in factors)
            facts.append(terms.equal(terms.apply("zext", (product,), 2 * ID_WIDTH), terms.apply("mul", (one, other))))
        return terms.all(*facts)

    @property
    def sizes(self) -> list[Term]:
        """Return the open sizes that are factors of these products."""
        return [term for term in self._ids[0].values() if any(term in factors for factors in self._found)]

    def facts(self) -> Term:
        """Return what is known of the order of these products, in a launch with fewer than 2^31 threads."""
        return self._terms.all(*(fact for number in range(DIMENSIONS) for fact in self._facts(number)))

    def _facts(self, number: int) -> Iterator[Term]:
        terms, (one, two) = self._terms, self._ids
        size, groups = one[f"lsize.{number}"], one[f"groups.{number}"]
        if size.value is not None or groups.value == 1:
            return
        large, zero = terms.constant(1 << (ID_WIDTH - 1), ID_WIDTH), terms.constant(0, ID_WIDTH)
        threads = self.of(groups, size)
        yield terms.apply("ult", (threads, large))
        yield terms.apply("ule", (size, threads))
        yield terms.apply("ule", (groups, threads))
        for ids, others in ((one, two), (two, one)):
            group, first = ids[f"gid.{number}"], self.of(ids[f"gid.{number}"], size)
            yield terms.apply("ult", (first, threads))
            yield terms.apply("ule", (terms.apply("add", (first, size)), threads))
            yield terms.apply("ule", (group, first))
            yield terms.apply("eq", (terms.equal(group, zero), terms.equal(first, zero)))
            other = others[f"gid.{number}"]
            begins = self.of(other, size)
            inside = terms.apply("ult", (terms.apply("add", (first, ids[f"lid.{number}"])), begins))
            ends = terms.apply("ule", (terms.apply("add", (first, size)), begins))
            yield terms.implies(terms.apply("ult", (group, other)), terms.all(ends, inside))
            yield terms.implies(terms.equal(group, other), terms.equal(first, begins))
