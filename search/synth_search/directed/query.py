"""A query for tests with given verdicts in some bounds, and its answer: tests, and what is proven of each bound.

Bounds are answered one by one, the smallest first. The answer says for each bound how far it was searched, or that the
inclusion of fair sets proves that it has no such test. So "none" is only said of a bound that was searched to its end
or is proven to have none.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, check_type
from synth_checker.question import Question
from synth_checker.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.errors import ResourceError
    from synth_checker.question import Bound
    from synth_workers.stop import Reason


class SearchState(enum.StrEnum):
    """How far a bound was searched, or why it needed no search."""

    SEARCHED = "searched to the end"
    EXCLUDED = "ruled out by the order of the models"
    FOUND = "searched up to a test"
    UNFINISHED = "not finished"
    UNTOUCHED = "not begun"

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that the bound has no other wanted tests than those that were found."""
        return self in {SearchState.SEARCHED, SearchState.EXCLUDED}


@dataclass(frozen=True, slots=True)
class Query:
    """A search for the tests of a question that have the verdicts and the shape that `wanted` describes.

    The models of `wanted` are the ones that are judged.

    Raises:
        InputError: `wanted` asks for more locations than the question allows, so that there could be no test.
    """

    question: Question
    wanted: Wanted

    def __post_init__(self) -> None:
        check_type("question", self.question, Question, "a result of synth.question")
        check_type("wanted", self.wanted, Wanted, "a Wanted")
        uses, most = self.wanted.locations, self.question.locations
        if uses is not None and uses > most:
            raise InputError(
                f"uses: found {uses}, expected at most {most}, the number of locations that --locations allows"
            )


@dataclass(frozen=True, slots=True, repr=False)
class Searched:
    """The result for one bound: the sorted ids of the tests found, how far it was searched, and by which engine."""

    bound: Bound
    state: SearchState
    tests: Sequence[str] = ()
    engine: str = ""

    def __repr__(self) -> str:
        return f"<Searched {self.bound}: {len(self.tests)} tests, {self.state.value}>"


@dataclass(frozen=True, slots=True, repr=False)
class Directed:
    """The answer to a query: a result for each bound, the smallest bound first."""

    query: Query
    bounds: tuple[Searched, ...]
    seconds: float
    stopped: Reason | None = None
    fault: ResourceError | None = None

    def __repr__(self) -> str:
        state = "complete" if self.complete else "incomplete"
        return f"<Directed in {self.query.question.name}: {len(self.tests)} tests, {state}>"

    @property
    def complete(self) -> bool:
        """Whether every bound that could change the answer is finished."""
        return not any(each.state in {SearchState.UNFINISHED, SearchState.UNTOUCHED} for each in self.bounds)

    @property
    def why_stopped(self) -> str | None:
        """The reason why the search ended early, in words, or None if it did not."""
        return str(self.fault) if self.fault else self.stopped and self.stopped.words

    @property
    def tests(self) -> list[str]:
        """The ids of all tests that were found, the smallest first."""
        return [id_ for each in self.bounds for id_ in each.tests]

    @property
    def is_smallest(self) -> bool:
        """Whether the first test found is proven to be the smallest in all bounds of the query."""
        states = [each.state for each in self.bounds]
        first = next((k for k, each in enumerate(self.bounds) if each.tests), None)
        return first is not None and all(state.is_proven for state in states[: first + 1])
