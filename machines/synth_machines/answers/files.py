"""Read the components of a file, or of all files of a folder: text, or a project of Rodin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_machines.components import Context
from synth_machines.projects import Project
from synth_machines.rodin.reader import read_component
from synth_machines.rodin.words import CONTEXT_SUFFIX, MACHINE_SUFFIX
from synth_machines.shipped import shipped
from synth_machines.texts.reader import read_components
from synth_storage.folders import beginning
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

    from synth_machines.checked_components import CheckedContext, CheckedMachine
    from synth_machines.components import Component

#: How the names of files with machines end: text, and the files of Rodin.
SUFFIXES = (".eventb", CONTEXT_SUFFIX, MACHINE_SUFFIX)
#: A file may have so many bytes.
MOST_BYTES = 10_000_000


def read_project(path: Path, *, partly: bool = False, by_parts: bool = False) -> Project:
    """Return the components of a file, of all files in a folder, or those that ship under a name such as `@gpu`.

    With `partly`, a file of a folder that can't be read becomes a problem of the project, and the others are read. With
    `by_parts`, the same holds for parts of a component.

    Raises:
        InputError: there is no such file, or it holds something else.
    """
    if str(path).startswith("@"):
        return Project(shipped(str(path)))
    partly = partly or by_parts
    if path.is_dir():
        path = project_folder(path, *SUFFIXES)
    files = files_in(path, *SUFFIXES) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path}: found no file {' or '.join(SUFFIXES)} in this folder, expected at least one")
    components: list[Component] = []
    problems: dict[str, str] = {}
    for file in files:
        try:
            components += read_file(file, partly=partly)
        except InputError as error:
            if not partly or file == path:
                raise
            problems[file.stem] = str(error)
    return Project(components, problems, by_parts=by_parts)


def files_in(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files of a folder whose names end so, sorted."""
    with as_user_errors(folder, "a folder of Event-B machines"):
        return sorted(file for file in folder.iterdir() if file.suffix in suffixes and not file.name.startswith("."))


def project_folder(folder: Path, *suffixes: str) -> Path:
    """Return the folder itself, or the one project inside it if only that has files whose names end so.

    Raises:
        InputError: there are several projects in the folder.
    """
    if files_in(folder, *suffixes):
        return folder
    inside = {path.parent.relative_to(folder) for path in folder.glob("*/**/*") if path.suffix in suffixes}
    folders = sorted(path for path in inside if not any(part.startswith(".") for part in path.parts))
    if len(folders) > 1:
        raise InputError(f"{folder}: found {len(folders)} projects, expected one, such as {folder / folders[0]}")
    return folder / folders[0] if folders else folder


def read_limited(file: Path, most: int = MOST_BYTES, expected: str = "a file of Event-B machines") -> bytes:
    """Return the bytes of a file, which has at most so many. `expected` says in messages what it should be.

    Raises:
        InputError: the file can't be read, or is too large.
    """
    with as_user_errors(file, expected):
        data = beginning(file, most + 1)
    if len(data) > most:
        raise InputError(f"{file}: found more than {most:,} bytes, expected a smaller file")
    return data


def read_file(file: Path, *, partly: bool = False) -> list[Component]:
    """Return the components of a file of text, or the component of a file of Rodin.

    With `partly`, the component of a file of Rodin lacks the parts that can't be read.

    Raises:
        InputError: the file holds something else.
    """
    data = read_limited(file)
    try:
        if file.suffix in {CONTEXT_SUFFIX, MACHINE_SUFFIX}:
            component = read_component(data, file.stem, partly=partly)
            return [replace(component, left_out=tuple(f"{file}: {problem}" for problem in component.left_out))]
        return read_components(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: found a byte that is no UTF-8 at {error.start}, expected text in UTF-8") from None
    except InputError as error:
        raise type(error)(f"{file}: {error}") from None


@dataclass(frozen=True, slots=True)
class Components:
    """The components that somebody asked for. `problems` say why others are not valid, or parts of these."""

    valid: list[CheckedContext | CheckedMachine]
    problems: list[str]


def checked_components(path: Path, name: str | None) -> Components:
    """Return all components of a file or folder, checked, or only the one of a name. Parts may be left out.

    Raises:
        InputError: there is no such component. Or none is valid, and then this says what is wrong with the first one.
    """
    project = read_project(path, by_parts=True)
    known = {**project.components, **project.problems}
    if name is not None:
        check_known("component", name, known)
        is_context = isinstance(project.components.get(name), Context)
        checked = project.context(name) if is_context else project.machine(name)
        return Components([checked], list(checked.left_out))
    problems: dict[str, str] = {}
    valid = list(project.valid(problems))
    if problems and not valid:
        raise InputError(next(iter(problems.values())))
    return Components(valid, [*problems.values(), *(problem for component in valid for problem in component.left_out)])
