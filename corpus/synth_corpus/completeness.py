"""Check that merged corpora agree with the complete ones among them, and count the tests that were found.

A complete corpus has all tests that its question keeps. It is a contradiction if another corpus has a test of the same
bounds that the complete corpus lacks, or if their counts differ. There is one exception. If the question keeps one test
of each behaviour, the complete corpus may lack a test because it has another one with the same behaviour and a lesser
id. This other test has been read before, because tests are sorted by id.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.transitions.behaviour import behaviour_hashes
from synth_corpus.kept_tests import counted_keys
from synth_corpus.record_batches import id_of
from synth_corpus.tally import shape_of, sizes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from synth_checker.question import Bound, Question
    from synth_corpus.store import Corpus

#: The number of tests whose behaviours are computed in one call.
_AT_ONCE = 1 << 10


def is_covered(corpora: Iterable[Corpus], question: Question) -> bool:
    """Return whether, for each bound of a question, one of these corpora is complete. Then no test is missing."""
    return frozenset().union(*_bounds_of_complete(corpora)).issuperset(question.bounds)


def requested_tests(
    lines: Iterable[tuple[bytes, int]], question: Question, corpora: Sequence[Corpus], place_of: Callable[[bytes], str]
) -> Iterator[bytes]:
    """Yield those records of the corpora that a question keeps, sorted by id.

    `lines` are the records of all corpora; bit k of the number beside a record says that corpus k has it. `place_of`
    returns the place of a record for messages.

    Raises:
        InputError: a complete corpus lacks a test of its bounds; the message starts with the place of that test.
    """
    expected = _ExpectedCorpora(corpora)
    by_behaviour = "behaviour" in question.up_to
    had: dict[str, int] = {}  # the corpora that have a test of some behaviour
    remaining = iter(lines)
    while piece := list(islice(remaining, _AT_ONCE)):
        behaviours = behaviour_hashes([id_of(line).decode("ascii") for line, _ in piece]) if by_behaviour else ()
        for number, (line, has_it) in enumerate(piece):
            before, has = 0, has_it
            if by_behaviour:
                before = had.get(behaviours[number], 0)
                has = had[behaviours[number]] = before | has_it
            lacks = expected.of(line) & ~has
            if lacks:
                raise InputError(f"{place_of(line)}: {_lacking(line, lacks, corpora, by_behaviour=by_behaviour)}")
            if not before:
                yield line


def found_counts(corpora: Sequence[Corpus], question: Question) -> dict[str, int]:
    """Return the value of the key `found` in the manifest of a merge.

    A question may keep only some of all tests; `found` counts all of them. The result is empty if the question keeps
    all tests, or if tests may be missing. The numbers of tests of different bounds can be added. So if some complete
    corpora together have each bound once, the number of tests is the sum of theirs. Behaviours and signatures may occur
    in several bounds, so their numbers cannot be added.

    Raises:
        InputError: corpora contradict each other, or their counts are not enough to find the numbers.
    """
    if question.keeps_all or not is_covered(corpora, question):
        return {}
    by_bounds: dict[frozenset[Bound], dict[str, int]] = {}
    for corpus in corpora:
        if corpus.manifest.complete:
            known = by_bounds.setdefault(frozenset(corpus.manifest.question.bounds), {})
            for name, count in corpus.manifest.found.items():
                if known.setdefault(name, count) != count:
                    raise InputError(
                        f"{corpus.name}: its manifest says that {count} {name} were found, but the manifest of another "
                        f"complete corpus of the same bounds says {known[name]}; enumerate these bounds to see which "
                        "of the two is right"
                    )
    bounds = frozenset(question.bounds)
    names = ", ".join(dict.fromkeys(corpus.name for corpus in corpora))
    if question.minimal and bounds not in by_bounds:
        raise InputError(
            f"{names}: the numbers of behaviours and signatures of different bounds cannot be added; add one complete "
            f"corpus that has all of the bounds, or enumerate {question.name}, which counts them"
        )
    tests = {its_bounds: counts["tests"] for its_bounds, counts in by_bounds.items() if "tests" in counts}
    totals = sorted(_totals(bounds, tests))
    if len(totals) > 1:
        raise InputError(
            f"{names}: their manifests contradict each other: {totals[0]} and {totals[1]} tests were found in the same "
            "bounds; enumerate these bounds to see which corpus is wrong, and leave it out"
        )
    if not totals:
        raise InputError(
            f"{names}: the numbers of tests found cannot be added, because bounds overlap or counts are missing; merge "
            f"complete corpora of different bounds, or enumerate {question.name}, which counts them"
        )
    of_question = {"tests": totals[0]} | by_bounds.get(bounds, {})
    return {name: of_question[name] for name in counted_keys(question) if name in of_question}


class _ExpectedCorpora:
    """Says which corpora must have a test: the complete ones that have its bound."""

    def __init__(self, corpora: Sequence[Corpus]) -> None:
        self._bounds = [
            {(bound.threads, bound.instructions) for bound in corpus.manifest.question.bounds}
            if corpus.manifest.complete
            else set()
            for corpus in corpora
        ]
        self._of_shapes: dict[bytes, int] = {}

    def of(self, line: bytes) -> int:
        """Return the corpora that must have the test of a record, as a bit mask."""
        shape = shape_of(line)
        fitting = self._of_shapes.get(shape)
        if fitting is None:
            sizes = sizes_of(shape)
            fitting = sum(1 << k for k, shapes in enumerate(self._bounds) if (len(sizes), sum(sizes)) in shapes)
            self._of_shapes[shape] = fitting
        return fitting


def _bounds_of_complete(corpora: Iterable[Corpus]) -> Iterator[tuple[Bound, ...]]:
    return (corpus.manifest.question.bounds for corpus in corpora if corpus.manifest.complete)


def _lacking(line: bytes, lacks: int, corpora: Sequence[Corpus], *, by_behaviour: bool) -> str:
    names = ", ".join(dict.fromkeys(corpus.name for k, corpus in enumerate(corpora) if lacks >> k & 1))
    id_ = id_of(line).decode()
    lacked = f"the test {id_}, and any test of its behaviour with a lesser id," if by_behaviour else f"the test {id_},"
    return f"{names} lacks {lacked} although its manifest says that it is complete"


def _totals(bounds: frozenset[Bound], tests: dict[frozenset[Bound], int]) -> set[int]:
    """Return the possible sums of numbers of tests, over all ways to divide bounds into sets that have a number."""
    if not bounds:
        return {0}
    first = min(bounds, key=str)
    return {
        count + rest
        for its_bounds, count in tests.items()
        if first in its_bounds and its_bounds <= bounds
        for rest in _totals(bounds - its_bounds, tests)
    }
