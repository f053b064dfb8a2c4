"""The answers of `synth find` and `synth separate`: the bounds searched, the first test, what that test shrinks to.

The functions of this module also give these answers as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_checker.names import name_of
from synth_checker.programs.normal import program_of_id
from synth_checker.reductions.shrink import shrink
from synth_corpus.record import Id
from synth_litmus.facts.check import check_programs
from synth_search.directed.query import SearchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.reductions.shrink import Shrunk
    from synth_litmus.facts.check import Check
    from synth_search.directed.query import Directed
    from synth_search.directed.separation import Direction


@dataclass(frozen=True, slots=True)
class FirstTest:
    """The first test that a search has found, with its name, its rules and verdicts, and the tests that it shrinks to.

    Each test in `minimal` is a sub-program that has the wanted verdicts, too. It comes with its name.
    """

    id: str
    called: str
    check: Check
    minimal: tuple[tuple[Shrunk, str], ...]


@dataclass(frozen=True, slots=True)
class FindAnswer:
    """The result of a search, with a description of its first test in `first`.

    `first` is None if the search has found no test, or if no view shows the description.
    """

    found: Directed
    first: FirstTest | None = None


@dataclass(frozen=True, slots=True)
class DirectionAnswer:
    """The known facts about tests that pass one verdict and fail another.

    The fields mean what they mean in `Direction`.
    """

    passes: str
    fails: str
    threads: int
    search: FindAnswer | None
    included: int
    settled: bool


class BoundFields(TypedDict):
    """How far a bound was searched, by which engine, and the ids of the tests found in it."""

    bound: str
    state: SearchState
    engine: str
    tests: list[Id]


class FindFields(TypedDict):
    """A query and its answer; if the answer is not complete, `stopped` says why."""

    passes: list[str]
    fails: list[str]
    contains: list[str]
    uses: int | None
    no_exchange_branches: bool
    silent_thread: bool
    thread_symmetric: bool
    locations: int
    values: int
    without: list[str]
    bounds: list[BoundFields]
    complete: bool
    smallest: bool
    stopped: str | None


class DirectionFields(TypedDict):
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
    search: FindFields | None


def describe_first(directed: Directed) -> FindAnswer:
    """Return the result of a search together with a description of its first test.

    Raises:
        LimitError: that test is too large to shrink.
    """
    if not directed.tests:
        return FindAnswer(directed)
    id_, sought = directed.tests[0], directed.query.wanted
    (check,) = check_programs([program_of_id(id_)], models=sought.models)
    keep = dict.fromkeys(sought.passes, True) | dict.fromkeys(sought.fails, False)
    minimal = shrink(id_, keep, sought.models, directed.query.question.without)
    return FindAnswer(
        directed, FirstTest(id_, name_of(id_), check, tuple((each, name_of(each.id)) for each in minimal))
    )


def describe_directions(directions: Sequence[Direction]) -> tuple[DirectionAnswer, ...]:
    """Return the answer of `synth separate` for each of its two directions, with a description of each first test.

    Raises:
        LimitError: such a test is too large to shrink.
    """
    return tuple(
        _direction(direction, None if direction.search is None else describe_first(direction.search))
        for direction in directions
    )


def direction_answers(directions: Sequence[Direction]) -> tuple[DirectionAnswer, ...]:
    """Return the answer of `synth separate` for each of its two directions, without descriptions of tests."""
    return tuple(
        _direction(direction, None if direction.search is None else FindAnswer(direction.search))
        for direction in directions
    )


def _direction(direction: Direction, search: FindAnswer | None) -> DirectionAnswer:
    return DirectionAnswer(
        direction.passes, direction.fails, direction.threads, search, direction.included, direction.settled
    )


def find_fields(answer: FindAnswer) -> FindFields:
    """Return the result of a search as the JSON object that `synth find --json` prints."""
    directed = answer.found
    wanted, question = directed.query.wanted, directed.query.question
    return {
        "passes": list(wanted.passes),
        "fails": list(wanted.fails),
        "contains": list(wanted.contains),
        "uses": wanted.locations,
        "no_exchange_branches": wanted.no_exchange_branches,
        "silent_thread": wanted.silent_thread,
        "thread_symmetric": wanted.thread_symmetric,
        "locations": question.locations,
        "values": question.values,
        "without": list(question.without),
        "bounds": [
            {"bound": str(each.bound), "state": each.state, "engine": each.engine, "tests": list(each.tests)}
            for each in directed.bounds
        ],
        "complete": directed.complete,
        "smallest": directed.is_smallest,
        "stopped": None if directed.complete else directed.why_stopped,
    }


def separate_fields(answer: Sequence[DirectionAnswer]) -> list[DirectionFields]:
    """Return the results of both directions as the JSON that `synth separate --json` prints."""
    return [
        {
            "passes": direction.passes,
            "fails": direction.fails,
            "implied": direction.search is None,
            "threads": direction.threads,
            "included": direction.included,
            "settled": direction.settled,
            "search": None if direction.search is None else find_fields(direction.search),
        }
        for direction in answer
    ]
