"""Typed programs mean what their sources mean: random kernels, run from source and as the front end reads them.

The interpreter of the source language (`support.source`) knows nothing of clang. The typed programs are run as
they ship, with all variables in memory as at -O0, and optimised by LLVM. All leave the same bytes.
"""

import copy
import re

import pytest

from support.source import interpreting
from support.source.making import launch_of, made
from support.source.writing import written
from synth_kernels.clang import compilation, overflow_marks, pointers, preparation
from synth_kernels.concrete_run import Runner
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.launch import threads
from synth_kernels.program import IS_NULL, Access, Arbitrary, Kernel

#: So many kernels are in one file, and each is launched so often.
_CHUNK, _LAUNCHES = 50, 3
#: What LLVM's undefined constants hold in a run. Nothing may depend on it.
_UNDEFINED = "unset"


class Filled(Runner):
    """A run in which the bytes of unset variables are those of fillings, another one for each thread."""

    def __init__(self, kernel, launch, undefined=0):
        sizes = {f"{word}.{number}": 1 for word in ("lsize", "groups") for number in range(3)}
        sizes |= {f"offset.{number}": 0 for number in range(3)} | {"lsize.0": launch.threads}
        scalars = {
            name: int(launch.mask is None) if name.endswith(IS_NULL) else launch.scalars[name] & ((1 << width) - 1)
            for name, width in kernel.scalars
        }
        super().__init__(kernel, sizes, scalars, contents=self._held)
        self._launch, self._arrays = launch, {array.name: array for array in kernel.arrays}
        self._data = {"out": bytes(launch.out), "in": launch.given, "mask": launch.mask or b""}
        self._undefined = undefined
        self.everybody = list(threads(sizes))

    def _filling(self, thread):
        return self._launch.fillings[thread[1][0] % len(self._launch.fillings)]

    def _held(self, location):
        name, owner, place = location
        array = self._arrays[name]
        size = array.width // 8
        if array.space == "private":
            return int.from_bytes(bytes([self._filling(owner)]) * size, "little")
        if array.initial is not None:
            return array.initial[place]
        return int.from_bytes(self._data[name][place * size : (place + 1) * size], "little")

    def _arbitrary(self, thread, instruction, values):  # noqa: ARG002
        assert instruction.is_unset
        is_constant = instruction.name.split(".")[0] == _UNDEFINED
        byte = self._undefined if is_constant else self._filling(thread)
        return int.from_bytes(bytes([byte]) * 64, "little") & ((1 << instruction.width) - 1)

    def final_output(self):
        """Run all threads, and return what `out` holds then."""
        result = self.run(self.everybody)
        assert (result.faults, result.ends, result.counts) == ([], True, True)
        out, size = bytearray(self._launch.out), self._arrays["out"].width // 8 if "out" in self._arrays else 1
        for (name, _, place), value in self.memory.values().items():
            if name == "out":
                out[place * size : (place + 1) * size] = value.to_bytes(size, "little")
        return bytes(out)


def typed(numbers, language, folder, how):
    """Return random kernels as trees and as typed programs."""
    kernels = [made(number, language) for number in numbers]
    path = folder / f"kernels{numbers[0]}.{language}"
    path.write_text(written(kernels, language))
    kernels_by_name = {kernel.name: kernel for kernel in read(path, how)}
    return [(kernel, kernels_by_name[kernel.name]) for kernel in kernels]


def differing(numbers, language, folder, how=SourceOptions()):  # noqa: B008  (it never changes)
    """Yield the names of the kernels that leave other bytes from source than as typed programs."""
    for tree, program in typed(numbers, language, folder, how):
        assert isinstance(program, Kernel), program
        if not all(is_same(tree, program, number, language, how) for number in range(_LAUNCHES)):
            yield tree.name


def is_same(tree, program, number, language, how):
    """Return whether a launch leaves the same bytes from source and as a typed program."""
    launch = launch_of(tree, number, language, how.pointer_bits or 64)
    expected = copy.deepcopy(launch)
    interpreting.run(tree, expected)
    try:
        return Filled(program, launch).final_output() == bytes(expected.out)
    except (AssertionError, IndexError, KeyError, OverflowError):
        return False


def in_memory(monkeypatch):
    """Let no variable become a register, as at -O0."""
    own = preparation.prepare

    def kept(ir, overflow, **how):
        return re.sub(r"\b(load|store) (?!ptr|atomic|volatile)", r"\1 volatile ", own(ir, overflow, **how))

    monkeypatch.setattr(compilation, "prepare", kept)


#: How kernels are read: in OpenCL C with both widths of pointers, in CUDA, at -O0 and optimised.
WAYS = {
    "cl": ("cl", SourceOptions(), False),
    "cl 32": ("cl", SourceOptions(pointer_bits=32), False),
    "cl -O0": ("cl", SourceOptions(), True),
    "cl optimised": ("cl", SourceOptions(optimise=True), False),
    "cu": ("cu", SourceOptions(), False),
    "cu -O0": ("cu", SourceOptions(), True),
}


def check(way, numbers, folder, monkeypatch):
    language, how, keeps = WAYS[way]
    if keeps:
        in_memory(monkeypatch)
    assert list(differing(numbers, language, folder, how)) == []


#: 500 kernels. The first number of each chunk, and how it is read.
CHUNKS = [(100 * place, way) for place, way in enumerate(["cl", "cl", "cl", "cl -O0", "cl 32", "cl optimised"])] + [
    (100 * place, way) for place, way in enumerate(["cu", "cu", "cu", "cu -O0"])
]


@pytest.mark.full
@pytest.mark.parametrize(("first", "way"), CHUNKS)
def test_random_kernels_mean_what_their_source_says(first, way, tmp_path, monkeypatch):
    check(way, range(first, first + _CHUNK), tmp_path, monkeypatch)


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(10_000, 30_000, 200))
def test_20_000_random_kernels_mean_what_their_source_says(first, tmp_path, monkeypatch):
    ways = [*WAYS, "cl", "cu"]
    for place in range(4):
        way = ways[(first // 200 * 4 + place) % len(ways)]
        with monkeypatch.context() as own:
            check(way, range(first + place * _CHUNK, first + (place + 1) * _CHUNK), tmp_path, own)


def without_widths(monkeypatch):
    own = compilation.opencl_words
    monkeypatch.setattr(
        compilation,
        "opencl_words",
        lambda how, version: [word.replace("spir64-", "spir-") for word in own(how, version)],
    )


def without_unset(monkeypatch):
    monkeypatch.setattr(preparation._Setting, "_set", lambda *_: iter(()))


def without_wrapping(monkeypatch):
    monkeypatch.setattr(overflow_marks, "_marked", lambda name, word, marks, rest, _: f"{name}{word} {marks}{rest}")


def without_null(monkeypatch):
    monkeypatch.setattr(pointers.Pointers, "_compared_with_null", lambda *_: set())


@pytest.mark.full
@pytest.mark.parametrize(
    ("plant", "how"),
    [
        (without_widths, SourceOptions()),
        (without_unset, SourceOptions()),
        (without_wrapping, SourceOptions(optimise=True)),
        (without_null, SourceOptions()),
    ],
)
def test_each_cause_of_wrong_answers_is_found_when_it_is_planted_anew(plant, how, tmp_path, monkeypatch):
    plant(monkeypatch)
    chunks = (range(first, first + 20) for first in range(1000, 1200, 20))
    assert any(name for chunk in chunks for name in differing(chunk, "cl", tmp_path, how))


@pytest.mark.full
def test_nothing_that_is_read_is_undefined_for_llvm(tmp_path):
    """In 30 kernels. LLVM builds values part by part from undefined ones, and nothing of these is left."""
    for language in ("cl", "cu"):
        for tree, program in typed(range(2000, 2015), language, tmp_path, SourceOptions()):
            launch = launch_of(tree, 0, language)
            assert Filled(program, launch, 0x00).final_output() == Filled(program, launch, 0xA5).final_output()


@pytest.mark.full
def test_random_kernels_have_what_they_are_meant_to_test(tmp_path):
    pairs = typed(range(40), "cl", tmp_path, SourceOptions())
    steps = [[step for block in program.blocks for step in block.instructions] for _, program in pairs]
    assert (
        sum(any(isinstance(step, Arbitrary) and step.is_unset for step in instructions) for instructions in steps) > 10
    )
    assert sum(tree.uses_mask for tree, _ in pairs) > 3
    assert sum(bool(tree.helpers) for tree, _ in pairs) > 3
    assert (
        sum(any(isinstance(step, Access) and step.array != "out" for step in instructions) for instructions in steps)
        > 10
    )
