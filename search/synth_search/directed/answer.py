"""The answers of `synth find` and `synth separate`: the bounds searched, the first test, what that test shrinks to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.names import name_of
from synth_checker.programs.normal import program_of_id
from synth_checker.reductions.shrink import shrink
from synth_corpus.record import Id
from synth_litmus.facts.check import check_programs
from synth_search.directed.query import SearchState
from synth_storage.answer_json import HIDDEN, answer_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.reductions.shrink import Shrunk
    from synth_litmus.facts.check import Check
    from synth_search.directed.query import Directed
    from synth_search.directed.separation import Direction


class FirstTest(NamedTuple):
    """The first test that a search has found, with its name, its rules and verdicts, and the tests that it shrinks to.

    Each test in `minimal` is a sub-program that has the wanted verdicts, too. It comes with its name.
    """

    id: str
    called: str
    check: Check
    minimal: tuple[tuple[Shrunk, str], ...]


class FoundInBound(NamedTuple):
    """How far a bound was searched, by which engine, and the ids of the tests found in it."""

    bound: str
    state: SearchState
    engine: str
    tests: list[Id]


@dataclass(frozen=True, slots=True)
class FindAnswer:
    """A query and its answer; if the answer is not complete, `stopped` says why."""

    passes: tuple[str, ...]
    fails: tuple[str, ...]
    contains: tuple[str, ...]
    uses: int | None
    no_exchange_branches: bool
    silent_thread: bool
    thread_symmetric: bool
    locations: int
    values: int
    without: tuple[str, ...]
    bounds: list[FoundInBound]
    complete: bool
    smallest: bool
    stopped: str | None
    #: None if the search has found no test, or if no view shows the description.
    first: FirstTest | None = field(metadata=HIDDEN)


class DirectionAnswer(NamedTuple):
    """The known facts about tests that pass one verdict and fail another.

    The inclusion of fair sets was looked at for up to `threads` threads. It proves that there is no such test with up
    to `included` threads, or with any number of threads if `settled` is true. If `implied` is true, it proves this for
    all numbers of threads that were looked at. Otherwise `search` has the result of a search for a test.
    """

    passes: str
    fails: str
    implied: bool
    threads: int
    included: int
    settled: bool
    search: FindAnswer | None


def find_answer(directed: Directed, *, described: bool = False) -> FindAnswer:
    """Return the result of a search, if asked for with a description of its first test.

    Raises:
        LimitError: that test is too large to shrink.
    """
    wanted, question = directed.query.wanted, directed.query.question
    return answer_from(
        FindAnswer,
        directed,
        wanted,
        question,
        uses=wanted.locations,
        locations=question.locations,
        bounds=[FoundInBound(str(each.bound), each.state, each.engine, list(each.tests)) for each in directed.bounds],
        smallest=directed.is_smallest,
        stopped=None if directed.complete else directed.why_stopped,
        first=_described(directed) if described and directed.tests else None,
    )


def _described(directed: Directed) -> FirstTest:
    """Describe the first test that a search has found."""
    id_, sought = directed.tests[0], directed.query.wanted
    (check,) = check_programs([program_of_id(id_)], models=sought.models)
    keep = dict.fromkeys(sought.passes, True) | dict.fromkeys(sought.fails, False)
    minimal = shrink(id_, keep, sought.models, directed.query.question.without)
    return FirstTest(id_, name_of(id_), check, tuple((each, name_of(each.id)) for each in minimal))


def direction_answers(directions: Iterable[Direction], *, described: bool = False) -> list[DirectionAnswer]:
    """Return the answer of `synth separate` for each direction, if asked for with descriptions of the first tests.

    Raises:
        LimitError: such a test is too large to shrink.
    """
    return [
        answer_from(
            DirectionAnswer,
            direction,
            search=None if direction.search is None else find_answer(direction.search, described=described),
        )
        for direction in directions
    ]
