"""The counts of an enumeration, as `synth enumerate --count-only --json` prints them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from synth_search.enumeration.runs import Enumeration
from synth_storage.answer_json import OPTIONAL, answer_from

if TYPE_CHECKING:
    from synth_search.enumeration.runs import EnumerationRun

_Number = Annotated[int, {"minimum": 0}]


@dataclass(frozen=True, slots=True)
class CountAnswer:
    """How many tests a question has, in total and for each split.

    A question may keep only some of its tests, such as the minimal ones. Then `found` says how many tests it has in
    all.
    """

    question: str
    complete: bool
    tests: _Number
    found: dict[str, _Number] | None = field(metadata=OPTIONAL)
    splits: dict[str, _Number]
    engine: str
    seconds: Annotated[float, {"minimum": 0}]


def count_answer(run: EnumerationRun) -> CountAnswer:
    """Return the counts of an enumeration, or of a run that only counted."""
    return answer_from(
        CountAnswer,
        run,
        question=run.question.name,
        found=dict(run.found) if isinstance(run, Enumeration) else None,
        splits=run.splits(),
        seconds=round(run.seconds, 3),
    )
