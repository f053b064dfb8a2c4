"""A test in the form that the code generators take: a program with its verdicts, and with names that fit into files."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import InputError
from synth_checker.programs.id_layout import ID_PATTERN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_checker.programs.program import Program

_VERDICT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+.-]*")
#: A query of the WebGPU CTS contains a test's name twice and may have 375 characters, so an id may not be longer.
_LONGEST_ID = 140


@dataclass(frozen=True, slots=True, repr=False)
class LitmusTest:
    """A program with its name, its id and its verdicts. A test without a name of its own has its id as its name.

    `models` has the definitions of the models of the verdicts that are not among the six, by name.

    The name may be any text, because targets escape it. The id and the names of verdicts go into file names and
    comments as they are.

    Raises:
        InputError: the program has no thread, the text in `id` is not an id, or a verdict is neither pass nor fail.
    """

    name: str
    id: str
    program: Program
    verdicts: Mapping[str, Literal["pass", "fail"]] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not ID_PATTERN.fullmatch(self.id):
            raise InputError(f"test {self.name!r}: found the id {self.id!r}, expected an id such as 00_0-0011")
        if not len(self.program):
            raise InputError(f"test {self.id}: found a program without threads, expected at least one")
        for name, verdict in self.verdicts.items():
            if not _VERDICT_NAME.fullmatch(name) or verdict not in {"pass", "fail"}:
                problem = f"test {self.id}: found the verdict {name!r}: {verdict!r}"
                raise InputError(f"{problem}, expected a name and a result, such as 'OBE.weak': 'pass'")

    def __repr__(self) -> str:
        return f"<LitmusTest {self.id}>"

    @property
    def file_stem(self) -> str:
        """Return the file name without an ending: `test-<id>`.

        File systems limit the length of a name. So a long id is cut, and a hash distinguishes it from others.
        """
        if len(self.id) <= _LONGEST_ID:
            return f"test-{self.id}"
        return f"test-{self.id[:_LONGEST_ID]}-{hashlib.sha256(self.id.encode()).hexdigest()[:16]}"

    @property
    def identifier(self) -> str:
        """Return the file stem as an identifier in code. Different ids have different identifiers."""
        return self.file_stem.replace("-", "_")
