"""Write components as a folder for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.rodin.words import CONTEXT_SUFFIX, MACHINE_SUFFIX
from synth_machines.rodin.writer import project_files
from synth_storage.folders import FolderKind, check_place, put_folder, write_texts

if TYPE_CHECKING:
    from pathlib import Path

    from synth_machines.projects import Project


def export_rodin(project: Project, folder: Path, *, force: bool = False) -> list[str]:
    """Write a project of Rodin, and return the names of the files. The folder is complete or not there.

    Raises:
        InputError: something can't be written, or the place is not free.
    """
    check_place(folder, _PROJECT, force=force)
    files = project_files(project.components.values(), folder.resolve().name)
    put_folder(folder, lambda new: write_texts(new, files), _PROJECT, force=force)
    return list(files)


def _is_exported(folder: Path) -> bool:
    """Return whether a folder has nothing but what `export_rodin` writes, so that replacing it loses nothing else."""
    files = list(folder.iterdir())
    return any(file.name == ".project" for file in files) and all(
        file.name == ".project" or file.suffix in {CONTEXT_SUFFIX, MACHINE_SUFFIX} for file in files
    )


_PROJECT = FolderKind("an earlier output of synth machine export", _is_exported)
