"""The JSON of the counts of an enumeration, and the function that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

from synth_search.enumeration.runs import Enumeration

if TYPE_CHECKING:
    from synth_search.enumeration.runs import EnumerationRun

_Number = Annotated[int, {"minimum": 0}]


class CountFields(TypedDict):
    """How many tests a question has, in total and for each split.

    A question may keep only some of its tests, such as the minimal ones. Then `found` says how many tests it has in
    all.
    """

    question: str
    complete: bool
    tests: _Number
    found: NotRequired[dict[str, _Number]]
    splits: dict[str, _Number]
    engine: str
    seconds: Annotated[float, {"minimum": 0}]


class _FoundCounts(TypedDict, total=False):
    found: dict[str, _Number]


def count_fields(run: EnumerationRun) -> CountFields:
    """Return the counts of an enumeration, or of a run that only counted, as a JSON object."""
    kept: _FoundCounts = {"found": dict(run.found)} if isinstance(run, Enumeration) else {}
    return {
        "question": run.question.name,
        "complete": run.complete,
        "tests": run.tests,
        **kept,
        "splits": run.splits(),
        "engine": run.engine,
        "seconds": round(run.seconds, 3),
    }
