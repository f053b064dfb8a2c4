"""Tests as programs of a target, in a folder: given programs -> tests -> texts -> a folder, whole or not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth.checking import check_programs
from synth.programs import GivenProgram
from synth_backends.target import MARK, LitmusTest, files_of
from synth_checker.normal import program_of_id
from synth_corpus.folders import Kind, beginning, put_folder, write_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.program import Program


def litmus_tests(given: Iterable[LitmusTest | GivenProgram | Program | str]) -> list[LitmusTest]:
    """Programs, or the ids of programs, in normal form and with their verdicts; of equal ones the first.

    Raises:
        InputError: an id can't be read, or a program consists of no-ops.
        LimitError: a program is too large for the checker.
    """
    words = list(given)
    named = [_named(one) for one in words if not isinstance(one, LitmusTest)]
    checks = zip(named, check_programs([program for _, program in named]), strict=True)
    made = (LitmusTest(name or check.id, check.id, check.program, check.verdicts) for (name, _), check in checks)
    found: dict[str, LitmusTest] = {}
    for one in words:
        test = one if isinstance(one, LitmusTest) else next(made)
        found.setdefault(test.id, test)
    return list(found.values())


def _named(given: GivenProgram | Program | str) -> tuple[str | None, Program]:
    if isinstance(given, GivenProgram):
        return given.name, given.program
    return None, program_of_id(given) if isinstance(given, str) else given


def emit(
    target: str,
    tests: Iterable[LitmusTest | GivenProgram | Program | str],
    folder: str | Path,
    *,
    force: bool = False,
) -> list[Path]:
    """Write tests as programs of a target into a folder, and say which files it then holds.

    Tests are what `litmus_tests` takes: programs, their ids, or tests as it gives them. The folder must be new or
    empty; with `force` an earlier output is replaced, whatever was added to it included.

    Raises:
        InputError: an unknown target, no tests, one that `litmus_tests` refuses, or a folder that can't be used.
        ResourceError: writing failed.
    """
    files = files_of(target, litmus_tests(tests))
    place = Path(folder)
    put_folder(place, lambda new: write_texts(new, files), _OUTPUT, force=force)
    return [place / name for name in files]


#: Bytes, more than any of ours has.
_LONGEST_README = 1 << 20


def _is_output(folder: Path) -> bool:
    readme = folder / "README.md"
    return readme.is_file() and MARK.encode() in beginning(readme, _LONGEST_README)


_OUTPUT = Kind("an earlier output of synth emit", _is_output)
