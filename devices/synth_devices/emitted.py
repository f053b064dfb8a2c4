"""Devices that run emitted programs: a target of `synth emit` writes the tests, `make` compiles them, and they start.

folder/
  emitted/     what the target writes, and what `make` builds of it
  make.log     what `make` said
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from typing import TYPE_CHECKING

from synth_backends.target import Choices, files_of
from synth_checker.errors import ResourceError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest

#: How many seconds `make` may take.
_LONGEST_S = 1800
_VERSION = re.compile(r"[0-9]\.[0-9]")


def emitted(target: str, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> tuple[Path, str]:
    """Write tests as programs of a target. Return the folder of the programs, and the SHA-256 of all their files.

    Raises:
        InputError: the target cannot emit these tests under these choices.
        ResourceError: writing a file failed.
    """
    place = (folder / "emitted").absolute()  # programs are started in another folder than this process
    digest = hashlib.sha256()
    for name, text in sorted(files_of(target, tests, choices).items()):
        data = text.encode()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:  # what has not changed is not compiled again
            path.write_bytes(data)
    return place, digest.hexdigest()


def made(place: Path) -> None:
    """Compile emitted programs with their Makefile.

    Raises:
        ResourceError: there is no `make` or compiler, or compiling failed. The message has the last line that it said.
    """
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    log = place.parent / "make.log"
    try:
        with log.open("wb") as file:
            found = subprocess.run(  # noqa: S603  (a Makefile of ours)
                ["make", "-s", f"-j{jobs}", "-C", str(place)],  # noqa: S607  (the one that the user has)
                stdout=file,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                timeout=_LONGEST_S,
                check=False,
            )
    except FileNotFoundError as error:
        msg = "found no make, which compiling tests needs: sudo apt install make"
        raise ResourceError(msg) from error
    except subprocess.TimeoutExpired as error:
        msg = f"compiling took longer than {_LONGEST_S} seconds; {log} has what make printed"
        raise ResourceError(msg) from error
    if found.returncode:
        said = [line for line in log.read_text("utf-8", "replace").splitlines() if "rror" in line] or ["make failed"]
        msg = f"compiling failed: {said[0].strip()}; {log} has everything that make printed"
        raise ResourceError(msg)


def version_line(command: Sequence[str]) -> str:
    """Return the first line with a version among those that a command prints, or nothing if there is none."""
    try:
        found = subprocess.run(  # noqa: S603  (asks a compiler for its version)
            command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line for line in found.stdout.splitlines() if _VERSION.search(line)), "")
