"""Verify all kernels of a folder.

A file may name its launch in its first line, as a comment with the options of `synth verify`:
`// --local-size 64 --num-groups *`. GPUVerify's spellings count, too. What the command line says comes first.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError, UserError
from synth_kernels.deadline import OverdueError
from synth_kernels.kernel_file import READERS, TYPED
from synth_kernels.verification import VerificationRequest, Verified, verify_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_kernels.launch_sizes import Sizes, Sizing
    from synth_kernels.verification.cache import Cache

_OPTIONS = {
    "local": "local-size|local_size|blockDim",
    "groups": "num-groups|workgroups|num_groups|gridDim",
    "global_": "global-size|global_size",
}


class KernelOutcome(NamedTuple):
    """What came of a kernel, and how many seconds of the clock it took.

    A file with wrong text has a `fault`. `is_late` says that the time was over before that file.
    """

    path: Path
    seconds: float
    verified: Verified | None
    fault: str = ""
    is_late: bool = False

    @property
    def verdict(self) -> str:
        """The verdict, or `wrong input`."""
        unread = "stopped" if self.is_late else "wrong input"
        return unread if self.verified is None else self.verified.verdict


def kernel_files(folder: Path) -> list[Path]:
    """Return the files with kernels in a folder and below it, by name.

    Raises:
        InputError: there are none.
    """
    suffixes = (TYPED, *READERS)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in suffixes and path.is_file())
    if not paths:
        raise InputError(f"{folder}: found no file with kernels, expected files that end in {', '.join(suffixes)}")
    return paths


def verify_files(
    paths: list[Path], request: VerificationRequest, cache: Cache | None = None
) -> Iterator[KernelOutcome]:
    """Yield what came of each kernel of some files, in their order. A wrong file does not stop others."""
    for path in paths:
        begins = time.monotonic()
        try:
            file_request: VerificationRequest = {**request, "sizing": sizing_of_file(path, request["sizing"])}
            for verified in verify_file(path, **file_request, cache=cache):
                yield KernelOutcome(path, time.monotonic() - begins, verified)
                begins = time.monotonic()
        except UserError as error:
            is_late = isinstance(error, OverdueError)
            yield KernelOutcome(path, time.monotonic() - begins, None, str(error), is_late=is_late)


def sizing_of_file(path: Path, sizing: Sizing) -> Sizing:
    """Return the launch that somebody asks for, where it is open as the first line of a file says.

    Raises:
        InputError: the system can't read the file.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            line = file.readline(1000)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    if not re.match(r"\s*(//|#|/\*)", line):
        return sizing
    sizes: dict[str, Sizes] = {}
    for name, words in _OPTIONS.items():
        if match := re.search(rf"--(?:{words})[= ]\[?((?:\d+|\*)(?:,(?:\d+|\*))*)\]?", line):
            sizes[name] = tuple(None if size == "*" else int(size) for size in match[1].split(","))
    local = sizes.get("local") if sizing.local is None else sizing.local
    if sizing.groups is not None or sizing.global_ is not None:
        return replace(sizing, local=local)
    return replace(sizing, local=local, groups=sizes.get("groups"), global_=sizes.get("global_"))
