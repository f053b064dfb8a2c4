"""Files of result lines that others printed: their lines, what each line is about, and which lines are known already.

Such a file has a line for each process (docs/look-up/targets.md). The script of a bundle writes the digest of the
bundle first.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_backends.mapping import read_mapping
from synth_backends.result_line import read_line
from synth_backends.stress import read_shape
from synth_campaigns.cells import Setting
from synth_campaigns.settings import MOST_LAUNCHES
from synth_checker.child import MOST_OUTPUT
from synth_checker.errors import InputError
from synth_checker.programs.id_layout import thread_count
from synth_storage.folders import beginning
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.result_line import ResultFields
    from synth_campaigns.sources import Source

_LONGEST = 1 << 30
#: What a line is about: target, test, setting, and the purpose of a cell that the campaign does not declare.
Key: TypeAlias = tuple[str, str, Setting, str]


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A file of result lines. Its lines end with LF."""

    name: str
    data: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.data).hexdigest()

    def lines(self) -> list[tuple[int, bytes]]:
        """Return the lines that are not empty, each with its number."""
        return [(number, line) for number, line in enumerate(self.data.split(b"\n"), 1) if line.strip()]

    def known_lines(self, sources: Sequence[Source]) -> int:
        """Return how many lines at the beginning of the file another file had, which was collected before."""
        if any(source.digest == self.digest for source in sources):
            return self.data.count(b"\n") + 1
        known = 0
        for source in sources:
            size = source.told.get("bytes")
            if isinstance(size, int) and 0 < size <= len(self.data):
                before = self.data[:size]
                if hashlib.sha256(before).hexdigest() == source.digest:
                    # A line that was cut off there is known only if it was whole.
                    is_cut = not before.endswith(b"\n") and self.data[size : size + 1] == b"\n"
                    known = max(known, before.count(b"\n") + is_cut)
        return known


def read_file(path: Path) -> ResultFile:
    """Read a file of result lines.

    Raises:
        InputError: it cannot be read, or is empty.
    """
    with as_user_errors(path, "result lines"):
        data = beginning(path, _LONGEST)
    if not data.strip():
        raise InputError(f"{path}: found an empty file, expected result lines")
    return ResultFile(path.name, data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))


def read_result(text: bytes) -> ResultFields:
    """Read a result line.

    Raises:
        InputError: it is too long, it is no result line, or a number in it cannot be right.
    """
    if len(text) > MOST_OUTPUT:  # a campaign would not read more of a program, either
        raise InputError(f"found a line of {len(text):,} bytes, expected at most {MOST_OUTPUT:,}")
    line = read_line(text.decode("utf-8", "replace"), "")
    if line["iterations"] > MOST_LAUNCHES:
        raise InputError(f"iterations: found {line['iterations']}, expected at most {MOST_LAUNCHES}")
    if line["threads"] != thread_count(line["id"]):
        raise InputError(f"threads: found {line['threads']}, expected {thread_count(line['id'])}, as the test has")
    return line


def key_of(line: ResultFields) -> Key:
    """Return what a line is about.

    Raises:
        InputError: there is no such mapping.
    """
    shape = str(read_shape(line.get("stress_shape", "add")))
    mapping = read_mapping(line["mapping"]).name
    setting = Setting(mapping, line["instances"], line["stress"], line.get("width", 1), shape)
    return line["target"], line["id"], setting, line.get("purpose", "")


def bundle_of(text: bytes) -> str | None:
    """Return the digest in the line that the script of a bundle writes first; None for any other line."""
    if not text.startswith(b'{"bundle":'):
        return None
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return str(fields.get("bundle", "")) if set(fields) == {"bundle"} else None
