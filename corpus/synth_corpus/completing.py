"""What complete corpora say of a merge: which bounds are all there, what can't be true, and how many tests were found.

A complete corpus has all tests that its question keeps. So a test of its bounds that only another corpus has is a
contradiction, and so is a count that differs. Up to behaviour a complete corpus may have a lesser test of the same
behaviour instead. Tests come sorted by id, so lesser ones come first.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_corpus.kept import counted_keys
from synth_corpus.reading import id_of
from synth_corpus.tally import shape_of, sizes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from synth_checker.question import Bound, Question
    from synth_corpus.store import Corpus

#: Tests whose behaviours are found at a time.
_AT_ONCE = 1 << 10


def is_covered(corpora: Iterable[Corpus], question: Question) -> bool:
    """Whether each bound of a question is one of a complete corpus, so that all its tests are there."""
    return frozenset().union(*_bounds_of_complete(corpora)).issuperset(question.bounds)


def keep_asked_for(
    lines: Iterable[tuple[bytes, int]], question: Question, corpora: Sequence[Corpus], place_of: Callable[[bytes], str]
) -> Iterator[bytes]:
    """The records that a question keeps, of all that corpora have, sorted by id; bit k says that corpus k has one.

    Raises:
        InputError: a complete corpus lacks a test of its bounds; the message starts with the place of that test.
    """
    expected = _Expected(corpora)
    by_behaviour = "behaviour" in question.up_to
    had: dict[str, int] = {}  # the corpora that have a test of some behaviour
    remaining = iter(lines)
    while some := list(islice(remaining, _AT_ONCE)):
        behaviours = behaviour_hashes([id_of(line).decode("ascii") for line, _ in some]) if by_behaviour else ()
        for number, (line, has_it) in enumerate(some):
            before, has = 0, has_it
            if by_behaviour:
                before = had.get(behaviours[number], 0)
                has = had[behaviours[number]] = before | has_it
            lacks = expected.of(line) & ~has
            if lacks:
                raise InputError(f"{place_of(line)}: {_lacking(line, lacks, corpora, by_behaviour=by_behaviour)}")
            if not before:
                yield line


def found_in(corpora: Sequence[Corpus], question: Question) -> dict[str, int]:
    """The key `found` in the manifest of a merge; nothing where all tests are kept, or some may be missing.

    Tests are counted bound by bound, so their number is a sum where some complete corpora share the bounds out among
    them. Behaviours and signatures may be those of tests of several bounds, so their numbers are no sums.

    Raises:
        InputError: corpora contradict each other, or their counts do not tell.
    """
    if question.keeps_all or not is_covered(corpora, question):
        return {}
    by_bounds: dict[frozenset[Bound], dict[str, int]] = {}
    for corpus in corpora:
        if corpus.manifest.complete:
            known = by_bounds.setdefault(frozenset(corpus.manifest.question.bounds), {})
            for name, count in corpus.manifest.found.items():
                if known.setdefault(name, count) != count:
                    msg = f"found {count} {name} of its bounds, where another complete corpus has {known[name]}"
                    raise InputError(f"{corpus.name}: {msg}, expected the same in all")
    bounds = frozenset(question.bounds)
    names = ", ".join(dict.fromkeys(corpus.name for corpus in corpora))
    anew = f"an enumeration of {question.name} counts them"
    if question.minimal and bounds not in by_bounds:
        msg = "found minimal tests of different bounds, whose numbers of behaviours and signatures can't be added"
        raise InputError(f"{names}: {msg}; expected one complete corpus that has all of the bounds ({anew})")
    tests = {some: counts["tests"] for some, counts in by_bounds.items() if "tests" in counts}
    totals = sorted(_totals(bounds, tests))
    if len(totals) > 1:
        msg = f"found counts by which they were kept of {totals[0]} tests, and of {totals[1]}, expected one number"
        raise InputError(f"{names}: {msg}")
    if not totals:
        msg = "found bounds that overlap, or no counts, so that the tests that they were kept of can't be added"
        raise InputError(f"{names}: {msg}; expected complete corpora of different bounds ({anew})")
    found = {"tests": totals[0]} | by_bounds.get(bounds, {})
    return {name: found[name] for name in counted_keys(question) if name in found}


class _Expected:
    """Which corpora must have a test, if it is one: those complete ones that have its bound."""

    def __init__(self, corpora: Sequence[Corpus]) -> None:
        self._bounds = [
            {(bound.threads, bound.instructions) for bound in corpus.manifest.question.bounds}
            if corpus.manifest.complete
            else set()
            for corpus in corpora
        ]
        self._of_shapes: dict[bytes, int] = {}

    def of(self, line: bytes) -> int:
        """A bit mask of the corpora, for a test that is given by its record."""
        shape = shape_of(line)
        found = self._of_shapes.get(shape)
        if found is None:
            sizes = sizes_of(shape)
            found = sum(1 << k for k, some in enumerate(self._bounds) if (len(sizes), sum(sizes)) in some)
            self._of_shapes[shape] = found
        return found


def _bounds_of_complete(corpora: Iterable[Corpus]) -> Iterator[tuple[Bound, ...]]:
    return (corpus.manifest.question.bounds for corpus in corpora if corpus.manifest.complete)


def _lacking(line: bytes, lacks: int, corpora: Sequence[Corpus], *, by_behaviour: bool) -> str:
    names = ", ".join(dict.fromkeys(corpus.name for k, corpus in enumerate(corpora) if lacks >> k & 1))
    instead = ", or a lesser test of its behaviour," if by_behaviour else ""
    return f"found {id_of(line).decode()}, expected it{instead} in {names}, too, which is said to be complete"


def _totals(bounds: frozenset[Bound], tests: dict[frozenset[Bound], int]) -> set[int]:
    """What the numbers of tests add up to, over all ways to share bounds out among those that have a number."""
    if not bounds:
        return {0}
    first = min(bounds, key=str)
    return {
        count + rest
        for some, count in tests.items()
        if first in some and some <= bounds
        for rest in _totals(bounds - some, tests)
    }
