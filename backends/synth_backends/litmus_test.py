"""A test as the code generators take it: a program with its names and verdicts, fit for file names and comments."""

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
#: So that a query of the WebGPU CTS, which has a test's name twice, is no longer than it may be, 375 characters.
_LONGEST_ID = 140


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<LitmusTest {self.id}>"

    @property
    def file_stem(self) -> str:
        """`test-<id>`; a long id is cut and told apart by a hash, since file systems limit a name's length."""
        if len(self.id) <= _LONGEST_ID:
            return f"test-{self.id}"
        return f"test-{self.id[:_LONGEST_ID]}-{hashlib.sha256(self.id.encode()).hexdigest()[:16]}"

    @property
    def identifier(self) -> str:
        """The file stem as a name in code. Ids have digits in groups of four, so different ones stay different."""
        return self.file_stem.replace("-", "_")
