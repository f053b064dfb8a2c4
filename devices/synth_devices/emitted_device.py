"""Devices that run emitted programs: a target of `synth emit` writes the tests, `make` compiles them, and they start.

folder/
  emitted/     what the target writes, and what `make` builds of it
  make.log     what `make` said (`compilation`)
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from typing import TYPE_CHECKING

from synth_backends.target import Choices, files_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest

_VERSION = re.compile(r"[0-9]\.[0-9]")


def emit_programs(target: str, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> tuple[Path, str]:
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


def version_line(command: Sequence[str]) -> str:
    """Return the first line with a version among those that a command prints, or nothing if there is none."""
    try:
        run = subprocess.run(  # noqa: S603  (asks a compiler for its version)
            command, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line for line in run.stdout.splitlines() if _VERSION.search(line)), "")
