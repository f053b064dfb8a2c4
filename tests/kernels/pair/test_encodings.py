"""Test that both encodings of pending accesses fail the same checks."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings

from judged_kernels import disagreement
from kernel_examples import EXAMPLES
from quick import examples
from random_kernels import kernels
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.pair.options import Options
from synth_kernels.program import Kernel
from synth_kernels.text import parse
from synth_solvers.client import Solver
from verified_kernels import kernels as verified_kernels

ROOT = Path(__file__).parents[3]
#: The kernels of this repository in OpenCL C and CUDA, but for those that need a header that comes with them.
SOURCES = sorted(
    path
    for folder in ("docs/progress", "tests/kernels/cuda", "tests/backends/golden/opencl", "bench/support")
    for path in (ROOT / folder).glob("*.c[lu]")
)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.parametrize(
    "text", [example[2] for example in EXAMPLES], ids=[f"{example[0]}-{example[1]}" for example in EXAMPLES]
)
def test_encodings_fail_the_same_checks_of_examples(solver, text):
    assert disagreement(parse(text), solver) is None


@pytest.mark.full
def test_encodings_fail_the_same_checks_of_verified_kernels(solver):
    differing = {name for name, kernel in verified_kernels().items() if disagreement(kernel, solver)}
    assert not differing


@pytest.mark.full  # needs clang
@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_encodings_fail_the_same_checks_of_committed_kernels(solver, path):
    kernels = [kernel for kernel in read(path, SourceOptions()) if isinstance(kernel, Kernel)]
    assert kernels
    assert not {kernel.name for kernel in kernels if disagreement(kernel, solver)}


@seed(1)
@settings(SLOW, max_examples=examples(8))
@given(kernels())
def test_encodings_fail_the_same_checks(solver, kernel):
    assert disagreement(kernel, solver) is None


@pytest.mark.full
@settings(SLOW, max_examples=examples(30))
@given(kernels(reads=True))
def test_encodings_fail_the_same_checks_if_no_write_is_benign(solver, kernel):
    assert disagreement(kernel, solver, Options(tolerate_benign=False)) is None


@pytest.mark.exhaustive
@settings(SLOW, max_examples=examples(200))
@given(kernels())
def test_encodings_fail_the_same_checks_of_many(solver, kernel):
    assert disagreement(kernel, solver) is None
