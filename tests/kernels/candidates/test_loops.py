"""Test how many everyday kernels with loops are verified without annotations.

The kernels are in tests/fixtures: `loops`, `further_loops` and `later_loops`, each written when the rules for the ones
before were there, and `faulty_loops`, each of which has a fault. The first line of each file has the sizes of the
launch as options of `synth verify`.
"""

import re
import statistics
import time
from pathlib import Path

import pytest

from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL
from synth_kernels.houdini import infer
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.launch import Launch
from synth_kernels.pair.walk import Walk
from synth_solvers.client import Solver

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES, FURTHER, LATER, FAULTY = (
    sorted((FIXTURES / name).glob("*.c[lu]")) for name in ("loops", "further_loops", "later_loops", "faulty_loops")
)


def launch_of(path):
    """Return the launch that the first line of a file names."""
    sizes = re.findall(r"[= ]([\d*,]+)", path.read_text("utf-8").splitlines()[0])
    local, groups = (tuple(None if size == "*" else int(size) for size in word.split(",")) for word in sizes)
    return Launch(local, groups)


def is_proven(kernel, launch, solver, rules):
    whole, _ = with_candidates(kernel, launch, rules)
    inferred = infer(whole, launch, solver)
    if isinstance(inferred, str):
        return False
    walk = Walk(whole, launch, inferred.removed)
    return failing_checks([check for check in walk.state.checks if not check.candidate], walk, solver) is None


@pytest.mark.full
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_first_kernel_of_a_file_is_verified(path):
    with Solver(seconds=120.0) as solver:
        assert is_proven(read(path, SourceOptions())[0], launch_of(path), solver, ALL)


@pytest.mark.full
@pytest.mark.parametrize(
    ("file", "name"), [("one_dimension.cl", "scan_with_pointers"), ("tiles.cu", "transpose"), ("any_size.cu", "scale")]
)
def test_some_further_kernels_are_verified(file, name):
    path = FIXTURES / "further_loops" / file
    (kernel,) = (kernel for kernel in read(path, SourceOptions()) if kernel.name == name)
    with Solver(seconds=120.0) as solver:
        assert is_proven(kernel, launch_of(path), solver, ALL)


@pytest.mark.full
@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.name)
def test_no_kernel_with_a_fault_is_verified(path):
    with Solver(seconds=60.0) as solver:
        for kernel in read(path, SourceOptions()):
            assert not is_proven(kernel, launch_of(path), solver, ALL), kernel.name


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("files", "least"), [(FILES, 50), (FURTHER, 30), (LATER, 50)], ids=["loops", "further_loops", "later_loops"]
)
def test_most_kernels_that_need_invariants_are_verified(files, least):
    seconds, verified, needing = [], [], []
    with Solver(seconds=60.0) as solver:
        for path in files:
            launch = launch_of(path)
            for kernel in read(path, SourceOptions()):
                name = f"{path.name}: {kernel.name}"
                if is_proven(kernel, launch, solver, ()):
                    continue
                needing.append(name)
                begins = time.monotonic()
                if is_proven(kernel, launch, solver, ALL):
                    verified.append(name)
                seconds.append(time.monotonic() - begins)
    print(f"{len(verified)} of {len(needing)}, median {statistics.median(seconds):.1f} s")  # noqa: T201  (pytest -s)
    print("not verified:", sorted({*needing} - {*verified}))  # noqa: T201
    assert len(needing) >= least
    assert len(verified) >= 0.91 * len(needing)
