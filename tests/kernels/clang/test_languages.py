"""Shipped litmus tests as kernels in OpenCL C and CUDA, also as `synth emit` writes them: the verdicts of the core."""

import random
import re

import pytest

from support.kernels_in_languages import LANGUAGES, in_language, of_a_kernel, of_the_core
from synth_backends.emission import litmus_tests
from synth_backends.target import Choices, files_of
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import NAMES
from synth_kernels.kernel_file import SourceOptions, read
from synth_litmus.inputs.named_tests import ids_in
from synth_litmus.inputs.programs import given_programs
from synth_storage.folders import write_texts

#: So many kernels are in one file.
AT_ONCE = 50
TARGETS = {"opencl": ".cl", "cuda": ".cu"}


def drawn(seed, count):
    """Return the ids of some shipped tests."""
    return random.Random(seed).sample(sorted({id_ for name in NAMES for id_ in ids_in(name)}), count)


@pytest.mark.full
@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("ending", LANGUAGES)
def test_shipped_tests_as_kernels_have_the_verdicts_of_the_core(tmp_path, ending, count):
    programs = [program_of_id(id_) for id_ in drawn(ending, count)]
    judged = 0
    for first in range(0, count, AT_ONCE):
        batch = programs[first : first + AT_ONCE]
        path = tmp_path / f"tests{first}{ending}"
        path.write_text(in_language(ending, batch), "utf-8")
        for kernel in read(path, SourceOptions()):
            program = batch[int(kernel.name[1:])]
            assert of_a_kernel(kernel, len(program), ["M=0:2"]) == of_the_core(program)
            judged += 1
    assert judged == count


@pytest.mark.full
@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("target", TARGETS)
def test_emitted_tests_have_the_verdicts_of_the_core(tmp_path, target, count):
    ids = drawn(f"emitted {target}", count)
    tests = litmus_tests(program for id_ in ids for program in given_programs(id_))
    write_texts(tmp_path / "emitted", files_of(target, tests, Choices(mapping="chunked", instances=1, per_file=1)))
    judged = set()
    for path in (tmp_path / "emitted").glob(f"test-*{TARGETS[target]}"):
        id_ = path.stem.removeprefix("test-")
        program = program_of_id(id_)
        (kernel,) = (kernel for kernel in read(path, SourceOptions()) if not re.search("canary", kernel.name))
        assert of_a_kernel(kernel, len(program), ["memory=0:2", f"flags=0:{len(program)}"]) == of_the_core(program)
        judged.add(id_)
    assert judged == set(ids)
