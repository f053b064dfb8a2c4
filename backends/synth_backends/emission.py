"""Write tests as programs of targets into a folder, which is then complete or not there at all.

With one target, its programs are the contents of the folder. With several, each has a folder of its own in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from synth_backends.litmus_test import LitmusTest
from synth_backends.target import MARK, Choices, emission_for, files_of
from synth_checker.errors import InputError, check_type, list_of_texts
from synth_checker.models import library
from synth_checker.programs.normal import normal_form
from synth_checker.programs.program import Program
from synth_corpus.record_models import KEY, all_models, beside_library, check_known, models_in
from synth_documents.phrases import count
from synth_litmus.facts.check import check_programs
from synth_litmus.inputs.models import given_verdicts, split_words
from synth_litmus.inputs.programs import GivenProgram
from synth_litmus.inputs.questions import Given, named_programs
from synth_storage.folders import FolderKind, beginning, check_place, put_folder, write_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.models import Model


@dataclass(frozen=True, slots=True)
class EmissionSummary:
    """The output of `synth emit`: its folder, its targets, and how many tests each target has."""

    folder: str
    targets: tuple[str, ...]
    tests: int


def litmus_tests(
    programs: Iterable[LitmusTest | GivenProgram | Given], models: Iterable[Model] | None = None
) -> list[LitmusTest]:
    """Return the normal forms of programs as tests with their verdicts; among equal ones, the first counts.

    The verdicts are those of the six models. With `models`, they are also those of these models and of the models that
    corpora and records define.

    `synth_litmus.inputs.questions` says in which forms a caller may give programs. `synth` emits the normal form. So a
    no-op of the program neither runs nor counts in a verdict.

    Raises:
        InputError: an id is unreadable, or a program has only no-ops; or, with `models`, a record has verdicts of a
            model that is not known, or two models have one name.
        LimitError: a program is too large for the checker.
    """
    words = [test for program in programs for test in _tests(program)]
    named = [word for word in words if not isinstance(word, LitmusTest)]
    judged = library() if models is None else _models(named, models)
    own = {model.name: model.definition for model in beside_library(judged)}
    checks = zip(named, check_programs([normal_form(program.program) for program in named], models=judged), strict=True)
    written_tests = (
        LitmusTest(program.name or check.id, check.id, check.program, check.verdicts, own) for program, check in checks
    )
    tests: dict[str, LitmusTest] = {}
    for word in words:
        test = word if isinstance(word, LitmusTest) else next(written_tests)
        tests.setdefault(test.id, test)
    return list(tests.values())


def _models(named: Iterable[GivenProgram], of_call: Iterable[Model]) -> tuple[Model, ...]:
    defined = {
        program.source: models_in({KEY: dict(program.models)}, program.source) for program in named if program.models
    }
    models = all_models(beside_library(of_call), defined)
    for model in models:
        if model.name == model.definition:
            problem = f"emit: found the model {model.name!r} without a name, which programs print"
            raise InputError(f"{problem}; define it as NAME = {model.name}")
    for source_program in named:
        check_known(source_program.verdicts, models, source_program.source, "give their models with --model")
    return models


def _tests(test: LitmusTest | GivenProgram | Given) -> Sequence[LitmusTest | GivenProgram]:
    return [test] if isinstance(test, LitmusTest | GivenProgram) else named_programs(test)


def check_emission(target: str, folder: str | Path, choices: Choices, *, force: bool = False) -> None:
    """Check that `emit` can write the chosen programs into a folder; call it before you read and judge many tests.

    Raises:
        InputError: `emit` would fail for any tests.
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
    stress: float = 0,
    per_file: int | None = None,
    width: int = 1,
    stress_shape: str = "add",
    models: str | Iterable[str] = (),
    force: bool = False,
) -> list[Path]:
    """Write tests as programs of one or several targets into a folder, and return the paths of all files written.

    `target` is the name of a target. With several, separated by commas, each has a folder in `folder` with its name.
    `tests` is one test or several: programs, their ids or names, files, corpora, or results of `litmus_tests`.

    `mapping` says which workgroup runs which thread of which instance, such as `chunked`. `instances` is how many
    copies of a test run at once, and `per_file` how many tests share a source file. `stress` is how many workgroups
    only load the memory, or their share of all, such as 0.25. `stress_shape` says what these do, such as
    `store-load:16:64` or `random:7`. `width` is how many threads a workgroup has at least; the mapping says which run
    the test. The target decides about an argument that is None. `models` are models beside the six whose verdicts the
    programs also get; the models that corpora and records define need not be given. The folder must be new or empty.
    With `force`, the new output replaces an earlier one, together with everything that somebody has added to it.

    Raises:
        InputError: a target or mapping is unknown, a number is too small, there is no test, a test is not valid, or the
            folder is not usable.
        LimitError: a test needs more threads, workgroups or memory than the target has.
        ResourceError: writing failed.
    """
    check_type("folder", folder, (str, PathLike), "a path")
    choices, place = Choices(mapping, instances, stress, per_file, width, stress_shape), Path(folder)
    check_emission(target, place, choices, force=force)
    words = [tests] if isinstance(tests, LitmusTest | Program | str | PathLike) else tests
    check_type("tests", words, Iterable, "programs, or words that name programs")
    emitted_tests = litmus_tests(words, given_verdicts(split_words(list_of_texts("models", models)))[0])
    names = targets_of(target)
    files = files_of(names[0], emitted_tests, choices)
    if len(names) > 1:
        files = {
            f"{name}/{file}": text for name in names for file, text in files_of(name, emitted_tests, choices).items()
        }
        files["README.md"] = _about(names, len(emitted_tests))
    put_folder(place, lambda new: write_texts(new, files), _OUTPUT, force=force)
    return [place / name for name in files]


def targets_of(word: str) -> tuple[str, ...]:
    """Return the targets that a word names, separated by commas, each of them once."""
    check_type("target", word, str, "the name of a target, or several names with commas between them")
    return tuple(dict.fromkeys(name.strip() for name in word.split(",")))


def _about(targets: Sequence[str], tests: int) -> str:
    listed = "".join(f"- `{name}`\n" for name in targets)
    return (
        f"# {count(tests, 'progress litmus test')} for {len(targets)} targets\n\nThis folder was {MARK}.\n"
        f"Each target has a folder of its own, whose README.md says how to build and run:\n\n{listed}"
    )


#: The most bytes that are read of a README.md; those that this module writes have fewer.
_LONGEST_README = 1 << 20


def _is_output(folder: Path) -> bool:
    readme = folder / "README.md"
    return readme.is_file() and MARK.encode() in beginning(readme, _LONGEST_README)


_OUTPUT = FolderKind("an earlier output of synth emit", _is_output)
