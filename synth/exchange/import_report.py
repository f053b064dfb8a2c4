"""What an import reports: what was read, and all of it that did not simply become a test."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from synth_corpus.formats import Given
    from synth_corpus.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Aside:
    """A program that no corpus can hold, and why."""

    name: str
    given: Given
    why: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A program equal to an earlier one: its name and place, the id of both, and the other's place."""

    name: str
    source: str
    id: str
    of: str


@dataclass(frozen=True, slots=True)
class Differing:
    """A verdict that a file gave and the core does not: who is right is for a person to find out."""

    name: str
    source: str
    verdict: str
    given: str


@dataclass(slots=True)
class Report:
    """What an import has done. `breaking` has the names of kept programs by the rule that they break."""

    read: int = 0
    verdicts: int = 0
    breaking: dict[str, list[str]] = field(default_factory=dict)
    aside: list[Aside] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    differing: list[Differing] = field(default_factory=list)
    manifest: Manifest | None = None


class DuplicateFields(TypedDict):
    """A program equal to an earlier one."""

    name: str
    source: str
    id: str
    of: str


class DifferingFields(TypedDict):
    """A verdict that a file gave and the core does not."""

    name: str
    source: str
    verdict: str
    given: str


class AsideFields(TypedDict):
    """A program that no corpus can hold, and why."""

    name: str
    source: str
    why: str


class ReportFields(TypedDict):
    """How many programs were read and how many tests the corpus has, and what did not simply become a test."""

    read: int
    tests: int
    breaking: dict[str, list[str]]
    duplicates: list[DuplicateFields]
    verdicts: int
    differing: list[DifferingFields]
    aside: list[AsideFields]


def report_fields(report: Report) -> ReportFields:
    """What `synth corpus import` says, as JSON has it."""
    return {
        "read": report.read,
        "tests": 0 if report.manifest is None else report.manifest.tests,
        "breaking": report.breaking,
        "duplicates": [
            {"name": one.name, "source": one.source, "id": one.id, "of": one.of} for one in report.duplicates
        ],
        "verdicts": report.verdicts,
        "differing": [
            {"name": one.name, "source": one.source, "verdict": one.verdict, "given": one.given}
            for one in report.differing
        ],
        "aside": [{"name": one.name, "source": one.given.source, "why": one.why} for one in report.aside],
    }


def natural(name: str) -> list[tuple[int, str]]:
    """What names are sorted by: the numbers in them as numbers, so that `2t_3i/9` comes before `2t_3i/10`."""
    return [(int(part[:9]), "") if part.isdecimal() else (0, part) for part in re.split("([0-9]+)", name)]
