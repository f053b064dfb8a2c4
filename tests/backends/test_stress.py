"""Test how shapes of stress are read, and which words a workgroup then accesses."""

import pytest

from emitted import MUTEX, a_test
from synth_backends.stress import PATTERNS, StressShape, read_shape
from synth_backends.target import Choices, files_of
from synth_checker.errors import InputError, LimitError


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("add", "add:256:1:1024"),
        ("store:8", "store:8:1:1024"),
        ("load-store:8:64", "load-store:8:64:1024"),
        ("store-load:1:1:1", "store-load:1:1:1"),
        ("random:7", str(read_shape("random:7"))),
        ("random", str(read_shape("random:0"))),
    ],
)
def test_what_is_left_out_of_a_shape_is_as_usual(word, shape):
    assert str(read_shape(word)) == shape
    assert read_shape(shape) == read_shape(word)


def test_seeds_draw_all_patterns_and_many_shapes():
    """And the same in each release: results name only the seed or the shape."""
    drawn = [read_shape(f"random:{seed}") for seed in range(200)]
    assert {shape.pattern for shape in drawn} == set(PATTERNS)
    assert len(set(drawn)) > 150
    assert [str(shape) for shape in drawn[:2]] == SEEDS


SEEDS = ["add:64:4:1024", "load-store:128:64:128"]


def test_a_workgroup_goes_from_line_to_line():
    shape = StressShape("add", lines=4, line_words=16, rounds=6)
    assert [shape.word(3, k) for k in range(6)] == [48, 0, 16, 32, 48, 0]
    assert shape.words == 64
    assert max(shape.word(workgroup, k) for workgroup in range(9) for k in range(9)) < shape.words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ad", "stress-shape: found 'ad' (did you mean add?), expected one of add, store, load, store-load, "),
        ("add:0", "stress-shape 'add:0': expected LINES from 1 to 65536"),
        ("add:1:1025", "stress-shape 'add:1:1025': expected WORDS from 1 to 1024"),
        ("add:1:1:1.5", "stress-shape 'add:1:1:1.5': expected ROUNDS from 1 to 1000000"),
        ("add:1:1:1:1", "stress-shape 'add:1:1:1:1': expected at most 3 numbers, LINES, WORDS, ROUNDS"),
        ("add:", "stress-shape 'add:': expected LINES from 1 to 65536"),
        ("random:x", "stress-shape 'random:x': expected SEED from 0 to 65535"),
    ],
)
def test_a_shape_that_is_none_is_one_line(word, message):
    with pytest.raises(InputError) as error:
        read_shape(word)
    assert str(error.value).startswith(message)
    with pytest.raises(InputError):
        files_of("cpp", [a_test(MUTEX)], Choices(stress_shape=word))


def test_lines_that_need_too_much_memory_are_refused():
    choices = Choices("plain", stress=1, stress_shape="add:65536:1024")
    with pytest.raises(LimitError, match="found 67108865 words of memory, expected at most 33554432"):
        files_of("opencl", [a_test(MUTEX)], choices)
