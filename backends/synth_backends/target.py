"""The interface of the code generators, and the safe writing of what they generate.

    tests -> Target.emit -> {relative path: text} -> a folder, complete or not there at all

A target only turns tests into texts. It writes nothing, so it is easy to test, and the rules about folders are the
same for all of them. Targets are imported when they are asked for: naming them loads no template engine.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import pkgutil
import re
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from synth_checker.errors import InputError, ResourceFault
from synth_checker.normal import ID_PATTERN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_checker.program import Program

#: Every target by its name on the command line, with the class that is it.
TARGETS: Mapping[str, str] = {"cpp": "synth_backends.targets.cpp:Cpp"}
#: A phrase of the README.md of every output: only a folder that has it is ever replaced.
MARK = "written by `synth emit`"
_VERDICT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+.-]*")
_LONGEST_ID = 160


@dataclass(frozen=True, slots=True)
class LitmusTest:
    """A program with what is known of it. A test that nobody has named has its id as its name.

    The name may be any text: targets escape it. Id and verdict names go into file names and comments as they are.

    Raises:
        InputError: the program has no thread, the id is none, or a verdict is neither pass nor fail.
    """

    name: str
    id: str
    program: Program
    verdicts: Mapping[str, Literal["pass", "fail"]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not ID_PATTERN.fullmatch(self.id):
            msg = f"test {self.name!r}: found id {self.id!r}, expected four base-36 digits an instruction"
            raise InputError(msg)
        if not len(self.program):
            msg = f"test {self.id}: found a program without threads, expected at least one"
            raise InputError(msg)
        for name, verdict in self.verdicts.items():
            if not _VERDICT_NAME.fullmatch(name) or verdict not in {"pass", "fail"}:
                msg = f"test {self.id}: found verdict {name!r}: {verdict!r}, expected a verdict's name and pass or fail"
                raise InputError(msg)

    @property
    def file_stem(self) -> str:
        """`test-<id>`; a long id is cut and told apart by a hash, since file systems limit a name's length."""
        if len(self.id) <= _LONGEST_ID:
            return f"test-{self.id}"
        return f"test-{self.id[:_LONGEST_ID]}-{hashlib.sha256(self.id.encode()).hexdigest()[:16]}"


class Target(Protocol):
    """A programming interface that tests are written for."""

    name: str

    def emit(self, tests: Sequence[LitmusTest]) -> dict[str, str]:
        """The files of an output folder, README.md among them: relative path -> text, the same in every run."""
        ...


def load_target(name: str) -> Target:
    """The target of a name.

    Raises:
        InputError: there is none; the message names those that exist.
    """
    if name not in TARGETS:
        near = difflib.get_close_matches(name, TARGETS, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        msg = f"target {name!r}: unknown{hint}, expected one of: {', '.join(sorted(TARGETS))}"
        raise InputError(msg)
    target: Target = pkgutil.resolve_name(TARGETS[name])()
    return target


def emit(target_name: str, tests: Sequence[LitmusTest], folder: Path, *, force: bool = False) -> list[Path]:
    """Write tests as programs of a target into a folder, and say which files it then holds.

    The folder must be new or empty. With `force` an earlier output is replaced, whatever was added to it included.

    Raises:
        InputError: an unknown target, no tests, the same test twice, or a folder that can't be used.
        ResourceFault: writing failed.
    """
    target = load_target(target_name)
    if not tests:
        msg = f"target {target_name}: found no test to emit, expected at least one"
        raise InputError(msg)
    seen: set[str] = set()
    for test in tests:
        if test.id in seen:
            msg = f"test {test.id}: found twice, expected different tests"
            raise InputError(msg)
        seen.add(test.id)
    return write_folder(folder, target.emit(tests), force=force)


def write_folder(folder: Path, files: Mapping[str, str], *, force: bool = False) -> list[Path]:
    """Make a folder hold exactly `files`: written under another name beside it, synced, and renamed into place."""
    place = folder.resolve()  # behind a symbolic link the folder it names is replaced, not the link
    token = secrets.token_hex(8)
    new, old = place.parent / f".synth-emit-{token}-new", place.parent / f".synth-emit-{token}-old"
    try:
        _check_free(folder, place, force=force)
        new.mkdir(parents=True)
        for name, text in files.items():
            _write(new / name, text)
        _sync(new)
        if force and place.exists():
            place.rename(old)
        try:
            new.rename(place)  # an empty folder gives way to it, one that has been filled meanwhile does not
        except BaseException:
            if old.exists():
                old.rename(place)
            raise
        _sync(place.parent)
        shutil.rmtree(old, ignore_errors=True)
    except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as error:
        msg = f"{folder}: {error.strerror}, expected a place for a new folder"
        raise InputError(msg) from error
    except OSError as error:
        msg = f"{folder}: {error.strerror or error}"
        raise ResourceFault(msg) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return [folder / name for name in files]


def _check_free(folder: Path, place: Path, *, force: bool) -> None:
    if not place.exists():
        return
    if not place.is_dir():
        msg = f"{folder}: found a file, expected a new or empty folder"
        raise InputError(msg)
    if Path.cwd().is_relative_to(place):
        msg = f"{folder}: found the current folder or one that holds it, expected a folder that can be replaced"
        raise InputError(msg)
    if not any(place.iterdir()):
        return
    if not force:
        msg = f"{folder}: found a folder that is not empty, expected a new or empty one (or --force)"
        raise InputError(msg)
    readme = place / "README.md"
    if not readme.is_file() or MARK not in readme.read_text("utf-8", "replace"):
        msg = f"{folder}: found files of others, expected a new or empty folder or one that synth emit has written"
        raise InputError(msg)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make the names in a folder last, as `fsync` does for a file's content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
