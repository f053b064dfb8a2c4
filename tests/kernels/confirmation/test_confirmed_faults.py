"""A fault that is confirmed happens when all threads are executed, and most faults that executions show are confirmed.

The executions are those of `synth kernel`, which takes all orders of the steps of a launch. They share no code with
those of `synth verify` but for the meaning of operators.
"""

import re
from pathlib import Path

import pytest

from faulty_sources import faulty, right
from kernel_examples import EXAMPLES
from launches import GALLERY_NEEDS, machine_of
from synth_checker.errors import InputError
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch, threads
from synth_kernels.pair.options import Options
from synth_kernels.program import Kernel
from synth_kernels.progress.arguments import ArgumentValues, read_arguments, scalars_of
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.open_values import UndecidedError
from synth_kernels.text import parse
from synth_solvers.client import Solver

ROOT = Path(__file__).parents[3]
GROUPS = 2
#: Launches with more states are left out, and so are kernels that leave an array.
MOST = 100_000


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


# --- what executions show is confirmed ---


def kernel_of(source, folder):
    """Read a kernel in C."""
    path = folder / f"k{source.ending}"
    path.write_text(source.text, "utf-8")
    (kernel,) = read(path, SourceOptions())
    assert isinstance(kernel, Kernel)
    return kernel


def shown(kernel, source):
    """Return which faults executions show, or None if the launch is too large or not defined."""
    try:
        space = explore_fast(machine_of(kernel, GROUPS, source.local, source.arguments.split()), MOST)
    except (InputError, UndecidedError):
        return None
    return {kind for kind, is_shown in (("race", space.raced), ("divergence", space.stuck())) if is_shown}


def confirmed(kernel, source, solver):
    """Return which faults `synth verify` confirms. Two writes of one value count as a race, as in executions."""
    scalars = scalars_of(kernel, read_arguments(source.arguments.split()))
    launch = Launch((source.local,), (GROUPS,), scalars=tuple(scalars.items()))
    report = verify(kernel, launch, solver, Options(tolerate_benign=False))
    return {counterexample.kind for counterexample in report.counterexamples if counterexample.is_confirmed}


def counted(sources, solver, folder):
    """Return how many faults executions of these kernels show, and which of them are not confirmed."""
    total, missing = 0, []
    for kind, source in sources:
        kernel = kernel_of(source, folder)
        real = shown(kernel, source) or set()
        total += len(real)
        missing += [(kind, fault, source.name, source.text) for fault in real - confirmed(kernel, source, solver)]
    return total, missing


@pytest.mark.full
@pytest.mark.parametrize("source", right(), ids=lambda source: source.name)
def test_right_kernels_have_no_fault_that_is_confirmed(solver, tmp_path, source):
    kernel = kernel_of(source, tmp_path)
    assert (shown(kernel, source), confirmed(kernel, source, solver)) == (set(), set())


@pytest.mark.full
def test_faults_of_a_few_faulty_kernels_are_confirmed(solver, tmp_path):
    few = [(kind, source) for kind, source in faulty(300) if "." in source.name][:20]  # none of docs/progress
    total, missing = counted(few, solver, tmp_path)
    assert total >= 4
    assert len(missing) <= 1, missing


@pytest.mark.exhaustive
def test_faults_of_300_faulty_kernels_are_confirmed(solver, tmp_path):
    total, missing = counted(faulty(300), solver, tmp_path)
    print(f"{total} faults, of which {len(missing)} are not confirmed")  # noqa: T201  (docs/results/results.md)
    assert total >= 35
    assert len(missing) <= 0.05 * total, missing


# --- what is confirmed happens in an execution ---


def in_c(name):
    """Return the kernels in C of a page."""
    page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    return re.findall(r"^```c\n([^`]*__(?:kernel|global__)[^`]*)^```$", page, re.MULTILINE)


#: What arrays hold at first: zeros, a number, and numbers that differ.
PATTERNS = (lambda _: 0, lambda _: 1, lambda number: number & 3, lambda number: 0x9E3779B1 * number >> 24 & 127)
#: So many elements have arrays of which nobody says the size.
ELEMENTS = 512
#: Kernels of the repository in files, and those of its pages.
FOLDERS = ("docs/progress", "tests/kernels/cases", "tests/kernels/cuda", "bench/support")
FILES = [
    path for folder in FOLDERS for path in sorted((ROOT / folder).iterdir()) if path.suffix in {".cl", ".cu", ".hip"}
]
PAGES = [text for name in ("understand/kernels", "do/questions", "do/progress") for text in in_c(name)]


def races_of(kernel, sizes, scalars, pattern):
    """Return the elements that accesses race for in all executions of a launch, or None if that is not known."""
    arguments = {name: ArgumentValues((value,)) for name, value in scalars.items()}
    for array in kernel.arrays:
        if array.space in {"global", "constant"} and array.initial is None:
            elements = range((array.size or ELEMENTS * array.each) // array.each)
            arguments[array.name] = ArgumentValues(tuple(pattern(number) for number in elements))
    try:
        return explore_fast(Machine(kernel, sizes, list(threads(sizes)), arguments), MOST).raced
    except (InputError, UndecidedError):
        return None


def not_shown(kernel, solver, launch):
    """Yield the confirmed races of a kernel that no execution of their launch shows."""
    for fault in verify(kernel, launch, solver).counterexamples:
        if fault.kind == "race" and fault.is_confirmed:
            races = [races_of(kernel, fault.sizes, fault.scalars, pattern) for pattern in PATTERNS]
            if not any(races) and None not in races:
                yield fault


def assert_shown(read_kernels, solver):
    """Check kernels that were read, in a launch of two groups of four threads or of those that they require."""
    for kernel in read_kernels:
        if isinstance(kernel, Kernel):
            launch = Launch(kernel.local_size or (4,), (GROUPS,) * max(1, len(kernel.local_size)))
            assert list(not_shown(kernel, solver, launch)) == [], kernel.name


@pytest.mark.full
@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_a_confirmed_race_of_a_file_happens_in_an_execution(solver, path):
    assert_shown(read(path, SourceOptions()), solver)


@pytest.mark.full
@pytest.mark.parametrize("text", PAGES, ids=range(len(PAGES)))
def test_a_confirmed_race_of_a_page_happens_in_an_execution(solver, tmp_path, text):
    path = tmp_path / ("k.cu" if "__global__" in text else "k.cl")
    path.write_text(text, "utf-8")
    assert_shown(read(path, SourceOptions(defines=("PITCH=33", "BLOCK=32"))), solver)


@pytest.mark.full
def test_a_confirmed_race_of_a_typed_program_happens_in_an_execution(solver):
    assert_shown([parse(text) for _, _, text in EXAMPLES], solver)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name, (_, _, needs) in GALLERY_NEEDS.items() if not needs])
def test_no_race_of_the_gallery_is_confirmed_in_launches_without_one(solver, name):
    """Launches have the arguments of docs/do/progress.md, and hang. The others are among the right kernels."""
    local, arguments, _ = GALLERY_NEEDS[name]
    (kernel,) = read(ROOT / "docs" / "progress" / f"{name}.cl", SourceOptions())
    scalars = scalars_of(kernel, read_arguments(arguments.split()))
    space = explore_fast(machine_of(kernel, GROUPS, local, arguments.split()), MOST)
    report = verify(kernel, Launch((local,), (GROUPS,), scalars=tuple(scalars.items())), solver)
    races = [
        counterexample
        for counterexample in report.counterexamples
        if counterexample.is_confirmed and counterexample.kind == "race"
    ]
    assert space.raced or not races
