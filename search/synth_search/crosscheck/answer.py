"""The JSON of the answer of `synth crosscheck`, and the function that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from synth_search.crosscheck import Crosscheck, Part


class ComparedPartFields(TypedDict):
    """What one engine or oracle has done: its name, how many tests it has found or judged, and in how many seconds."""

    name: str
    tests: int
    seconds: float


class DisagreementFields(TypedDict):
    """A program, for each engine whether it found the program, and for each oracle the verdicts of the program."""

    id: str
    found: dict[str, bool]
    verdicts: dict[str, dict[str, Literal["pass", "fail"]]]


class CrosscheckFields(TypedDict):
    """The engines and oracles that took part, what they found, and the smallest program about which they disagree."""

    question: str
    agreed: bool
    tests: int
    engines: list[ComparedPartFields]
    judged: int
    seed: int | None
    oracles: list[ComparedPartFields]
    disagreements: int
    smallest: DisagreementFields | None


def crosscheck_fields(crosscheck: Crosscheck) -> CrosscheckFields:
    """Return the result of a comparison as the JSON object that `synth crosscheck --json` prints."""
    smallest: DisagreementFields | None = None
    if crosscheck.disagreements:
        smallest_one = crosscheck.disagreements[0]
        smallest = {
            "id": smallest_one.id,
            "found": dict(smallest_one.found),
            "verdicts": smallest_one.verdicts(crosscheck.verdicts),
        }
    return {
        "question": crosscheck.question.name,
        "agreed": not crosscheck.disagreements,
        "tests": crosscheck.tests,
        "engines": [_part_fields(part) for part in crosscheck.engines],
        "judged": crosscheck.judged,
        "seed": crosscheck.seed,
        "oracles": [_part_fields(part) for part in crosscheck.oracles],
        "disagreements": len(crosscheck.disagreements),
        "smallest": smallest,
    }


def _part_fields(part: Part) -> ComparedPartFields:
    return {"name": part.name, "tests": part.tests, "seconds": round(part.seconds, 3)}
