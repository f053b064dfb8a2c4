"""The interface of the code generators.

    tests, Choices -> Target.emit -> {relative path: text}

A target turns tests into the texts of files. With each test it gets the launch: how many workgroups one run of the test
starts, and what they do. A target writes no files, which makes it easy to test. Other code writes the folders, in the
same way for all targets. The module of a target is imported when the target is needed. So listing the names of targets
loads no template engine.
"""

from __future__ import annotations

import functools
import json
import pkgutil
from dataclasses import dataclass
from importlib import metadata
from types import NoneType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from synth_backends.mapping import LitmusLaunch, Mapping, read_mapping
from synth_backends.stress import StressShape, read_shape
from synth_checker.errors import InputError, LimitError, check_type, excerpt
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping as Dict
    from collections.abc import Sequence

    from synth_backends.expression import Spelling
    from synth_backends.litmus_test import LitmusTest

#: The class of every target, by the name of the target on the command line.
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
#: A phrase in the README.md of every emitted folder. A folder without it is never replaced.
MARK = "written by `synth emit`"
#: The most threads of a test: each has one bit of a 64-bit word, which says whether the thread has finished.
MOST_THREADS = 64
#: The size in bytes that a buffer may have in every interface; a word takes four bytes.
MOST_BYTES = 1 << 27


class Limits(NamedTuple):
    """The limits of a target: the usual and the largest number of workgroups, and the most tests in a source file.

    If the interface of the target sets no limit, a launch has at most as many workgroups as one buffer has flags.
    `most_width` is how many threads a workgroup may have. `numbers_launches` says that the programs tell the
    device which launch it is.
    """

    usual_workgroups: int
    most_workgroups: int = MOST_BYTES // 4
    most_per_file: int | None = None
    most_width: int = 1024
    numbers_launches: bool = True


#: The number of threads that a workgroup of every Vulkan device, or of every WebGPU device, can have. Our host programs
#: for Vulkan ask the device whether it takes more; Amber does not.
VULKAN_WIDTH, WEBGPU_WIDTH = 128, 256
#: The number of workgroups in section 6.1 of the paper. Every device of Vulkan and WebGPU can start so many.
PAPER = 65_535


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of `synth emit` that say what the emitted programs do. If an option is None, the target chooses.

    - `mapping` is a word that `read_mapping` takes.
    - `instances` is how many instances of each test run at once.
    - `stress` is how many workgroups only stress memory, or their share of all workgroups, between 0 and 1.
    - `per_file` is how many tests share a source file.
    - `width` is how many threads a workgroup has at least. The mapping says which of them run threads of the test.
    - `stress_shape` says how workgroups stress memory; it is a word that `read_shape` takes.

    Raises:
        InputError: a number is too small.
    """

    mapping: str | None = None
    instances: int | None = None
    stress: int | float = 0
    per_file: int | None = None
    width: int = 1
    stress_shape: str = "add"

    def __post_init__(self) -> None:
        for name, number, least in (
            ("instances", self.instances, 1),
            ("per-file", self.per_file, 1),
            ("width", self.width, 1),
        ):
            check_type(name, number, int if name == "width" else (int, NoneType), "a number")
            if number is not None and number < least:
                raise InputError(f"{name}: found {number}, expected at least {least}")
        check_stress(self.stress)


def stress_number(text: str) -> int | float:
    """Return the number or share of workgroups that only stress memory, from a text such as `100` or `0.25`.

    Raises:
        InputError: it is neither.
    """
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise InputError(
            f"stress: found {excerpt(text)!r}, expected a whole number, or a share of all workgroups between 0 and 1"
        )
    return share


def check_stress(stress: float) -> None:
    """Check how many workgroups only stress memory: a whole number, or a share of all workgroups.

    Raises:
        InputError: the number is negative, or the share is not between 0 and 1.
    """
    check_type("stress", stress, () if isinstance(stress, bool) else (int, float), "a number")
    if stress < 0 or (not isinstance(stress, int) and not 0 < stress < 1):
        raise InputError(
            f"stress: found {stress}, expected a whole number, or a share of all workgroups between 0 and 1"
        )


@dataclass(frozen=True, slots=True)
class LaunchedTest:
    """A test with its launch: how many workgroups one run of the test starts, and what each of them does."""

    litmus: LitmusTest
    launch: LitmusLaunch

    @property
    def words(self) -> int:
        """Return how many words of memory a run needs: those of all instances, and those for the stress on memory."""
        stressed = self.launch.stress_shape.words if self.launch.stress else 0
        return self.litmus.program.locations() * self.launch.instances + stressed

    @property
    def reads(self) -> bool:
        """Return whether some instruction of the test only reads memory. It is emitted as an atomic addition of 0."""
        return any(i.exch is None for _, _, i in self.litmus.program.instructions())


class Target(Protocol):
    """A programming interface for which tests are emitted.

    `mapping` is the name of the mapping, and `per_file` the number of tests in a source file, if the user gives none.
    `template` is the name of the template of source files. `spelling` says how they write the definitions of a mapping;
    it is None if they are assembly text.
    """

    name: str
    limits: Limits
    mapping: str
    per_file: int
    template: str
    spelling: Spelling | None

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return the files of an output folder, README.md among them, as a dict from relative path to text.

        The result is the same in every run. The tests are sorted by id, and all have the same mapping and the same
        number of workgroups that stress memory.
        """
        ...


def load_target(name: str) -> Target:
    """Return the target with this name.

    Raises:
        InputError: there is no such target; the message lists the names of all targets.
    """
    check_type("target", name, str, "the name of a target")
    if name not in TARGETS:
        raise unknown("target", name, sorted(TARGETS))
    target: Target = pkgutil.resolve_name(TARGETS[name])()
    return target


class Emission(NamedTuple):
    """A target with a value for each of its options.

    If `instances` is None, a launch has as many instances as fit into the usual number of workgroups of the target.
    """

    target: Target
    mapping: Mapping
    instances: int | None
    stress: int | float
    per_file: int
    width: int
    stress_shape: StressShape


def emission_for(target_name: str, choices: Choices) -> Emission:
    """Return a target and all its options, from the name of the target and the choices of the user.

    The tests are not needed for this. So a caller can report a wrong choice before it reads the tests.

    Raises:
        InputError: a name is unknown, the target cannot run the mapping, the mapping `plain` has several instances, or
            `per_file` or `width` is above the limit of the target.
    """
    target = load_target(target_name)
    mapping = read_mapping(target.mapping if choices.mapping is None else choices.mapping)
    instances = choices.instances
    if mapping.name == "plain":
        if instances not in {None, 1}:
            raise InputError(f"mapping plain: found {instances} instances, expected 1; choose another mapping for more")
        instances = 1
    per_file, most = choices.per_file or target.per_file, target.limits.most_per_file
    if most is not None and per_file > most:
        raise InputError(f"per-file: found {per_file}, expected at most {most} for target {target_name}")
    if choices.width > target.limits.most_width:
        raise InputError(
            f"width: found {choices.width}, expected at most {target.limits.most_width} for target {target_name}"
        )
    if mapping.apart and target.limits.most_width == 1:
        raise InputError(
            f"mapping {mapping.name}: a workgroup of target {target_name} has only one thread; choose another mapping"
        )
    if mapping.kind.is_anew and not target.limits.numbers_launches:
        raise InputError(
            f"mapping {mapping.name}: target {target_name} does not number launches; write it without the +"
        )
    shape = read_shape(choices.stress_shape)
    return Emission(target, mapping, instances, choices.stress, per_file, choices.width, shape)


def files_of(target_name: str, tests: Sequence[LitmusTest], choices: Choices | None = None) -> dict[str, str]:
    """Return tests as programs of a target: the files of an output folder, as a dict from relative path to text.

    Raises:
        InputError: `emission_for` refuses the choices, there are no tests, or a test occurs twice.
        LimitError: a test has more threads, workgroups or memory than the target can take.
    """
    emission = emission_for(target_name, choices or Choices())
    if not tests:
        raise InputError(f"target {target_name}: there is no test to emit; give at least one")
    ids: set[str] = set()
    for test in tests:
        if test.id in ids:
            raise InputError(f"test {test.id}: it is given twice; give each test once")
        ids.add(test.id)
    in_order = sorted(tests, key=lambda test: test.id)
    launched = [launched_test(test, emission) for test in in_order]
    return emission.target.emit(launched, emission.per_file) | {"expected.json": expected_json(in_order)}


def sizes_of_launch(
    mapping: Mapping, threads: int, instances: int | None, stress: float, usual: int
) -> tuple[int, int]:
    """Return how many instances a launch has, and how many workgroups that only stress memory.

    `stress` is a number, or a share of all workgroups. If `instances` is None, there are as many as fit into the usual
    number of workgroups, and at least one. A share gives at least one workgroup.
    """
    of_instance = 1 if mapping.apart else threads
    if isinstance(stress, float):
        testing = usual * (1 - stress) if instances is None else instances * of_instance
        stress = max(1, round(testing * stress / (1 - stress)))
    return instances or max(1, (usual - stress) // of_instance), int(stress)


@functools.cache
def release() -> str:
    """Return the release of `synth` that writes the programs."""
    return metadata.version("progress-synth")


def expected_json(tests: Sequence[LitmusTest]) -> str:
    """Return the text of `expected.json`, which every output folder has: what each model says of each test."""
    by_id = {
        test.id: {
            "name": test.name,
            "verdicts": dict(test.verdicts),
            "guaranteed_by": [name for name, verdict in test.verdicts.items() if verdict == "pass"],
        }
        for test in tests
    }
    own = {name: text for test in tests for name, text in test.models.items()}
    more = {"models": own} if own else {}
    return json.dumps({"format": 1, "synth": release(), **more, "tests": by_id}, indent=1) + "\n"


def launched_test(test: LitmusTest, emission: Emission) -> LaunchedTest:
    """Return a test with the launch that some options ask for.

    Raises:
        LimitError: the test has more threads, workgroups or memory than the target can take.
    """
    threads, target = len(test.program), emission.target
    if threads > MOST_THREADS:
        raise LimitError(f"test {excerpt(test.id)}: found {threads} threads, expected at most {MOST_THREADS}")
    mapping, lanes = emission.mapping, emission.mapping.lanes(threads)
    if lanes > target.limits.most_width:
        needs = f"mapping {mapping.name} with {threads} threads needs {lanes} threads a workgroup"
        raise LimitError(
            f"test {excerpt(test.id)}: {needs}, expected at most {target.limits.most_width} for target {target.name}"
        )
    usual = target.limits.usual_workgroups
    instances, stress = sizes_of_launch(mapping, threads, emission.instances, emission.stress, usual)
    width = max(emission.width, lanes)
    launch = LitmusLaunch(mapping, threads, instances, stress, width, emission.stress_shape)
    launched = LaunchedTest(test, launch)
    if launched.launch.workgroups > target.limits.most_workgroups:
        more = f", and {stress} workgroups that stress memory" if stress else ""
        needs = f"{launch.workgroups} workgroups ({launch.instances} instances of {threads} threads{more})"
        most = f"{target.limits.most_workgroups} for target {target.name}"
        raise LimitError(f"test {excerpt(test.id)}: found {needs}, expected at most {most}")
    if 4 * launched.words > MOST_BYTES:
        raise LimitError(
            f"test {excerpt(test.id)}: found {launched.words} words of memory, expected at most {MOST_BYTES // 4}"
        )
    return launched
