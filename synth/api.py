"""The words of the Python interface that are not simply those of the modules below it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth.checking import Check, check_programs
from synth.given_models import given_models, given_verdicts, split_words
from synth.saving import corpus_at
from synth.saving import save as save_corpus
from synth_checker.models import LIBRARY, word_of
from synth_checker.normal import ID_PATTERN, program_of_id
from synth_checker.program import Program
from synth_checker.question import Question, parse_bounds
from synth_checker.text import read_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth.explaining import Explanation
    from synth.results import Enumeration
    from synth_corpus.manifest import Manifest


def question(  # noqa: PLR0913  (all but the bounds have defaults and names)
    bounds: str | Iterable[str],
    *,
    locations: int = 2,
    values: int = 2,
    without: Iterable[str] = (),
    models: Iterable[str] = LIBRARY,
    minimal: bool = False,
    up_to: Iterable[str] = (),
) -> Question:
    """What to enumerate: `bounds` as on the command line, such as `"3x4"`, `"2x2,2x3"` or `"2x2..3x4"`.

    `models` are words as on the command line, too: names, texts such as `"mine = live & stepped"`, files.

    Raises:
        InputError: a bound, number, rule or model that can't be.
        LimitError: a number beyond the limits.
    """
    words = [bounds] if isinstance(bounds, str) else bounds
    judged = tuple(map(word_of, given_models(models)))
    return Question(parse_bounds(words), locations, values, tuple(without), judged, minimal, tuple(up_to))


def check(program: Program | str, models: Iterable[str] | None = None) -> Check:
    """The normal form, the rules broken and the verdicts of a program, given as such, as text, or by its id.

    Rules and verdicts are those of the program as it is given; `normal_form` has those of its normal form.

    `models` names models (both forms) or verdicts, those of one's own as in `question`; all eleven verdicts where it is
    None.

    Raises:
        InputError: the program or a name can't be read.
        LimitError: the program is too large to decide.
    """
    return check_all([program], models)[0]


def check_all(programs: Sequence[Program | str], models: Iterable[str] | None = None) -> list[Check]:
    """As `check`, for many programs at once, which is much faster than one by one."""
    judged, asked = (None, None) if models is None else given_verdicts(split_words(models))
    return check_programs([_program(one) for one in programs], asked, judged)


def explain(program: Program | str, verdict: str) -> Explanation:
    """Why a program, given as in `check`, has one verdict, such as `"OBE.weak"`: a certificate, and what it says.

    A verdict of a model of one's own is `"NAME.weak = EXPRESSION"` or `"FILE:NAME.weak"`.

    Raises:
        InputError: the program can't be read, or there is no such verdict.
        LimitError: the program is too large to decide or to certify.
    """
    from synth.explaining import explain as explain_program

    return explain_program(_program(program), verdict)


def save(enumeration: Enumeration, folder: Path | str, *, force: bool = False) -> Manifest:
    """Write an enumeration as a corpus, and give its manifest.

    Raises:
        InputError: the folder holds something else, or with `force` something that is no corpus.
        ResourceError: writing failed.
    """
    corpus_at(Path(folder), enumeration.question, force=force)
    return save_corpus(enumeration, Path(folder))


def _program(given: Program | str) -> Program:
    if isinstance(given, Program):
        return given
    return program_of_id(given) if ID_PATTERN.fullmatch(given) else read_program(given)
