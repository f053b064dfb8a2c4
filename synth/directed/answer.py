"""What `synth find` and `synth separate` say: the bounds searched, the first test, what it shrinks to; and the JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth.directed.query import SearchState
from synth.judging.checking import check_programs
from synth_checker.names import name_of
from synth_checker.normal import program_of_id
from synth_checker.shrinking import shrink
from synth_corpus.record import Id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth.directed.query import Directed
    from synth.directed.separating import Direction
    from synth.judging.checking import Check
    from synth_checker.shrinking import Shrunk


@dataclass(frozen=True, slots=True)
class FirstTest:
    """The first of the tests that a search has found: its name, what is decided of it, and what it shrinks to.

    What it shrinks to has the wanted verdicts, too; each of these tests comes with its name.
    """

    id: str
    called: str
    check: Check
    minimal: tuple[tuple[Shrunk, str], ...]


@dataclass(frozen=True, slots=True)
class FindAnswer:
    """What a search has found. `first` describes the first of its tests, if there is one and a view shows it."""

    found: Directed
    first: FirstTest | None = None


@dataclass(frozen=True, slots=True)
class DirectionAnswer:
    """What is known of the tests that pass one verdict and fail another.

    `search` is None where inclusion of fair sets excludes such tests of up to `threads` threads.
    """

    passes: str
    fails: str
    threads: int
    search: FindAnswer | None


class BoundFields(TypedDict):
    """How far a bound was searched, by which engine, and the tests found in it."""

    bound: str
    state: SearchState
    engine: str
    tests: list[Id]


class FindFields(TypedDict):
    """A query and its answer; `stopped` says why what is not complete is not."""

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
    """What is known of the tests that pass one verdict and fail another.

    `implied` says that inclusion of fair sets excludes them for up to `threads` threads; if not, `search` says more.
    """

    passes: str
    fails: str
    implied: bool
    threads: int
    search: FindFields | None


def describe_first(found: Directed) -> FindAnswer:
    """What a search has found, and a description of its first test.

    Raises:
        LimitError: that test is too large to be shrunk.
    """
    if not found.tests:
        return FindAnswer(found)
    id_, wanted = found.tests[0], found.query.wanted
    (check,) = check_programs([program_of_id(id_)], models=wanted.models)
    keep = dict.fromkeys(wanted.passes, True) | dict.fromkeys(wanted.fails, False)
    minimal = shrink(id_, keep, wanted.models, found.query.question.without)
    return FindAnswer(found, FirstTest(id_, name_of(id_), check, tuple((each, name_of(each.id)) for each in minimal)))


def describe_directions(directions: Sequence[Direction]) -> tuple[DirectionAnswer, ...]:
    """What is known in each direction, and a description of each first test.

    Raises:
        LimitError: such a test is too large to be shrunk.
    """
    return tuple(_direction(one, None if one.search is None else describe_first(one.search)) for one in directions)


def direction_answers(directions: Sequence[Direction]) -> tuple[DirectionAnswer, ...]:
    """What is known in each direction, without a description of tests."""
    return tuple(_direction(one, None if one.search is None else FindAnswer(one.search)) for one in directions)


def _direction(one: Direction, search: FindAnswer | None) -> DirectionAnswer:
    return DirectionAnswer(one.passes, one.fails, one.threads, search)


def find_fields(answer: FindAnswer) -> FindFields:
    """What `synth find` says, as JSON has it."""
    found = answer.found
    wanted, question = found.query.wanted, found.query.question
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
            for each in found.bounds
        ],
        "complete": found.complete,
        "smallest": found.is_smallest,
        "stopped": None if found.complete else found.why_stopped,
    }


def separate_fields(answer: Sequence[DirectionAnswer]) -> list[DirectionFields]:
    """What `synth separate` says, as JSON has it."""
    return [
        {
            "passes": direction.passes,
            "fails": direction.fails,
            "implied": direction.search is None,
            "threads": direction.threads,
            "search": None if direction.search is None else find_fields(direction.search),
        }
        for direction in answer
    ]
