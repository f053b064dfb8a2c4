"""What `synth crosscheck` says in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from synth.crosschecking import Crosscheck, Part


class PartFields(TypedDict):
    """What an engine or oracle has done."""

    name: str
    tests: int
    seconds: float


class DisagreementFields(TypedDict):
    """A program, which engines have found it, and its verdicts by each oracle that was asked."""

    id: str
    found: dict[str, bool]
    verdicts: dict[str, dict[str, Literal["pass", "fail"]]]


class CrosscheckFields(TypedDict):
    """Who took part, what they found, and the smallest program on which they disagree."""

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
    """What `synth crosscheck` says, as JSON has it."""
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
