"""What a run keeps of the tests that it finds: all, the minimal ones, one of each orbit or behaviour.

Tests come in batches, as they are found. Where only minimal ones are asked for, the others are never stored: each batch
is examined in threads (rules, verdicts and behaviours from one exploration each), then filtered, one batch after the
other, as what the filter learns of sub-programs in one helps it with the next. With `jobs=1` there is no thread but the
caller's, so that processes side by side take a core each.
"""

from __future__ import annotations

import abc
import functools
from array import array
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from synth_checker._native import BehaviourSet, IdCollector
from synth_checker.behaviour import first_of_classes
from synth_checker.errors import InternalError
from synth_checker.ids import Ids, least_of_orbits
from synth_checker.rules import first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from synth_checker.examination import Examined
    from synth_checker.question import Question

#: Bytes of ids that are examined at once: some thousand tests, some ten milliseconds.
_PIECE = 1 << 17
#: Pieces that are examined or wait to be filtered, per thread.
_AHEAD = 4
#: Bytes of what the filter has learned beyond which it begins anew with the next lot.
_MOST_LEARNED = 1 << 30


class Kept(NamedTuple):
    """What is kept of a lot of tests.

    `found` has what was counted of all of them: `behaviours`, if asked for, `minimal` ones and `signatures`, which are
    in `signatures` as bit masks; both are empty where all tests are kept.
    """

    ids: Ids
    found: dict[str, int]
    signatures: frozenset[int]


class Keeper(AbstractContextManager["Keeper"], abc.ABC):
    """Takes tests as they are found, ids each ended by a line end, and gives those that a question keeps.

    The core decides the rules, too, by other means than engines do; `take` and `kept` raise InternalError where the two
    disagree on whether a program is a test.

    Tests may come in lots: `kept` gives what is kept of one, and begins the next. What was learned of sub-programs is
    not forgotten.
    """

    @abc.abstractmethod
    def take(self, lines: bytes) -> None:
        """Take some tests, any of them any number of times."""

    @abc.abstractmethod
    def kept(self) -> Kept:
        """What is kept of the tests that were taken since it was asked for last."""


def keeper_for(question: Question, jobs: int, *, count_behaviours: bool = True) -> Keeper:
    """What keeps the tests of a question, in `jobs` threads; where all are kept, behaviours are never counted.

    With one job it has no thread to end, so it need not be left and survives a fork.
    """
    if not question.minimal:
        return AllTests(question, jobs)
    return MinimalTests(question, jobs, count_behaviours=count_behaviours)


def one_of_each(ids: Ids, question: Question, jobs: int = 1) -> Ids:
    """Of ids those that are least among what a question calls the same."""
    if "threads" in question.up_to:
        ids = least_of_orbits(ids, keep_store_checks=question.keep_store_checks, jobs=jobs)
    if "behaviour" in question.up_to:
        ids = first_of_classes(ids, jobs=jobs)
    return ids


class AllTests(Keeper):
    """Keeps all tests; at the end one of each orbit or behaviour where a question asks for that."""

    def __init__(self, question: Question, jobs: int) -> None:
        self._question, self._jobs = question, jobs
        self._found = IdCollector()

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""

    def take(self, lines: bytes) -> None:
        """Take some tests."""
        self._found.add(lines)

    def kept(self) -> Kept:
        """The ids that are kept; nothing is counted."""
        ids = Ids(self._found)
        wrong = first_broken(ids, self._question.without, jobs=self._jobs)
        if wrong is not None:
            raise _disagreement(*wrong)
        return Kept(one_of_each(ids, self._question, self._jobs), {}, frozenset())


class MinimalTests(Keeper):
    """Keeps the minimal tests, and counts how many signatures, and behaviours if asked for, all have."""

    def __init__(self, question: Question, jobs: int, *, count_behaviours: bool = True) -> None:
        from synth_checker.examination import Examiner
        from synth_checker.minimality import MinimalityFilter
        from synth_checker.models import models_named

        self._question, self._jobs = question, jobs
        threads, models = {bound.threads for bound in question.bounds}, models_named(question.models)
        examiner = Examiner(threads, models, question.without)
        self._examined = functools.partial(examiner.examine, with_behaviours=count_behaviours)
        self._new_filter = functools.partial(MinimalityFilter, max(threads), models, question.without)
        self._filter = self._new_filter()
        self._minimal = IdCollector()
        self._count_behaviours = count_behaviours
        self._behaviours = BehaviourSet()
        self._signatures: set[int] = set()
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None
        self._ahead: deque[tuple[bytes, Future[Examined]]] = deque()

    def __exit__(self, *_: object) -> None:
        """Wait for no more than what is being worked on."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def take(self, lines: bytes) -> None:
        """Take some tests."""
        for piece in _pieces(lines):
            if self._pool is None:
                self._filter_out(piece, self._examined(piece))
                continue
            self._ahead.append((piece, self._pool.submit(self._examined, piece)))
            while len(self._ahead) > _AHEAD * self._jobs:
                self._filter_next()

    def kept(self) -> Kept:
        """The minimal tests, and what was counted of all."""
        while self._ahead:
            self._filter_next()
        ids = Ids(self._minimal)
        found = {"behaviours": len(self._behaviours)} if self._count_behaviours else {}
        found |= {"minimal": len(ids), "signatures": len(self._signatures)}
        kept = Kept(one_of_each(ids, self._question, self._jobs), found, frozenset(self._signatures))
        self._behaviours, self._signatures = BehaviourSet(), set()
        if self._filter.bytes > _MOST_LEARNED:
            self._filter = self._new_filter()
        return kept

    def _filter_next(self) -> None:
        piece, examination = self._ahead.popleft()
        self._filter_out(piece, examination.result())

    def _filter_out(self, piece: bytes, examined: Examined) -> None:
        if examined.broken is not None:
            raise _disagreement(*examined.broken)
        self._signatures.update(array("Q", examined.signatures))
        self._behaviours.insert(examined.behaviours)
        self._minimal.add(self._filter.minimal_of(piece, examined.signatures))


def _pieces(lines: bytes) -> Iterator[bytes]:
    """Ids, each ended by a line end, in pieces of about `_PIECE` bytes."""
    first = 0
    while first < len(lines):
        last = lines.find(b"\n", first + _PIECE) + 1 or len(lines)
        yield lines[first:last]
        first = last


def _disagreement(id_: str, broken: tuple[str, ...]) -> InternalError:
    """A disagreement of an engine and the core must not pass for a result."""
    return InternalError(f"the engine found {id_}, which breaks {', '.join(broken)} by the core")
