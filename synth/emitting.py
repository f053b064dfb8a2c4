"""Tests as programs of a target, in a folder: given programs -> tests -> texts -> a folder, whole or not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth.checking import check_programs
from synth.programs import GivenProgram
from synth_backends.target import MARK, LitmusTest, files_of
from synth_checker.normal import program_of_id
from synth_corpus.folders import Kind, put_folder, write_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_checker.program import Program


def litmus_tests(given: Iterable[GivenProgram | Program | str]) -> list[LitmusTest]:
    """Programs, or the ids of programs, in normal form and with their verdicts; of equal ones the first.

    Raises:
        InputError: an id can't be read, or a program consists of no-ops.
        LimitError: a program is too large for the checker.
    """
    named = [_named(one) for one in given]
    found: dict[str, LitmusTest] = {}
    for (name, _), check in zip(named, check_programs([program for _, program in named]), strict=True):
        found.setdefault(check.id, LitmusTest(name or check.id, check.id, check.program, check.verdicts))
    return list(found.values())


def _named(given: GivenProgram | Program | str) -> tuple[str | None, Program]:
    if isinstance(given, GivenProgram):
        return given.name, given.program
    return None, program_of_id(given) if isinstance(given, str) else given


def emit(target: str, tests: Sequence[LitmusTest], folder: str | Path, *, force: bool = False) -> list[Path]:
    """Write tests as programs of a target into a folder, and say which files it then holds.

    The folder must be new or empty. With `force` an earlier output is replaced, whatever was added to it included.

    Raises:
        InputError: an unknown target, no tests, the same test twice, or a folder that can't be used.
        ResourceError: writing failed.
    """
    files = files_of(target, tests)
    place = Path(folder)
    put_folder(place, lambda new: write_texts(new, files), _OUTPUT, force=force)
    return [place / name for name in files]


def _is_output(folder: Path) -> bool:
    readme = folder / "README.md"
    return readme.is_file() and MARK in readme.read_text("utf-8", "replace")


_OUTPUT = Kind("an earlier output of synth emit", _is_output)
