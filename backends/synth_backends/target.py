"""The interface of the code generators.

    tests, Choices -> Target.emit -> {relative path: text}

A target only turns tests, each with what one run of it launches, into texts. It writes nothing, so it is easy to
test, and folders are written alike for all of them. Targets are imported when they are asked for: naming them loads no
template engine.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from synth_backends.mapping import Launch, Mapping, read_mapping
from synth_checker.errors import InputError, LimitError, check_type, excerpt
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping as Dict
    from collections.abc import Sequence

    from synth_backends.litmus_test import LitmusTest

#: Every target by its name on the command line, with the class that is it.
TARGETS: Dict[str, str] = {
    "amber": "synth_backends.targets.amber:Amber",
    "cpp": "synth_backends.targets.cpp:Cpp",
    "cts": "synth_backends.targets.cts:Cts",
    "cuda": "synth_backends.targets.cuda:Cuda",
    "glsl": "synth_backends.targets.glsl:Glsl",
    "hip": "synth_backends.targets.hip:Hip",
    "metal": "synth_backends.targets.metal:Metal",
    "opencl": "synth_backends.targets.opencl:OpenCl",
    "spirv": "synth_backends.targets.spirv:Spirv",
    "web": "synth_backends.targets.web:Web",
    "wgsl": "synth_backends.targets.wgsl:Wgsl",
}
#: A phrase of the README.md of every output: only a folder that has it is ever replaced.
MARK = "written by `synth emit`"
#: One bit of a 64-bit word tells whether a thread has finished.
MOST_THREADS = 64
#: What every interface grants a buffer, in bytes; a word takes four.
MOST_BYTES = 1 << 27
#: Words that workgroups stress, behind those of the instances.
STRESSED_WORDS = 256


class Limits(NamedTuple):
    """How many workgroups an interface starts, unless told otherwise and at most; how many tests a file can have.

    Unless an interface has a limit of its own, there are as many workgroups as have flags in a buffer.
    """

    usual_workgroups: int
    most_workgroups: int = MOST_BYTES // 4
    most_per_file: int | None = None


#: 65,535 is what section 6.1 of the paper starts, and the least that Vulkan and WebGPU allow.
PAPER = 65_535


@dataclass(frozen=True, slots=True)
class Choices:
    """What a caller may choose; what is None the target does.

    `mapping` is a word that `read_mapping` takes, `instances` how many instances of each test run at once, `stress` how
    many workgroups only stress memory, and `per_file` how many tests share a source file.

    Raises:
        InputError: a number is too small.
    """

    mapping: str | None = None
    instances: int | None = None
    stress: int = 0
    per_file: int | None = None

    def __post_init__(self) -> None:
        for name, found, least in (
            ("instances", self.instances, 1),
            ("stress", self.stress, 0),
            ("per-file", self.per_file, 1),
        ):
            check_type(name, found, int if name == "stress" else (int, NoneType), "a number")
            if found is not None and found < least:
                msg = f"{name}: found {found}, expected at least {least}"
                raise InputError(msg)


@dataclass(frozen=True, slots=True)
class LaunchedTest:
    """A test and what one run of it launches."""

    litmus: LitmusTest
    launch: Launch

    @property
    def words(self) -> int:
        """The words of memory that a run needs: a region for each instance, and behind them those that are stressed."""
        stressed = STRESSED_WORDS if self.launch.stress else 0
        return self.litmus.program.locations() * self.launch.instances + stressed

    @property
    def reads(self) -> bool:
        """Whether some instruction only reads, by an addition of 0: the others need no addition."""
        return any(i.exch is None for _, _, i in self.litmus.program.instructions())


class Target(Protocol):
    """A programming interface that tests are written for. `mapping` and `per_file` are what it does unless told."""

    name: str
    limits: Limits
    mapping: str
    per_file: int

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """The files of an output folder, README.md among them: relative path -> text, the same in every run.

        Tests are sorted by their ids, and have one mapping and as many workgroups that stress.
        """
        ...


def load_target(name: str) -> Target:
    """The target of a name.

    Raises:
        InputError: there is none; the message names those that exist.
    """
    check_type("target", name, str, "the name of a target")
    if name not in TARGETS:
        raise unknown("target", name, sorted(TARGETS))
    target: Target = pkgutil.resolve_name(TARGETS[name])()
    return target


class Emission(NamedTuple):
    """A target and what is chosen for it, whatever the tests. Without `instances` there are as many as is usual."""

    target: Target
    mapping: Mapping
    instances: int | None
    stress: int
    per_file: int


def emission_for(target_name: str, choices: Choices) -> Emission:
    """What a target's name and choices ask for: needs no test, so it can be asked before they are read.

    Raises:
        InputError: an unknown target or mapping, several instances of `plain`, or too many tests in a file.
    """
    target = load_target(target_name)
    mapping = read_mapping(target.mapping if choices.mapping is None else choices.mapping)
    instances = choices.instances
    if mapping.name == "plain":
        if instances not in {None, 1}:
            msg = f"mapping plain: found {instances} instances, expected 1 or another mapping"
            raise InputError(msg)
        instances = 1
    per_file, most = choices.per_file or target.per_file, target.limits.most_per_file
    if most is not None and per_file > most:
        msg = f"per-file: found {per_file}, expected at most {most} for target {target_name}"
        raise InputError(msg)
    return Emission(target, mapping, instances, choices.stress, per_file)


def files_of(target_name: str, tests: Sequence[LitmusTest], choices: Choices | None = None) -> dict[str, str]:
    """Tests as programs of a target: the files of an output folder, relative path -> text.

    Raises:
        InputError: what `emission_for` refuses, no tests, or the same test twice.
        LimitError: a test with more threads, workgroups or memory than the target takes.
    """
    emission = emission_for(target_name, choices or Choices())
    if not tests:
        msg = f"target {target_name}: found no test to emit, expected at least one"
        raise InputError(msg)
    seen: set[str] = set()
    for test in tests:
        if test.id in seen:
            msg = f"test {test.id}: found twice, expected different tests"
            raise InputError(msg)
        seen.add(test.id)
    launched = [_launched(test, emission) for test in sorted(tests, key=lambda test: test.id)]
    return emission.target.emit(launched, emission.per_file)


def _launched(test: LitmusTest, emission: Emission) -> LaunchedTest:
    threads, target = len(test.program), emission.target
    if threads > MOST_THREADS:
        msg = f"test {excerpt(test.id)}: found {threads} threads, expected at most {MOST_THREADS}"
        raise LimitError(msg)
    usual = max(1, (target.limits.usual_workgroups - emission.stress) // threads)
    launched = LaunchedTest(test, Launch(emission.mapping, threads, emission.instances or usual, emission.stress))
    if launched.launch.workgroups > target.limits.most_workgroups:
        stress = f" and {emission.stress} that stress memory" if emission.stress else ""
        launch = launched.launch
        found = f"{launch.workgroups} workgroups ({launch.instances} instances of {threads} threads{stress})"
        most = f"{target.limits.most_workgroups} for target {target.name}"
        msg = f"test {excerpt(test.id)}: found {found}, expected at most {most}"
        raise LimitError(msg)
    if 4 * launched.words > MOST_BYTES:
        msg = f"test {excerpt(test.id)}: found {launched.words} words of memory, expected at most {MOST_BYTES // 4}"
        raise LimitError(msg)
    return launched
