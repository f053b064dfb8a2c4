"""Test how shapes of stress are read, and which words a workgroup then accesses."""

from dataclasses import replace

import pytest

from emitted import MUTEX, THREE, a_test
from synth_backends.mapping import read_mapping
from synth_backends.stress import PATTERNS, StressShape, read_shape
from synth_backends.target import Choices, files_of, sizes_of_launch, stress_number
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.verdicts import judge
from synth_corpus.store import Corpus


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("add", "add:256:1:1024"),
        ("store:8", "store:8:1:1024"),
        ("load-store:8:64", "load-store:8:64:1024"),
        ("store-load:1:1:1", "store-load:1:1:1"),
        ("add:8:2:test", "add:8:2:test"),
        ("add:8:2:9:1", "add:8:2:9"),
        ("load:8:2:test:3", "load:8:2:test:3"),
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
    assert {shape.lasts for shape in drawn} == {True, False}
    assert {shape.stride for shape in drawn} == {1, 2, 4, 8, 16}
    assert all(read_shape(str(shape)) == shape for shape in drawn)
    assert [str(shape) for shape in drawn[:2]] == SEEDS


SEEDS = ["add:64:4:1024:2", "load-store:128:64:128"]


def test_a_workgroup_goes_from_line_to_line():
    shape = StressShape("add", lines=4, line_words=16, rounds=6)
    assert [shape.word(3, k) for k in range(6)] == [48, 0, 16, 32, 48, 0]
    assert shape.words == 64
    assert [replace(shape, stride=3).word(3, k) for k in range(6)] == [48, 32, 16, 0, 48, 32]
    assert replace(shape, rounds=0).words == 66
    assert max(shape.word(workgroup, k) for workgroup in range(9) for k in range(9)) < shape.words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ad", "stress-shape: found 'ad' (did you mean add?), expected one of add, store, load, store-load, "),
        ("add:0", "stress-shape 'add:0': expected LINES from 1 to 65536"),
        ("add:1:1025", "stress-shape 'add:1:1025': expected WORDS from 1 to 1024"),
        ("add:1:1:1.5", "stress-shape 'add:1:1:1.5': expected ROUNDS from 1 to 1000000, or test"),
        ("add:1:1:1:1:1", "stress-shape 'add:1:1:1:1:1': expected at most 4 numbers, LINES, WORDS, ROUNDS, STRIDE"),
        ("add:test", "stress-shape 'add:test': expected LINES from 1 to 65536"),
        ("add:1:1:test:0", "stress-shape 'add:1:1:test:0': expected STRIDE from 1 to 1024"),
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


@pytest.mark.parametrize(
    ("stress", "instances", "sizes"),
    [
        (0, None, (10, 0)),
        (5, None, (7, 5)),
        (0.25, None, (7, 5)),
        (0.25, 3, (3, 2)),
        (0.5, 1, (1, 2)),
        (0.01, 1, (1, 1)),
        (0.99, None, (1, 20)),
    ],
)
def test_a_share_is_that_of_all_workgroups_of_the_launch(stress, instances, sizes):
    """Of 20 workgroups, or of those that so many instances of two threads need. There is at least one of each kind."""
    assert sizes_of_launch(read_mapping("chunked"), 2, instances, stress, 20) == sizes


def test_each_test_of_a_file_has_the_share_that_fits_its_size():
    files = files_of("cuda", [a_test(MUTEX), a_test(THREE)], Choices("chunked", 100, 0.5, stress_shape="add:1:1:test"))
    text = next(text for name, text in files.items() if name.endswith(".cu"))
    assert "if (blockIdx.x < 200u) {\n        run_stress(blockIdx.x, memory + 100u, 200u);" in text
    assert "if (blockIdx.x < 300u) {\n        run_stress(blockIdx.x, memory + 200u, 300u);" in text


@pytest.mark.parametrize("word", ["", "-1", "1.0", "0.0", "nan", "1e3", "a"])
def test_a_number_of_workgroups_that_is_none_is_one_line(word):
    with pytest.raises(InputError, match=r"^stress: found .*, expected a whole number, or a share of all workgroups"):
        stress_number(word)
    assert [stress_number(text) for text in ("7", "0.25")] == [7, 0.25]


def beside(stressing, programs):
    """The ids of programs whose thread 0 stresses, and whose other threads are those of each program."""
    return [written_out(Program((stressing, *each))) for each in programs]


def verdicts_of(ids):
    """The verdicts that each program passes."""
    names = verdict_names(library())
    return [{name for place, name in enumerate(names) if mask >> place & 1} for mask in judge(ids)]


def test_a_thread_that_ends_changes_no_verdict_and_one_that_waits_for_the_test_does():
    """This is why stress has a bound. Here, both kinds are threads of a program, with a location of their own.

    The last thread of the test tells at its end that it has ended, and the second kind waits for that.
    """
    ids = [record.id for record in Corpus("@minimal/2x2")]
    programs = [program_of_id(id_) for id_ in ids]
    own = max(each.locations() for each in programs)
    ends = Thread((Instruction(own, 0, 1, 1), Instruction(own, 0, 2, 2)))
    assert verdicts_of(beside(ends, programs)) == verdicts_of(ids)
    waits = Thread((Instruction(own, 0, 0),))
    telling = [
        Program((*each[:-1], Thread((*each[-1], Instruction(own, 0, len(each[-1]) + 1, 1))))) for each in programs
    ]
    assert verdicts_of(beside(waits, telling)) == [{"fair.weak", "fair.strong"} & alone for alone in verdicts_of(ids)]
