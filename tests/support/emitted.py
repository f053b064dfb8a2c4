"""Programs, difficult names, and the compiler of each target, for tests of code generators.

A new target is a line of `TARGETS`.
"""

import contextlib
import functools
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import shaders
from making import make
from synth_backends import template_files
from synth_backends.emission import litmus_tests
from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import KINDS, read_mapping
from synth_backends.target import Choices, files_of, load_target
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.program import Instruction, Program, Thread, program
from synth_litmus.inputs.programs import given_programs
from synth_storage.folders import write_texts

MUTEX = "01100002-01100002"
SPINS_FOR_EVER = "00_0-1011"
TAKES_A_LOCK = "0110"
WAITS_FOR_LATER, WAITS_FOR_EARLIER = "00_0-0011", "0011-00_0"
#: Three threads, so that all mappings differ: one takes a lock and frees it, one passes on that it saw it free.
THREE = "01100002-00_01012-10_0"
# Of the mutex: whoever holds the lock has started, so a model that keeps started threads running lets it release.
VERDICTS = {"unfair": "fail", "HSA.weak": "fail", "HSA.strong": "fail"} | {
    f"{model}.{form}": "pass" for model in ("OBE", "LOBE", "HSA+OBE", "fair") for form in ("weak", "strong")
}
# Store, check branch and exchange branch; jumps back, to the same place, forward and to the end; a no-op, a store that
# compares with 1; two locations, values up to 2. Checks and exchanges differ, so that swapping them shows.
ALL_SHAPES = program(
    [Instruction(0, 1, 0, 2), Instruction(1, 0, 2, 1), Instruction(0, 2, 0), Instruction(1, 0, 5, 2),
     Instruction(0, 0, 1), Instruction(1, 1, 6, 0), Instruction(0, 1, 7), Instruction(0, 2, 8, 1)],
    [Instruction(1, 1, 0), Instruction(1, 2, 2, 0)],
    [Instruction(0, 0, 1, 2)],
)  # fmt: skip

NASTY_NAMES = [
    'quote"; std::abort(); //',
    "line\nint injected = 1;\r\n#error",
    "*/ #error /*",
    "ends in a backslash \\",
    "ends in a trigraph ??/",
    "???/ ????",
    "%s %n %d {{ 7 * 7 }} {% raw %} $(shell false) `false`",
    ')" R"(',
    "\u202e\u2066 right to left, \u2028 lines \x85, \x00 \x1b[31m \x7f",
    "lone surrogate \ud800, pair \U0001f512, übrig",
    "\\u000a \\",
    "",
    "long " * 2000,
]
#: The mappings of the paper.
PAPER = ["plain", "round-robin", "chunked"]
BOUNDS = ["2x2", "2x3", "3x3", "2x4", "3x4"]
#: One of each kind, and a second one of those that have a parameter.
MAPPINGS = [*PAPER, "hybrid", "hybrid:1", "random", "random:7", "stride", "stride:3"]


def words_of_kinds(target):
    """Return a mapping of each kind that a target has, by the kind. A workgroup has few threads under each."""
    few = {"subgroups": "subgroups:16"}
    has_lanes = load_target(target).limits.most_width > 1
    return {kind: few.get(kind, kind) for kind in KINDS if has_lanes or not read_mapping(kind).apart}


def a_test(text=MUTEX, name=None, verdicts=None):
    return LitmusTest(text if name is None else name, text, program_of_id(text), verdicts or {})


def written(threads):
    """Return a program, in normal form or not, as a test."""
    return LitmusTest("a program", written_out(threads), threads)


def random_program(rng, threads, size):
    def instruction(end):
        exch = rng.choice([None, *range(4)])
        return Instruction(rng.randrange(3), rng.randrange(4), rng.randrange(end + 1), exch)

    return Program(tuple(Thread(tuple(instruction(size) for _ in range(size))) for _ in range(threads)))


def ten_tests():
    """Return tests with all shapes of instructions, one to five threads, and names that look like code."""
    rng = random.Random("ten tests")
    sizes = [(1, 3), (2, 2), (2, 12), (3, 3), (4, 4), (5, 2)]
    programs = [ALL_SHAPES, *map(program_of_id, (MUTEX, SPINS_FOR_EVER, THREE))]
    programs += [random_program(rng, *size) for size in sizes]
    return [LitmusTest(name, written_out(each), each) for name, each in zip(NASTY_NAMES, programs, strict=False)]


def minimal(bound):
    """Return the minimal tests of one of BOUNDS."""
    return litmus_tests(program for program in given_programs(f"@minimal/{bound}", None))


class Facts(NamedTuple):
    """The facts that the tests need about a target.

    `checked` and `compiled` take an emitted folder and compile all of it, with every warning as an error. `checked` is
    as fast as it can be: it compiles only the code of the device if that is faster. `compiled` works as users do.
    `command` is what the machine must have for both (see `conftest.py`). `has_namespaces` says that several sources can
    be made into one. `comment` is the mark of a comment. `case` and `end_case` are patterns of the lines around the
    case of a location.
    """

    ending: str
    checked: Callable[[Path], None]
    compiled: Callable[[Path], None]
    command: str | None = None
    has_namespaces: bool = False
    comment: str = "//"
    case: str = r"^ {8}case (\d+)"
    end_case: str = r"^ {8}default:"


def run_on_each(folder, ending, *words):
    """Run a compiler on each source."""
    for source in sorted(folder.glob(f"*.{ending}")):
        shaders.run_quietly(*words, source, folder=folder)


def check_cpp(folder):
    run_on_each(folder, "cpp", "g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wconversion")


def compile_cpp(folder):
    make(folder, "CXXFLAGS=-O2 -Wall -Wextra -Werror -Wconversion -Wshadow")


def check_cuda(folder):
    """Compile only the code of the device."""
    run_on_each(folder, "cu", "nvcc", "-std=c++17", "-cubin", "-arch=sm_75", "-Werror=all-warnings", "-o", "/dev/null")


def compile_cuda(folder):
    """Compile for the oldest GPUs that CUDA 13 knows, and for newer ones."""
    codes = " ".join(f"-gencode arch=compute_{number},code=sm_{number}" for number in (75, 90))
    make(folder, f"NVCCFLAGS=-O1 {codes} -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror")


HIP_FLAGS = ["-Wall", "-Wextra", "-Werror", "--offload-arch=gfx90a"]


def check_hip(folder):
    words = ["-x", "hip", "-std=c++17", "--cuda-device-only", "-c", "-o", "/dev/null", *HIP_FLAGS]
    run_on_each(folder, "hip", "env", "HIP_PLATFORM=amd", "hipcc", *words)


def compile_hip(folder):
    make(folder, f"HIPFLAGS=-O1 {' '.join(HIP_FLAGS)}")


@functools.cache
def opencl_context():
    """Return PoCL's processor; no test is skipped for lack of another device."""
    os.environ |= {"PYOPENCL_NO_CACHE": "1", "POCL_KERNEL_CACHE": "0"}  # nothing outside the tests' own folders
    pyopencl = pytest.importorskip("pyopencl")
    try:
        platforms = pyopencl.get_platforms()
    except pyopencl.LogicError:
        platforms = []
    found = [platform for platform in platforms if platform.name == "Portable Computing Language"]
    if not found:
        pytest.skip("PoCL is not installed")
    return pyopencl.Context(found[0].get_devices()[:1])


def check_opencl(folder, languages=("CL3.0",)):
    import pyopencl

    context = opencl_context()
    for source in sorted(folder.glob("*.cl")):
        for language in languages:
            pyopencl.Program(context, source.read_text("utf-8")).build([f"-cl-std={language}", "-Werror"])


def compile_opencl(folder):
    """Compile the host by its Makefile, and each kernel as OpenCL C with and without ordered atomics."""
    make(folder, "CFLAGS=-O2 -Wall -Wextra -Werror -Wconversion -Wshadow")
    check_opencl(folder, ("CL1.2", "CL3.0"))


def in_namespaces(sources):
    """Return several emitted files as one translation unit, with the headers first, outside of all namespaces."""
    sources = list(sources)
    headers = sorted({line for source in sources for line in source.splitlines() if line.startswith("#include")})
    bodies = (f"namespace test_{k} {{\n{source}}}\n" for k, source in enumerate(sources))
    return "\n".join([*headers, *bodies])


TARGETS = {
    "amber": Facts("amber", shaders.check_amber, shaders.compile_amber, comment="#"),
    "cpp": Facts("cpp", check_cpp, compile_cpp, has_namespaces=True),
    "cts": Facts("spec.ts", shaders.check_cts, shaders.check_cts),
    "cuda": Facts("cu", check_cuda, compile_cuda, "nvcc", has_namespaces=True),
    "glsl": Facts("comp", shaders.check_glsl, shaders.compile_glsl),
    "hip": Facts("hip", check_hip, compile_hip, "hipcc", has_namespaces=True),
    "metal": Facts("metal", shaders.check_metal, shaders.compile_metal),
    "opencl": Facts("cl", check_opencl, compile_opencl),
    "spirv": Facts(
        "spvasm",
        shaders.check_spirv,
        shaders.compile_glsl,
        comment=";",
        case=r"^%t\d+_(\d+) = OpLabel",
        end_case=r"^%t\d+_end = OpLabel",
    ),
    "web": Facts("html", shaders.check_web, shaders.check_web),
    "wgsl": Facts("wgsl", shaders.check_wgsl, shaders.compile_wgsl),
}


#: The targets whose tests need no more than the compiler that README names. All others need drivers or more compilers,
#: so tests that run them are among the full ones.
WITH_THE_COMPILER = {"cpp", "metal"}


def each_of(targets):
    """Return a parameter for each of some targets. Those that need more than README names are full tests."""
    marked = [
        target if target in WITH_THE_COMPILER else pytest.param(target, marks=pytest.mark.full) for target in targets
    ]
    return pytest.mark.parametrize("target", marked)


def each_target():
    """Return a parameter for each target, without anything that the target needs."""
    return pytest.mark.parametrize("target", TARGETS)


def each_compiled_target():
    """Return a parameter for each target; pytest deselects the tests of targets that the machine can't compile."""
    return pytest.mark.parametrize(
        "target",
        [
            pytest.param(name, marks=[pytest.mark.command(facts.command)] if facts.command else [])
            for name, facts in TARGETS.items()
        ],
    )


def emitted(target, tests, folder, **choices):
    """Write tests as programs of a target into a new folder, with no more tests in a file than the target allows."""
    most = load_target(target).limits.most_per_file
    if most is not None:
        choices["per_file"] = min(choices.get("per_file", most), most)
    folder.mkdir(parents=True)
    write_texts(folder, files_of(target, tests, Choices(**choices)))
    return folder


def source_name(target, stem):
    """Return the name of a source file; the CTS has no hyphens in its names."""
    return f"{stem.replace('-', '_') if target == 'cts' else stem}.{TARGETS[target].ending}"


def source_of(target, test, **choices):
    """Return the text of the only source file of a test."""
    return files_of(target, [test], Choices(**choices))[source_name(target, test.file_stem)]


@contextlib.contextmanager
def faulty(path, right, wrong):
    """Put a fault into a template while this context lasts."""
    read_template = template_files.read_template

    def read_faulty(folder, name):
        text = read_template(folder, name)
        if path != (name if "/" in name else f"{folder}/{name}"):
            return text
        assert right in text
        return text.replace(right, wrong)

    template_files.environment.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template_files, "read_template", read_faulty)
        yield
    template_files.environment.cache_clear()
