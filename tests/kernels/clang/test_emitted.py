"""The kernels that our own targets emit are free of data races: the whole files, with the code of the host.

Threads of a test share only words that they access atomically.
"""

import itertools
import random
import re

import pytest

from emitted import a_test, faulty, minimal
from synth_backends.target import Choices, emission_for, files_of, launched_test
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.program import KINDS, Access
from synth_solvers.client import Solver
from synth_storage.folders import write_texts

ENDINGS = {"cuda": ".cu", "hip": ".hip", "opencl": ".cl"}
#: The kinds of mappings that run the threads of a test in different workgroups.
MAPPINGS = ["plain", "round-robin", "chunked", "hybrid", "random", "stride"]
INSTANCES = 20
#: What a few of the tests have, which are drawn for each mapping.
OTHERS = {
    "plain": {"stress": 2, "stress_shape": "store-load"},
    "round-robin": {"width": 4},
    "chunked": {"stress": 3, "width": 2},
    "hybrid": {},
    "random": {"width": 4, "stress": 1},
    "stride": {"stress": 5, "stress_shape": "load-store"},
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=300.0) as solver:
        yield solver


def verdicts(target, tests, choices, folder, solver):
    """Yield each kernel of some tests that are emitted into few files, with the verdict on its launch."""
    emission = emission_for(target, choices)
    launches = {re.sub(r"\W", "_", test.id): launched_test(test, emission).launch for test in tests}
    write_texts(folder, files_of(target, tests, choices))
    for path in sorted(folder.glob(f"*{ENDINGS[target]}")):
        for standard in ("CL1.2", "CL3.0") if target == "opencl" else ("",):
            for kernel in read(path, SourceOptions(standard=standard)):
                canary = next(iter(launches.values()))
                launch = next((launch for id_, launch in launches.items() if id_ in kernel.name), canary)
                yield kernel, verify(kernel, Launch((launch.width,), (launch.workgroups,)), solver).verdict


def check(target, tests, mapping, folder, solver):
    choices = Choices(
        mapping=mapping,
        instances=1 if mapping.startswith("plain") else INSTANCES,
        per_file=len(tests),
        **OTHERS.get(mapping, {}),
    )
    found = list(verdicts(target, tests, choices, folder, solver))
    assert len(found) >= len(tests)
    assert {verdict for _, verdict in found} == {"verified"}
    kinds = {
        instruction.kind
        for kernel, _ in found
        for block in kernel.blocks
        for instruction in block.instructions
        if is_shared(instruction)
    }
    assert kinds == {"atomic"}


def is_shared(one):
    return isinstance(one, Access) and one.kind in KINDS and one.array in {"memory", "flags"}


def drawn(seed, count):
    """Return some minimal tests of several bounds."""
    every = [test for bound in ("2x2", "2x3", "3x3", "2x4") for test in minimal(bound)]
    return random.Random(seed).sample(every, count)


@pytest.mark.full
@pytest.mark.parametrize(
    ("target", "mapping"), [*itertools.product(("cuda", "opencl"), MAPPINGS), ("hip", "chunked"), ("hip", "random")]
)
def test_a_sample_of_emitted_kernels_has_no_race(solver, tmp_path, target, mapping):
    check(target, drawn(f"{target} {mapping}", 2), mapping, tmp_path, solver)


@pytest.mark.full
@pytest.mark.parametrize(
    ("target", "right", "wrong"),
    [
        ("cuda", "return Word{*word}.exchange(value);", "const unsigned old = *word; *word = value; return old;"),
        ("opencl", "return atomic_xchg(word, value);", "uint old = *word; *word = value; return old;"),
    ],
)
def test_an_emitted_kernel_whose_accesses_are_not_atomic_has_a_race(solver, tmp_path, target, right, wrong):
    path = {"cuda": "cuda/test", "opencl": "opencl/test.cl"}[target]
    with faulty(path, right, wrong):
        found = [verdict for _, verdict in verdicts(target, [a_test()], Choices(mapping="plain"), tmp_path, solver)]
    assert "race" in found


@pytest.mark.exhaustive
@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("target", ENDINGS)
def test_twenty_tests_have_no_race_under_each_mapping(solver, tmp_path, target, mapping):
    check(target, drawn("twenty", 20), mapping, tmp_path, solver)
