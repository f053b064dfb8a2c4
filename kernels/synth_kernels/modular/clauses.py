"""Candidates for contracts: what may hold where a function is called, and where it returns.

A clause is a formula over the parameters and results of a function, ids, and the words of claims. Houdini refutes those
that some call, or some way through the function, breaks. These are the candidates of our design, and some of our own:

- a parameter is the same in both threads, or in those of one group; or it differs; or it is an id, or 0;
- both threads make the call, or neither; also for those of one group;
- no access to an array is pending, or only for threads of different groups, or only at one's own place: at a local or
  global id, or where a parameter points;
- behind the call, the same, or that the function has added no access but those that it makes at such a place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_kernels.candidates.values import Values
from synth_kernels.program import ID_WIDTH, IDS, KINDS, Access, Arbitrary, Call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.candidates.values import Sum
    from synth_kernels.launch import Launch
    from synth_kernels.program import Flag, Kernel
    from synth_kernels.terms import Term

#: Lines of clauses begin here, above those of all instructions.
FIRST_LINE = 1 << 30
#: At most so many places of accesses are tried for each array and kind.
_MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class ContractClause:
    """A candidate for a contract. Its formula has names of the function, and `line` is its own number.

    It holds for each thread that makes the call or, with `once`, for the two threads if one of them does.
    """

    unit: str
    word: Literal["requires", "ensures"]
    meaning: Term
    once: bool
    line: int


def ids_of(values: Values, launch: Launch) -> Iterator[Term]:
    """Yield local ids, group ids and global ids of the dimensions that a launch has."""
    terms = values.terms
    dimensions = max(len(launch.local), len(launch.groups))
    for number in range(dimensions):
        words = [f"{word}.{number}" for word in ("lid", "gid", "lsize", "offset")]
        lid, gid, lsize, offset = (values.of(word) for word in words)
        in_group = terms.apply("mul", (gid, lsize))
        for term in (lid, gid, terms.apply("add", (terms.apply("add", (in_group, lid)), offset))):
            if term.value is None:
                yield term


def name_before(word: str) -> str:
    """Return the name of what a word said when the function was called."""
    return f"before.{word}"


def clauses_of(kernel: Kernel, launch: Launch, first: int) -> list[ContractClause]:
    """Return the candidates for the contract of a function, with lines from a number on."""
    assert kernel.function is not None  # noqa: S101  (the caller keeps this)
    clauses: list[ContractClause] = []
    seen: set[tuple[str, Term, bool]] = set()
    for word, meaning, once in _ClauseMaker(kernel, launch).run():
        if meaning.value is None and (word, meaning, once) not in seen:
            seen.add((word, meaning, once))
            clauses.append(ContractClause(kernel.function.key, word, meaning, once, first + len(clauses)))
    return clauses


def strongest_clauses(clauses: Sequence[ContractClause]) -> list[ContractClause]:
    """Return clauses without those that others imply because they say one of several things that these say."""
    parts = [(clause, frozenset(_parts(clause.meaning))) for clause in clauses]
    return [
        clause
        for clause, own in parts
        if not any(other.word == clause.word and other.once == clause.once and less < own for other, less in parts)
    ]


def _parts(meaning: Term) -> Iterator[Term]:
    """Yield the parts of a disjunction."""
    if meaning.operator == "or":
        for operand in meaning.operands:
            yield from _parts(operand)
    else:
        yield meaning


class _ClauseMaker:
    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        assert kernel.function is not None  # noqa: S101  (the caller keeps this)
        self._kernel, self._function = kernel, kernel.function
        self._values = Values(kernel, launch)
        self._terms = self._values.terms
        self._launch = launch
        defined = {instruction.name for instruction in kernel.steps if isinstance(instruction, Arbitrary)}
        self._parameters = [
            self._values.of_word(name, width) for name, width in self._function.parameters if name in defined
        ]

    def run(self) -> Iterator[tuple[Literal["requires", "ensures"], Term, bool]]:
        terms = self._terms
        ids = list(ids_of(self._values, self._launch))
        for parameter in self._parameters:
            for meaning in self._compared(parameter, ids):
                yield "requires", meaning, False
        together = terms.related("uniform", self._word("enabled"))
        yield "requires", together, True
        yield "requires", self._in_group(together), True
        for name, width in self._function.results:
            result = self._values.of_word(name, width)
            same = [parameter for parameter in self._parameters if parameter.width == width]
            for meaning in self._compared(result, [*ids, *same]):
                yield "ensures", meaning, False
        for array, flag in self._keys():
            pending = self._word(f"{flag}.{array}")
            before = self._word(name_before(f"{flag}.{array}"))
            places = [terms.equal(self._word("watched", ID_WIDTH), place) for place in self._places(array, ids)]
            claims = [terms.no(pending), self._in_group(terms.no(pending))]
            claims += [terms.implies(pending, here) for here in places]
            for meaning in claims:
                yield "requires", meaning, True
                yield "ensures", meaning, True
            yield "ensures", terms.implies(pending, before), True
            for here in places:
                yield "ensures", terms.implies(pending, terms.any(before, here)), True
            yield "ensures", self._in_group(terms.implies(pending, before)), True

    def _word(self, name: str, width: int = 1) -> Term:
        return self._values.of_word(name, width)

    def _in_group(self, meaning: Term) -> Term:
        return self._terms.implies(self._word("same_group"), meaning)

    def _compared(self, term: Term, others: list[Term]) -> Iterator[Term]:
        """Yield what may hold of a parameter or a result."""
        terms, same = self._terms, self._terms.related("uniform", term)
        yield same
        yield self._in_group(same)
        if term.width > 1:
            yield terms.no(same)
            yield self._in_group(terms.no(same))
            yield terms.equal(term, terms.constant(0, term.width))
        yield from (terms.equal(term, other) for other in others if other.width == term.width)

    def _places(self, array: str, ids: list[Term]) -> Iterator[Term]:
        """Yield where accesses to an array may lie, each place once."""
        seen: list[Sum] = []
        for place in self._all_places(array, ids):
            if (sum_ := self._values.sum(place)) not in seen and len(seen) < _MOST_PLACES:
                seen.append(sum_)
                yield place

    def _all_places(self, array: str, ids: list[Term]) -> Iterator[Term]:
        """Yield where accesses may lie: where the function makes them, at ids, and where parameters say."""
        known = {parameter.name for parameter in self._parameters} | set(IDS)
        for block in self._kernel.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, Access) and instruction.array == array:
                    place = self._values.of(instruction.offset)
                    if self._values.leaves(place) <= known:
                        yield place
        yield from ids
        region = next((region for region, name in self._function.arrays if name == array), "")
        starts = [parameter for parameter in self._parameters if parameter.name == f"{region.removeprefix('%')}.offset"]
        words = [
            parameter
            for parameter in self._parameters
            if parameter.width == ID_WIDTH and not parameter.name.endswith(".offset")
        ]
        for start in starts:
            yield start
            yield from (self._terms.apply("add", (start, word)) for word in words)

    def _keys(self) -> Iterator[tuple[str, Flag]]:
        """Yield the arrays that threads share, with the kinds of accesses to them."""
        arrays = {name for _, name in self._function.arrays}
        before = next(
            instruction for instruction in self._kernel.blocks[0].instructions if isinstance(instruction, Call)
        )
        yield from ((array, flag) for array, flag in before.flags if array in arrays and flag in KINDS)
