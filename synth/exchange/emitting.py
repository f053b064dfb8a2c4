"""Tests as programs of targets, in a folder: given programs -> tests -> texts -> a folder, whole or not there.

The programs of one target are the folder; those of several are folders in it, one each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from synth.inputs.asking import Given, named_programs
from synth.inputs.programs import GivenProgram
from synth.judging.checking import check_programs
from synth.phrases import count
from synth_backends.litmus_test import LitmusTest
from synth_backends.target import MARK, Choices, emission_for, files_of
from synth_checker.errors import check_type
from synth_checker.normal import normal_form
from synth_checker.program import Program
from synth_storage.folders import FolderKind, beginning, check_place, put_folder, write_texts

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Emitted:
    """What `synth emit` has written: a folder, the targets, and how many tests there are for each."""

    folder: Path
    targets: tuple[str, ...]
    tests: int


def litmus_tests(given: Iterable[LitmusTest | GivenProgram | Given]) -> list[LitmusTest]:
    """The normal forms of programs, with the verdicts of these; of equal ones the first.

    Programs are given as `synth.inputs.asking` says.

    What is emitted is the normal form, so a no-op neither runs nor counts in a verdict.

    Raises:
        InputError: an id can't be read, or a program consists of no-ops.
        LimitError: a program is too large for the checker.
    """
    words = [test for one in given for test in _tests(one)]
    named = [one for one in words if not isinstance(one, LitmusTest)]
    checks = zip(named, check_programs([normal_form(one.program) for one in named]), strict=True)
    made = (LitmusTest(one.name or check.id, check.id, check.program, check.verdicts) for one, check in checks)
    found: dict[str, LitmusTest] = {}
    for one in words:
        test = one if isinstance(one, LitmusTest) else next(made)
        found.setdefault(test.id, test)
    return list(found.values())


def _tests(given: LitmusTest | GivenProgram | Given) -> Sequence[LitmusTest | GivenProgram]:
    return [given] if isinstance(given, LitmusTest | GivenProgram) else named_programs(given)


def check_emission(target: str, folder: str | Path, choices: Choices, *, force: bool = False) -> None:
    """Look whether `emit` could write there what is chosen: to be asked before many tests are read and judged.

    Raises:
        InputError: it could not, whatever the tests.
    """
    for name in targets_of(target):
        emission_for(name, choices)
    check_place(Path(folder), _OUTPUT, force=force)


def emit(  # noqa: PLR0913  (all but the first three have defaults and names)
    target: str,
    tests: LitmusTest | Given | Iterable[LitmusTest | GivenProgram | Given],
    folder: str | PathLike[str],
    *,
    mapping: str | None = None,
    instances: int | None = None,
    stress: int = 0,
    per_file: int | None = None,
    force: bool = False,
) -> list[Path]:
    """Write tests as programs of a target into a folder, and say which files it then holds.

    Of several targets, in one text with commas, each has a folder in it that is called by its name.
    Tests are what `litmus_tests` takes, or one of them: programs, their ids or names, files, corpora, or tests as it
    gives them. `mapping` says which workgroup runs which thread of which of so many `instances` (a word as on the
    command line, such as `chunked`), `stress` how many workgroups only stress memory, and `per_file` how many tests
    share a source file; what is None the target decides. The folder must be new or empty; with `force` an earlier
    output is replaced, whatever was added to it included.

    Raises:
        InputError: an unknown target or mapping, a number that is too small, no tests, one that `litmus_tests` refuses,
            or a folder that can't be used.
        LimitError: more threads, workgroups or memory than the target takes.
        ResourceError: writing failed.
    """
    check_type("folder", folder, (str, PathLike), "a path")
    choices, place = Choices(mapping, instances, stress, per_file), Path(folder)
    check_emission(target, place, choices, force=force)
    some = [tests] if isinstance(tests, LitmusTest | Program | str | PathLike) else tests
    check_type("tests", some, Iterable, "programs or words that name some")
    made = litmus_tests(some)
    names = targets_of(target)
    files = files_of(names[0], made, choices)
    if len(names) > 1:
        files = {f"{name}/{file}": text for name in names for file, text in files_of(name, made, choices).items()}
        files["README.md"] = _about(names, len(made))
    put_folder(place, lambda new: write_texts(new, files), _OUTPUT, force=force)
    return [place / name for name in files]


def targets_of(word: str) -> tuple[str, ...]:
    """The targets that a word names, which may have commas; each once."""
    check_type("target", word, str, "the name of a target, or several with commas")
    return tuple(dict.fromkeys(name.strip() for name in word.split(",")))


def _about(targets: Sequence[str], tests: int) -> str:
    listed = "".join(f"- `{name}`\n" for name in targets)
    return (
        f"# {count(tests, 'progress litmus test')} for {len(targets)} targets\n\nThis folder was {MARK}.\n"
        f"Each target has a folder of its own, whose README.md says how to build and run:\n\n{listed}"
    )


#: Bytes, more than any of ours has.
_LONGEST_README = 1 << 20


def _is_output(folder: Path) -> bool:
    readme = folder / "README.md"
    return readme.is_file() and MARK.encode() in beginning(readme, _LONGEST_README)


_OUTPUT = FolderKind("an earlier output of synth emit", _is_output)
