"""The report of an import: how many programs it has read, and which of them need a remark.

Such a program breaks rules, is equal to an earlier one, has another verdict than its file says, or fits into no corpus.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from synth_corpus.formats import ImportedProgram


@dataclass(frozen=True, slots=True)
class UnfitProgram:
    """A program that no corpus can hold, with its name, its place and the reason."""

    name: str
    source: str
    why: str
    given: ImportedProgram = field(metadata=HIDDEN)


class Duplicate(NamedTuple):
    """A program that is equal to an earlier one.

    The fields have the name and the place of the later program, the id of both, and the place of the earlier one
    (`of`).
    """

    name: str
    source: str
    id: str
    of: str


class VerdictConflict(NamedTuple):
    """A verdict that a file gives to a program and that differs from the verdict of the core.

    A person has to find out which of the two is right. If `with_no_ops` is true, both may be: the program has no-ops,
    which the model may see, and the core has judged its normal form, which has none.
    """

    name: str
    source: str
    verdict: str
    given: str
    with_no_ops: bool


@dataclass(slots=True)
class ImportReport:
    """How many programs an import has read, how many tests the corpus has, and which programs became no test.

    `breaking` lists for each rule the names of the kept programs that break it. `verdicts` counts the verdicts that the
    import has compared.
    """

    read: int = 0
    tests: int = 0
    breaking: dict[str, list[str]] = field(default_factory=dict)
    duplicates: list[Duplicate] = field(default_factory=list)
    verdicts: int = 0
    differing: list[VerdictConflict] = field(default_factory=list)
    aside: list[UnfitProgram] = field(default_factory=list)
    #: The names of the models of the corpus beside the six.
    models: list[str] = field(default_factory=list, metadata=HIDDEN)


def natural(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names with their numbers as numbers, so that `2t_3i/9` comes before `2t_3i/10`."""
    return [(int(part[:9]), "") if part.isdecimal() else (0, part) for part in re.split("([0-9]+)", name)]
