"""Our headers: each is read for each language that it is for, with each command, and by itself.

They are found on disk, so that a new one is tested, too.
"""

import pytest

from synth_kernels.clang.toolchain import STUBS

CUDA = sorted(path.relative_to(STUBS / "cuda").as_posix() for path in (STUBS / "cuda").rglob("*") if path.is_file())
KERNELS = {
    "cu": "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }",
    "cl": "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }",
}
KERNELS["hip"] = KERNELS["cu"]
#: Headers that come before each source of a language, and which none includes by name.
FOR_OPENCL = {"opencl-c-base.h", "synth-annotations.h", "synth-collectives.h"}
COMMANDS = {"verify": ("verify",), "need": ("kernel", "need", "--arg", "a=0:2", "--workgroups", "2")}


def of(language):
    """Return the headers that a file of a language may include: CUDA has none of HIP."""
    return [name for name in CUDA if language == "hip" or not name.startswith("hip/")]


EACH = [(name, language) for language in ("cu", "hip") for name in of(language)]


def test_all_headers_are_found():
    assert len(CUDA) > 40
    assert {path.name for path in STUBS.iterdir() if path.is_file()} == FOR_OPENCL


def assert_read(synth, kernels, headers, language, command, *more):
    path = kernels(*(f"#include <{name}>" for name in headers), KERNELS[language], name=f"k.{language}")
    said = synth(*COMMANDS[command], path, *more)
    assert (said.code, said.err) == (0, "")


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("language", ["cu", "hip"])
def test_all_headers_are_read_together_whichever_comes_first(synth, kernels, language, command):
    assert_read(synth, kernels, [*of(language), *reversed(of(language))], language, command)
    assert_read(synth, kernels, reversed(of(language)), language, command)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "language"), EACH)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_header_is_read_by_itself(synth, kernels, name, language, command):
    assert_read(synth, kernels, [name], language, command)


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("standard", ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"])
def test_opencl_is_read_in_each_version(synth, kernels, standard, command):
    assert_read(synth, kernels, (), "cl", command, "--standard", standard)
