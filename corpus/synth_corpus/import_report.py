"""The report of an import: how many programs it has read, and which of them need a remark.

Such a program breaks rules, is equal to an earlier one, has another verdict than its file says, or fits into no corpus.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from synth_corpus.formats import ImportedProgram
    from synth_corpus.manifest import Manifest


@dataclass(frozen=True, slots=True)
class UnfitProgram:
    """A program that no corpus can hold, with its name and the reason."""

    name: str
    given: ImportedProgram
    why: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A program that is equal to an earlier one.

    The fields have the name and the place of the later program, the id of both, and the place of the earlier one
    (`of`).
    """

    name: str
    source: str
    id: str
    of: str


@dataclass(frozen=True, slots=True)
class VerdictConflict:
    """A verdict that a file gives to a program and that differs from the verdict of the core.

    A person has to find out which of the two is right. If `with_no_ops` is true, both may be: the program has no-ops,
    which the model may see, and the core has judged its normal form, which has none.
    """

    name: str
    source: str
    verdict: str
    given: str
    with_no_ops: bool = False


@dataclass(slots=True)
class ImportReport:
    """The result of an import. `breaking` lists for each rule the names of the kept programs that break it.

    `read` counts all programs in the input, and `verdicts` the verdicts that the import has compared.
    """

    read: int = 0
    verdicts: int = 0
    breaking: dict[str, list[str]] = field(default_factory=dict)
    aside: list[UnfitProgram] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    differing: list[VerdictConflict] = field(default_factory=list)
    manifest: Manifest | None = None


class DuplicateFields(TypedDict):
    """A program that is equal to an earlier one, whose place is `of`."""

    name: str
    source: str
    id: str
    of: str


class DifferingFields(TypedDict):
    """A verdict that a file gives to a program and that differs from the verdict of the core.

    `with_no_ops` says that the program has no-ops, which the model may see, and that the core judged its normal form.
    """

    name: str
    source: str
    verdict: str
    given: str
    with_no_ops: bool


class AsideFields(TypedDict):
    """A program that no corpus can hold, with its name, its place and the reason."""

    name: str
    source: str
    why: str


class ReportFields(TypedDict):
    """How many programs an import has read, how many tests the corpus has, and which programs became no test."""

    read: int
    tests: int
    breaking: dict[str, list[str]]
    duplicates: list[DuplicateFields]
    verdicts: int
    differing: list[DifferingFields]
    aside: list[AsideFields]


def report_fields(report: ImportReport) -> ReportFields:
    """Return the report of an import as the JSON object that `synth corpus import --json` prints."""
    return {
        "read": report.read,
        "tests": 0 if report.manifest is None else report.manifest.tests,
        "breaking": report.breaking,
        "duplicates": [
            {"name": duplicate.name, "source": duplicate.source, "id": duplicate.id, "of": duplicate.of}
            for duplicate in report.duplicates
        ],
        "verdicts": report.verdicts,
        "differing": [
            {
                "name": differing.name,
                "source": differing.source,
                "verdict": differing.verdict,
                "given": differing.given,
                "with_no_ops": differing.with_no_ops,
            }
            for differing in report.differing
        ],
        "aside": [{"name": aside.name, "source": aside.given.source, "why": aside.why} for aside in report.aside],
    }


def natural(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names with their numbers as numbers, so that `2t_3i/9` comes before `2t_3i/10`."""
    return [(int(part[:9]), "") if part.isdecimal() else (0, part) for part in re.split("([0-9]+)", name)]
