"""The JSON of the answer of `synth crosscheck`, and the function that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from synth_search.crosscheck import Crosscheck, Part


class PartFields(TypedDict):
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
    engines: list[PartFields]
    judged: int
    seed: int | None
    oracles: list[PartFields]
    disagreements: int
    smallest: DisagreementFields | None


def crosscheck_fields(found: Crosscheck) -> CrosscheckFields:
    """Return the result of a comparison as the JSON object that `synth crosscheck --json` prints."""
    smallest: DisagreementFields | None = None
    if found.disagreements:
        one = found.disagreements[0]
        smallest = {"id": one.id, "found": dict(one.found), "verdicts": one.verdicts(found.verdicts)}
    return {
        "question": found.question.name,
        "agreed": not found.disagreements,
        "tests": found.tests,
        "engines": [_part_fields(part) for part in found.engines],
        "judged": found.judged,
        "seed": found.seed,
        "oracles": [_part_fields(part) for part in found.oracles],
        "disagreements": len(found.disagreements),
        "smallest": smallest,
    }


def _part_fields(part: Part) -> PartFields:
    return {"name": part.name, "tests": part.tests, "seconds": round(part.seconds, 3)}
