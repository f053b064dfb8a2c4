"""Keep those tests of a run that its question asks for: all, the minimal ones, or one of each orbit or behaviour.

Tests come in batches, as the engine finds them. If the question asks for minimal tests, the others are never stored.
Threads examine each batch: one exploration of a program gives its rules, verdicts and behaviour. The filter of minimal
tests then takes one batch after the other, because what it learns about sub-programs helps with the next batch. With
`jobs=1` this module starts no thread. So several processes that use it need one CPU each.
"""

from __future__ import annotations

import abc
import functools
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from synth_checker._native import BehaviourSet, IdCollector, Signatures
from synth_checker.errors import InternalError
from synth_checker.programs.ids import Ids, least_of_orbits
from synth_checker.programs.rules import first_broken
from synth_checker.transitions.behaviour import first_of_classes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from synth_checker._native import SharedOrbits
    from synth_checker.examination import Examination
    from synth_checker.question import Question

#: How many bytes of ids a thread examines at once. That is some thousand tests, and takes some ten milliseconds.
_PIECE = 1 << 17
#: How many bytes the verdicts of a test take.
_MASK = 8
#: How many pieces for each thread may be in work or wait for the filter.
_AHEAD = 4
#: When the filter has learned more than so many bytes, the next lot of tests gets a new filter.
_MOST_LEARNED = 1 << 30


class KeptTests(NamedTuple):
    """The result of a filter: the ids of the tests that the question keeps, and counts of all tests that it was given.

    If the question asks for minimal tests, `found` has the numbers of minimal tests, of signatures and, if the caller
    wants it, of behaviours. The field `signatures` then has the signatures themselves, as bit masks. Otherwise `found`
    and `signatures` are empty.
    """

    ids: Ids
    found: dict[str, int]
    signatures: frozenset[int]


class EnumerationFilter(AbstractContextManager["EnumerationFilter"], abc.ABC):
    """An object that takes tests as they are found, and returns those that a question keeps.

    The core decides the rules again, by other means than the engines. `take` and `kept` raise InternalError if engine
    and core disagree on whether a program is a test. A caller may use a filter again: each call of `kept` is about the
    tests since the call before it. The filter remembers from one call to the next which sub-programs are tests, as long
    as this does not take too much memory.
    """

    @abc.abstractmethod
    def take(self, lines: bytes) -> None:
        """Take some tests: ids, each of which ends with a line break.

        A caller may give the same test several times. It counts once.
        """

    @abc.abstractmethod
    def kept(self) -> KeptTests:
        """Return which of the tests that `take` got since the last call of `kept` the question keeps."""


def filter_for(
    question: Question, jobs: int, *, count_behaviours: bool = True, shared: SharedOrbits | None = None
) -> EnumerationFilter:
    """Return the filter for the tests of a question, which works in `jobs` threads.

    `shared` is what it shares with other processes. It and `count_behaviours` have no effect on a question that keeps
    all tests. With one job the filter starts no thread. So it
    need not be closed, and it survives a fork.
    """
    if not question.minimal:
        return AllTests(question, jobs) if _has_tables(question) else TestsOfManyThreads(question, jobs)
    return MinimalTests(question, jobs, count_behaviours=count_behaviours, shared=shared)


def _has_tables(question: Question) -> bool:
    from synth_checker.models import models_named

    most = max(bound.threads for bound in question.bounds)
    return all(model.has_tables(most) for model in models_named(question.models))


def one_of_each(ids: Ids, question: Question, jobs: int = 1) -> Ids:
    """Return the least id of each class of programs that a question counts as the same.

    Such a class is an orbit (programs that differ only in the order of their threads) or a behaviour.
    """
    if "threads" in question.up_to:
        ids = least_of_orbits(ids, keep_store_checks=question.keep_store_checks, jobs=jobs)
    if "behaviour" in question.up_to:
        ids = first_of_classes(ids, jobs=jobs)
    return ids


class _ExaminedTests(EnumerationFilter):
    """A filter that examines tests as they come, piece by piece, in threads if there are several jobs."""

    def __init__(self, question: Question, jobs: int, *, with_behaviours: bool) -> None:
        from synth_checker.examination import Examiner
        from synth_checker.models import models_named

        self._question, self._jobs = question, jobs
        threads, models = {bound.threads for bound in question.bounds}, models_named(question.models)
        examiner = Examiner(threads, models, question.without)
        self._examined = functools.partial(examiner.examine, with_behaviours=with_behaviours)
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        self._ahead: deque[tuple[bytes, Future[Examination]]] = deque()

    def __exit__(self, *_: object) -> None:
        """End the threads: pieces in work are finished, those that wait are dropped."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def take(self, lines: bytes) -> None:
        """Take some tests: ids, each of which ends with a line break."""
        for piece in pieces_of(lines):
            if self._pool is None:
                self._next(piece, self._examined(piece))
                continue
            self._ahead.append((piece, self._pool.submit(self._examined, piece)))
            while len(self._ahead) > _AHEAD * self._jobs:
                self._take_next()

    def _take_all(self) -> None:
        while self._ahead:
            self._take_next()

    def _take_next(self) -> None:
        piece, examination = self._ahead.popleft()
        self._next(piece, examination.result())

    def _next(self, piece: bytes, examined: Examination) -> None:
        if examined.broken is not None:
            raise _disagreement(*examined.broken)
        self._keep(piece, examined)

    @abc.abstractmethod
    def _keep(self, piece: bytes, examined: Examination) -> None:
        """Keep some tests, which keep all rules."""


class AllTests(_ExaminedTests):
    """A filter that keeps all tests, or at the end one of each orbit or behaviour if the question asks for that.

    It decides the verdicts of the tests when they come, because then those of one orbit come together.
    """

    def __init__(self, question: Question, jobs: int) -> None:
        super().__init__(question, jobs, with_behaviours=False)
        self._found = IdCollector(with_signatures=True)

    def kept(self) -> KeptTests:
        """Return the ids of the tests that the question keeps, without counts."""
        self._take_all()
        ids = Ids(self._found)
        return KeptTests(one_of_each(ids, self._question, self._jobs), {}, frozenset())

    def _keep(self, piece: bytes, examined: Examination) -> None:
        self._found.add_judged(piece, examined.signatures)


class TestsOfManyThreads(EnumerationFilter):
    """A filter that keeps all tests, of so many threads that tables of the models can't decide their verdicts."""

    def __init__(self, question: Question, jobs: int) -> None:
        self._question, self._jobs = question, jobs
        self._found = IdCollector()

    def __exit__(self, *_: object) -> None:
        """Do nothing, because this filter holds no thread."""

    def take(self, lines: bytes) -> None:
        """Take some tests: ids, each of which ends with a line break."""
        self._found.add(lines)

    def kept(self) -> KeptTests:
        """Return the ids of the tests that the question keeps, without counts."""
        ids = Ids(self._found)
        wrong = first_broken(ids, self._question.without, jobs=self._jobs)
        if wrong is not None:
            raise _disagreement(*wrong)
        return KeptTests(one_of_each(ids, self._question, self._jobs), {}, frozenset())


class MinimalTests(_ExaminedTests):
    """A filter that keeps the minimal tests, and counts how many signatures all tests have.

    It also counts their behaviours if that is asked for.
    """

    def __init__(
        self, question: Question, jobs: int, *, count_behaviours: bool = True, shared: SharedOrbits | None = None
    ) -> None:
        from synth_checker.models import models_named
        from synth_checker.reductions.minimality import MinimalityFilter

        super().__init__(question, jobs, with_behaviours=count_behaviours)
        self._new_filter = functools.partial(
            MinimalityFilter,
            max(bound.threads for bound in question.bounds),
            models_named(question.models),
            question.without,
            shared=shared,
        )
        self._filter = self._new_filter()
        self._minimal = IdCollector()
        self._count_behaviours = count_behaviours
        self._behaviours = BehaviourSet()
        self._signatures: set[int] = set()

    def kept(self) -> KeptTests:
        """Return the minimal tests, and the counts of all tests."""
        self._take_all()
        ids = Ids(self._minimal)
        counts = {"behaviours": len(self._behaviours)} if self._count_behaviours else {}
        counts |= {"minimal": len(ids), "signatures": len(self._signatures)}
        kept = KeptTests(one_of_each(ids, self._question, self._jobs), counts, frozenset(self._signatures))
        self._behaviours, self._signatures = BehaviourSet(), set()
        if self._filter.bytes > _MOST_LEARNED:
            self._filter = self._new_filter()
        return kept

    def _keep(self, piece: bytes, examined: Examination) -> None:
        different = Signatures(len(examined.signatures) // _MASK)
        different.append(examined.signatures)
        self._signatures.update(different.masks())
        self._behaviours.insert(examined.behaviours)
        self._minimal.add(self._filter.minimal_of(piece, examined.signatures))


def pieces_of(lines: bytes) -> Iterator[bytes]:
    """Divide ids, each of which ends with a line break, into pieces of about `_PIECE` bytes."""
    first = 0
    while first < len(lines):
        last = lines.find(b"\n", first + _PIECE) + 1 or len(lines)
        yield lines[first:last]
        first = last


def _disagreement(id_: str, broken: tuple[str, ...]) -> InternalError:
    """Return the error for a program that an engine calls a test and the core does not."""
    return InternalError(f"the engine found {id_}, but the core says that this program breaks {', '.join(broken)}")
