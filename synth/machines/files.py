"""Read the components of a file, or of all files of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_machines.projects import Project
from synth_machines.shipped import shipped
from synth_machines.texts.reading import read_components
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

    from synth_machines.checked import CheckedContext, CheckedMachine
    from synth_machines.components import Component

#: How the names of files with machines end.
SUFFIX = ".eventb"
#: A file may have so many bytes.
MOST_BYTES = 10_000_000


def read_project(path: Path) -> Project:
    """Return the components of a file, of all files in a folder, or those that ship under a name such as `@gpu`.

    Raises:
        InputError: there is no such file, or it holds something else.
    """
    if str(path).startswith("@"):
        return Project(shipped(str(path)))
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path}: found no file {SUFFIX} in this folder, expected at least one")
    return Project(one for file in files for one in _components(file))


def _components(file: Path) -> list[Component]:
    with as_user_errors(file, "a file of Event-B machines"):
        data = file.read_bytes() if file.stat().st_size <= MOST_BYTES else None
    if data is None:
        raise InputError(f"{file}: found more than {MOST_BYTES:,} bytes, expected a smaller file")
    try:
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
