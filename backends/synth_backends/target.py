"""The interface of the code generators.

    tests -> Target.emit -> {relative path: text}

A target only turns tests into texts. It writes nothing, so it is easy to test, and folders are written alike for all
of them. Targets are imported when they are asked for: naming them loads no template engine.
"""

from __future__ import annotations

import difflib
import hashlib
import pkgutil
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from synth_checker.errors import InputError
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


def files_of(target_name: str, tests: Sequence[LitmusTest]) -> dict[str, str]:
    """Tests as programs of a target: the files of an output folder, relative path -> text.

    Raises:
        InputError: an unknown target, no tests, or the same test twice.
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
    return target.emit(tests)
