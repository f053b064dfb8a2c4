"""The words of the Python interface that are not simply those of the modules below it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth.enumeration.runs import Enumeration
from synth.enumeration.saving import corpus_at
from synth.enumeration.saving import save as save_corpus
from synth.inputs.asking import Given, program_given, programs_given
from synth.inputs.given_models import given_verdicts, split_words
from synth.judging.checking import Check, check_programs
from synth_checker.errors import check_type, several

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from synth.explaining import Explanation
    from synth_corpus.manifest import Manifest


def check(program: Given, models: str | Iterable[str] | None = None) -> Check:
    """The normal form, the rules broken and the verdicts of a program.

    It is given as such, as text, by its id or name, or by the file it lies in. Rules and verdicts are those of the
    program as it is given; `normal_form` has those of its normal form.

    `models` names models (both forms) or verdicts, those of one's own as in `question`; all eleven verdicts where it is
    None.

    Raises:
        InputError: the program or a name can't be read.
        LimitError: the program is too large to decide.
    """
    return check_all([program_given(program)], models)[0]


def check_all(programs: Given | Iterable[Given], models: str | Iterable[str] | None = None) -> list[Check]:
    """As `check`, for many programs at once, which is much faster than one by one.

    One file or corpus stands for all its programs.
    """
    judged, asked = (None, None) if models is None else given_verdicts(split_words(several("models", models)))
    return check_programs(programs_given(programs), asked, judged)


def explain(program: Given, verdict: str) -> Explanation:
    """Why a program, given as in `check`, has one verdict, such as `"OBE.weak"`: a certificate, and what it says.

    A verdict of a model of one's own is `"NAME.weak = EXPRESSION"`, `"(EXPRESSION).weak"` or `"FILE:NAME.weak"`.

    Raises:
        InputError: the program can't be read, or there is no such verdict.
        LimitError: the program is too large to decide or to certify.
    """
    from synth.explaining import explain as explain_program

    return explain_program(program_given(program), verdict)


def save(enumeration: Enumeration, folder: PathLike[str] | str, *, force: bool = False) -> Manifest:
    """Write an enumeration as a corpus, and give its manifest.

    Raises:
        InputError: the folder holds something else, or with `force` something that is no corpus.
        ResourceError: writing failed.
    """
    check_type("enumeration", enumeration, Enumeration, "what synth.enumerate_tests gives")
    place = as_path("folder", folder)
    corpus_at(place, enumeration.question, force=force)
    return save_corpus(enumeration, place)


def as_path(what: str, given: PathLike[str] | str) -> Path:
    """A path, of whatever kind it is given. Raises InputError if it is none."""
    import os

    check_type(what, given, (str, os.PathLike), "a path")
    return Path(given)
