"""What Rodin has built of a project besides goals: the hypotheses of obligations, and the types of names.

Both are compared with ours. Two hypotheses are equal if they are so up to names of bound variables and parentheses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.answers.files import read_limited
from synth_machines.formulas.equality import canonical
from synth_machines.formulas.formula import TRUTH
from synth_machines.formulas.parser import read_predicate, read_type
from synth_machines.formulas.printer import shown
from synth_machines.formulas.types import shown_type
from synth_machines.rodin.checked_files import CHECKED_SUFFIXES, CheckedFile, read_checked
from synth_machines.rodin.hypotheses import Hypotheses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.obligations.obligation import Obligation

#: The files that Rodin builds may have so many bytes.
MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class DifferentHypotheses:
    """The hypotheses of an obligation that only we have, and those that only Rodin has. `problem`: why unknown."""

    name: str
    ours: list[str] = field(default_factory=list)
    rodin: list[str] = field(default_factory=list)
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class DifferentType:
    """A name with the type that we find, and that of Rodin."""

    name: str
    ours: str
    rodin: str


def read_built(file: Path) -> bytes:
    """Return the bytes of a file that Rodin has built.

    Raises:
        InputError: there is no such file, or it is too large.
    """
    return read_limited(file, MOST_BYTES, "a file of Rodin")


def hypotheses_in(folder: Path) -> Hypotheses:
    """Return the hypotheses of all obligations in a folder."""
    return Hypotheses(lambda name: read_built(folder / name))


def different_hypotheses(
    known: Hypotheses, file: Path, ours: Mapping[str, Obligation]
) -> Iterator[DifferentHypotheses]:
    """Yield the obligations of a file whose hypotheses are not ours. ⊤ says nothing, and is left out."""
    forms = _Forms()
    for name, obligation in ours.items():
        try:
            theirs = dict(map(forms.of_text, known.of(file.name, name)))
        except InputError as error:
            yield DifferentHypotheses(name, problem=str(error))
            continue
        our_texts = dict(forms.of_formula(hypothesis.predicate) for hypothesis in obligation.hypotheses)
        only_ours = [text for form, text in our_texts.items() if form not in theirs and form != TRUTH]
        only_theirs = [text for form, text in theirs.items() if form not in our_texts and form != TRUTH]
        if only_ours or only_theirs:
            yield DifferentHypotheses(name, only_ours, only_theirs)


class _Forms:
    """What is equal for predicates that are the same, and the predicates as text. Most stand in many obligations."""

    def __init__(self) -> None:
        self._of_texts: dict[str, tuple[Formula, str]] = {}
        self._of_formulas: dict[int, tuple[Formula, str]] = {}

    def of_text(self, text: str) -> tuple[Formula, str]:
        if text not in self._of_texts:
            read = read_predicate(text)
            self._of_texts[text] = canonical(read), shown(read)
        return self._of_texts[text]

    def of_formula(self, formula: Formula) -> tuple[Formula, str]:
        if id(formula) not in self._of_formulas:
            self._of_formulas[id(formula)] = canonical(formula), shown(formula)
        return self._of_formulas[id(formula)]


def checked_file_beside(file: Path) -> CheckedFile | None:
    """Return what Rodin's static checker wrote beside a file, if that is there.

    Raises:
        InputError: the file holds something else.
    """
    for suffix in CHECKED_SUFFIXES:
        beside = file.with_suffix(suffix)
        if beside.exists():
            try:
                return read_checked(read_built(beside))
            except InputError as error:
                raise type(error)(f"{beside}: {error}") from None
    return None


def different_types(checked: CheckedFile, types: Mapping[str, Type]) -> list[DifferentType]:
    """Return the names that have another type for us than for Rodin."""
    differences = []
    for name, text in checked.types.items():
        try:
            theirs = shown_type(read_type(text))
        except InputError:
            theirs = text
        ours = shown_type(types[name]) if name in types else "none"
        if ours != theirs:
            differences.append(DifferentType(name, ours, theirs))
    return differences
