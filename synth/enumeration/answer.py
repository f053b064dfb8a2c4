"""The counts of an enumeration as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from synth.enumeration.runs import Enumeration

if TYPE_CHECKING:
    from synth.enumeration.runs import Run

_Number = Annotated[int, {"minimum": 0}]


class CountFields(TypedDict):
    """How many tests a question has, by split; `found` says of how many they were kept, if all were enumerated."""

    question: str
    complete: bool
    tests: _Number
    found: NotRequired[dict[str, _Number]]
    splits: dict[str, _Number]
    engine: str
    seconds: Annotated[float, {"minimum": 0}]


class _Found(TypedDict, total=False):
    found: dict[str, _Number]


def count_fields(found: Run) -> CountFields:
    """The counts of an enumeration, or of a search that only counted."""
    kept: _Found = {"found": dict(found.found)} if isinstance(found, Enumeration) else {}
    return {
        "question": found.question.name,
        "complete": found.complete,
        "tests": found.tests,
        **kept,
        "splits": found.splits(),
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
    }
