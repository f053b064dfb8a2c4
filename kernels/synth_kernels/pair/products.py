"""Products of ids and sizes, if a launch leaves both open, and remainders by such sizes: variables with known facts.

The first global id of a group is its group id times the local size. Solvers are slow with the product of two unknown
numbers, and proofs about ids seldom need more than its order: a group begins where the one before it has ended, or
later. So such a product is a variable with facts about this order. A proof with these facts holds for the products,
which have them. A counterexample may not; `exact` says that the variables are the products.

A remainder by a number that is the same for all threads, but not known, is a variable, too. It is known how it moves
with the number that is divided: `x + d` leaves the remainder of `x` by `d`, and so on.
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
        #: The variables that stand for an operator and its operands.
        self._unknown: dict[tuple[str, Term, Term], Term] = {}
        #: The remainders so far, by their second operands and then their first ones.
        self._remainders: dict[Term, dict[Term, Term]] = {}
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

    def is_size(self, term: Term) -> bool:
        """Whether a term stands for the number of threads in a dimension."""
        sizes = (
            frozenset(self._ids[0][f"{word}.{number}"] for word in ("groups", "lsize")) for number in range(DIMENSIONS)
        )
        return any(self._found.get(factors) is term for factors in sizes)

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
        facts += [
            terms.equal(found, terms.apply(operator, (term, other)))
            for (operator, term, other), found in self._unknown.items()
        ]
        for by, remainders in self._remainders.items():
            facts += [terms.equal(found, terms.apply("urem", (term, by))) for term, found in remainders.items()]
        return terms.all(*facts)

    @property
    def sizes(self) -> list[Term]:
        """Return the open sizes that are factors of these products."""
        return [term for term in self._ids[0].values() if any(term in factors for factors in self._found)]

    def unknown(self, operator: str, one: Term, other: Term) -> Term:
        """Return a variable that stands for the result of an operator, of which nothing is known."""
        key = operator, one, other
        if key not in self._unknown:
            self._unknown[key] = self._terms.variable(operator, one.width)
        return self._unknown[key]

    def remainder(self, term: Term, by: Term) -> tuple[Term, Term]:
        """Return the remainder of one term by another that is not 0, and what is new to know of it."""
        terms, known = self._terms, self._remainders.setdefault(by, {})
        if term in known:
            return known[term], terms.true
        if (chosen := self._chosen(term)) is not None:
            test, *parts = chosen
            (first, of_first), (second, of_second) = (self.remainder(part, by) for part in parts)
            return terms.choose(test, first, second), terms.all(of_first, of_second)
        found = terms.variable("remainder", term.width)
        facts = [
            terms.implies(terms.apply("ult", (term, by)), terms.equal(found, term)),
            terms.apply("ult", (found, by)),
        ]
        for part, step in self._before(term):
            of_part, fact = self.remainder(part, by)
            again = terms.all(terms.equal(step, by), terms.apply("ule", (part, term)))
            facts += [fact, terms.implies(again, terms.equal(found, of_part))]
        for other, of_other in known.items():
            facts.append(terms.implies(terms.equal(term, other), terms.equal(found, of_other)))
            if term.operator == other.operator == "sub":
                facts += [self._moved(term, found, other, of_other, by), self._moved(other, of_other, term, found, by)]
        known[term] = found
        return found, terms.implies(terms.no(terms.equal(by, terms.constant(0, by.width))), terms.all(*facts))

    def _chosen(self, term: Term) -> tuple[Term, Term, Term] | None:
        """Return a choice among two terms as a test and these, also if something is then added to either."""
        if term.operator == "select":
            test, first, second = term.operands
            return test, first, second
        if term.operator in {"add", "sub"} and term.operands[0].operator == "select":
            test, first, second = term.operands[0].operands
            first, second = (self._terms.apply(term.operator, (part, term.operands[1])) for part in (first, second))
            return test, first, second
        return None

    def _before(self, term: Term) -> list[tuple[Term, Term]]:
        """Return what a term may have been before something was added, each with that."""
        if term.operator == "add" and term.operands[1].value is None:
            first, second = term.operands
            return [(first, second), (second, first)]
        if term.operator in {"add", "sub"} and term.operands[0].operator == "add":
            first, second = term.operands[0].operands
            return [
                (self._terms.apply(term.operator, (part, term.operands[1])), step)
                for part, step in ((first, second), (second, first))
            ]
        return []

    def _moved(self, one: Term, found: Term, other: Term, of_other: Term, by: Term) -> Term:
        """Return how the remainder of a number follows from that of a smaller one, if they are close."""
        terms = self._terms
        far = terms.apply("sub", (other, one))
        is_close = terms.apply("ult", (far, terms.apply("sub", (by, found))))
        moved = terms.implies(is_close, terms.equal(of_other, terms.apply("add", (found, far))))
        return terms.implies(terms.apply("ule", (one, other)), moved)

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
