"""Read the components of a file, or of all files of a folder: text, or a project of Rodin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_machines.projects import Project
from synth_machines.rodin.reading import read_component
from synth_machines.rodin.words import CONTEXT_SUFFIX, MACHINE_SUFFIX
from synth_machines.shipped import shipped
from synth_machines.texts.reading import read_components
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

    from synth_machines.checked import CheckedContext, CheckedMachine
    from synth_machines.components import Component

#: How the names of files with machines end: text, and the files of Rodin.
SUFFIXES = (".eventb", CONTEXT_SUFFIX, MACHINE_SUFFIX)
#: A file may have so many bytes.
MOST_BYTES = 10_000_000


def read_project(path: Path) -> Project:
    """Return the components of a file, of all files in a folder, or those that ship under a name such as `@gpu`.

    Raises:
        InputError: there is no such file, or it holds something else.
    """
    if str(path).startswith("@"):
        return Project(shipped(str(path)))
    files = files_in(path, *SUFFIXES) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path}: found no file {' or '.join(SUFFIXES)} in this folder, expected at least one")
    return Project(one for file in files for one in read_file(file))


def files_in(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files of a folder whose names end so, sorted."""
    with as_user_errors(folder, "a folder of Event-B machines"):
        return sorted(file for file in folder.iterdir() if file.suffix in suffixes and not file.name.startswith("."))


def read_limited(file: Path, most: int = MOST_BYTES, expected: str = "a file of Event-B machines") -> bytes:
    """Return the bytes of a file, which has at most so many. `expected` says in messages what it should be.

    Raises:
        InputError: the file can't be read, or is too large.
    """
    with as_user_errors(file, expected), file.open("rb") as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise InputError(f"{file}: found more than {most:,} bytes, expected a smaller file")
    return data


def read_file(file: Path) -> list[Component]:
    """Return the components of a file of text, or the component of a file of Rodin.

    Raises:
        InputError: the file holds something else.
    """
    data = read_limited(file)
    try:
        if file.suffix in {CONTEXT_SUFFIX, MACHINE_SUFFIX}:
            return [read_component(data, file.stem)]
        return read_components(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: found a byte that is no UTF-8 at {error.start}, expected text in UTF-8") from None
    except InputError as error:
        raise type(error)(f"{file}: {error}") from None


def checked_components(project: Project, name: str | None) -> list[CheckedContext | CheckedMachine]:
    """Return all components of a project, checked, or only the one of a name.

    Raises:
        InputError: there is no such component, or something in it is not valid.
    """
    if name is None:
        return list(project.checked())
    if name not in project.components:
        raise unknown("component", name, project.components)
    return [one for one in project.checked() if one.name == name]
