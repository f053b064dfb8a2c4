"""A directed query over bounds, and its answer: tests, and what is proven of each bound.

Bounds are answered one by one, the smallest first. An answer says of each whether it was searched to its end, or that
inclusion of fair sets proves that there is nothing to search for; so "none" is never a search that was broken off.
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

    from synth.work.stopping import Reason
    from synth_checker.errors import ResourceError
    from synth_checker.question import Bound


class SearchState(enum.StrEnum):
    """How far a bound was searched."""

    SEARCHED = "searched to the end"
    EXCLUDED = "excluded by inclusion of fair sets"
    FOUND = "searched up to a test"
    UNFINISHED = "not finished"
    UNTOUCHED = "not begun"

    @property
    def is_proven(self) -> bool:
        """Whether what was found in the bound is all there is."""
        return self in {SearchState.SEARCHED, SearchState.EXCLUDED}


@dataclass(frozen=True, slots=True)
class Query:
    """The tests of a question that are as wanted; the models that are judged are those of `wanted`.

    Raises:
        InputError: a test should use more locations than the question allows, of which "none" would say nothing.
    """

    question: Question
    wanted: Wanted

    def __post_init__(self) -> None:
        check_type("question", self.question, Question, "what synth.question gives")
        check_type("wanted", self.wanted, Wanted, "a Wanted")
        uses, most = self.wanted.locations, self.question.locations
        if uses is not None and uses > most:
            msg = f"uses: found {uses}, expected at most {most}, as --locations allows"
            raise InputError(msg)


@dataclass(frozen=True, slots=True, repr=False)
class Searched:
    """One bound: the ids of the tests found in it, sorted, how far it was searched, and by which engine."""

    bound: Bound
    state: SearchState
    tests: Sequence[str] = ()
    engine: str = ""

    def __repr__(self) -> str:
        return f"<Searched {self.bound}: {len(self.tests)} tests, {self.state.value}>"


@dataclass(frozen=True, slots=True, repr=False)
class Directed:
    """The answer of a query, a bound at a time, the smallest first."""

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
        """Whether nothing was left unfinished that could change the answer."""
        return not any(each.state in {SearchState.UNFINISHED, SearchState.UNTOUCHED} for each in self.bounds)

    @property
    def why_stopped(self) -> str | None:
        """What ended the search early, in words, if anything did."""
        return str(self.fault) if self.fault else self.stopped and self.stopped.words

    @property
    def tests(self) -> list[str]:
        """All tests found, the smallest first."""
        return [id_ for each in self.bounds for id_ in each.tests]

    @property
    def is_smallest(self) -> bool:
        """Whether the first of the tests is proven to be the smallest of all bounds that were asked for."""
        states = [each.state for each in self.bounds]
        first = next((k for k, each in enumerate(self.bounds) if each.tests), None)
        return first is not None and all(state.is_proven for state in states[: first + 1])
