"""Test what all targets share: their text, the names of tests, their limits, and that a compiler accepts them."""

import difflib
import itertools
import re
from pathlib import Path

import pytest

from emitted import (
    ALL_SHAPES,
    BOUNDS,
    MAPPINGS,
    MUTEX,
    NASTY_NAMES,
    SPINS_FOR_EVER,
    TARGETS,
    THREE,
    VERDICTS,
    a_test,
    each_compiled_target,
    each_of,
    each_target,
    emitted,
    in_namespaces,
    minimal,
    source_name,
    source_of,
    ten_tests,
    words_of_kinds,
    written,
)
from golden import check_file, check_folder
from synth_backends import target as interface
from synth_backends.target import MARK, Choices, files_of, load_target
from synth_backends.template_files import read_template
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.program import Instruction, Program, Thread, program
from synth_checker.programs.text import write_program
from synth_storage.folders import write_texts

GOLDEN = Path(__file__).parent / "golden"


def test_every_target_is_held_against_this_suite():
    assert list(TARGETS) == list(interface.TARGETS)


# Text


@pytest.mark.full
@each_target()
def test_the_output_is_as_in_the_golden_files(target, monkeypatch):
    """Of each mapping the source, and once all that is around it; litmus.h is its template. No release is in them."""
    monkeypatch.setattr(interface, "release", lambda: "1.2.3")
    test = a_test(THREE, "a lock, and news of it", VERDICTS)
    around = {}
    for kind, word in words_of_kinds(target).items():
        instances = None if kind == "plain" else 100
        files = files_of(target, [test], Choices(word, instances, stress=4 if kind == "chunked" else 0))
        source = source_name(target, test.file_stem)
        check_file(GOLDEN / target / f"{kind}.{TARGETS[target].ending}", files.pop(source))
        around = files if kind == "chunked" else around
    assert around.pop("litmus.h", None) in {None, read_template("common", "litmus.h")}
    check_folder(GOLDEN / target / "around", around)


@pytest.mark.full
@each_target()
def test_the_output_is_the_same_in_every_run_and_order(target):
    tests = [a_test(MUTEX, verdicts=VERDICTS), a_test(SPINS_FOR_EVER), a_test(THREE)]
    for per_file in {1, load_target(target).limits.most_per_file or 2}:
        given = Choices("random", 50, per_file=per_file)
        written_out = [list(files_of(target, some, given).items()) for some in (tests, tests, tests[::-1])]
        assert written_out[0] == written_out[1] == written_out[2]


def about(text, mark):
    """The lines of the comment that begins with a test's name, without what marks them as one."""
    lines = [line.strip() for line in text.splitlines()]
    first = next(k for k, line in enumerate(lines) if line.startswith(f"{mark} Progress litmus test"))
    comment = itertools.takewhile(lambda line: line.startswith(mark), lines[first:])
    return [line[len(mark) + 1 :] for line in comment]


@each_target()
def test_a_source_shows_its_test_with_id_text_and_verdicts(target):
    test = a_test(THREE, "mine", VERDICTS)
    comment = "\n".join(about(source_of(target, test), TARGETS[target].comment))
    assert comment.startswith(f'Progress litmus test "mine"\nid {THREE}\n')
    assert write_program(test.program).strip() in comment
    assert "Must terminate under: OBE.weak, " in comment
    assert "May hang under: unfair, " in comment


@each_target()
def test_without_verdicts_nothing_is_said_of_them(target):
    text = source_of(target, a_test(MUTEX))
    assert "Must terminate" not in text
    assert "May run" not in text
    assert "May run" not in source_of(target, a_test(MUTEX, verdicts={"fair.weak": "pass"}))


@each_target()
def test_every_instruction_has_one_case(target):
    text = source_of(target, written(ALL_SHAPES))
    facts = TARGETS[target]
    cases = re.findall(facts.case, text, re.MULTILINE)
    assert cases == [str(pc) for thread in ALL_SHAPES for pc in range(len(thread))]
    assert len(re.findall(facts.end_case, text, re.MULTILINE)) == len(ALL_SHAPES)


@each_target()
def test_lines_are_of_readable_length(target):
    for word in MAPPINGS:
        files = files_of(target, [a_test(THREE, verdicts=VERDICTS)], Choices(word, stress=3))
        readable = {name: text for name, text in files.items() if name != "README.md"}
        # The id and the name of a test may be of any length.
        lines = [line for text in readable.values() for line in text.splitlines() if THREE not in line]
        assert [line for line in lines if len(line) > 120] == []


@each_target()
def test_every_output_says_by_what_it_is_written(target):
    assert MARK in files_of(target, [a_test()])["README.md"]


@each_target()
def test_files_have_as_many_tests_as_asked_for(target):
    tests = [a_test(MUTEX), a_test(SPINS_FOR_EVER), a_test(THREE)]
    ending = TARGETS[target].ending
    most = load_target(target).limits.most_per_file or 3

    def names(size):
        files = files_of(target, tests, Choices(per_file=size))
        return [name for name in files if name.endswith(f".{ending}") and name != f"canary.{ending}"]

    assert names(1) == [source_name(target, test.file_stem) for test in sorted(tests, key=lambda test: test.id)]
    if most == 1:
        with pytest.raises(InputError, match=f"per-file: found 2, expected at most 1 for target {target}"):
            names(2)
    else:
        several = [["tests-1-2", f"test-{MUTEX}"], ["tests-1-3"]]
        assert [names(2), names(3)] == [[source_name(target, stem) for stem in stems] for stems in several]


# Names


def without_descriptions(text):
    """The text of a spec file without the names in it, which `test_cts.py` looks at: they may take three lines."""
    return re.sub(r"""^  \.desc\(\s*(?:'.*'|".*")\s*\)""", "", text, flags=re.MULTILINE)


def without_strings(lines):
    return sorted(re.sub(r'"(?:[^"\\]|\\.)*"', '""', line) for line in lines)


@pytest.mark.full
@each_target()
def test_names_change_nothing_but_the_lines_that_show_them(target):
    """That is a comment, a string in `expected.json`, and in most targets a string that goes into result lines."""
    plain = files_of(target, [a_test(MUTEX, "plain")])
    for name in NASTY_NAMES:
        nasty = files_of(target, [a_test(MUTEX, name)])
        differences = [
            line
            for file in plain
            for line in difflib.ndiff(*(without_descriptions(files[file]).split("\n") for files in (plain, nasty)))
        ]
        before = [line[2:] for line in differences if line.startswith("-")]
        after = [line[2:] for line in differences if line.startswith("+")]
        assert all(line.isprintable() for line in after)
        comment = f"{TARGETS[target].comment} Progress litmus test "
        assert len([line for line in after if re.fullmatch(f'{comment}".*"', line)]) == 1
        assert len(after) <= 3
        assert without_strings(after) == without_strings(before)


# Limits


@each_target()
def test_more_than_the_interface_takes_is_one_line(target):
    most = load_target(target).limits.most_workgroups
    with pytest.raises(LimitError) as error:
        files_of(target, [a_test()], Choices("chunked", most))
    assert str(error.value) == (
        f"test {MUTEX}: found {2 * most} workgroups ({most} instances of 2 threads), "
        f"expected at most {most} for target {target}"
    )
    with pytest.raises(LimitError, match=r"\(1 instances of 2 threads, and \d+ workgroups that stress memory\)"):
        files_of(target, [a_test()], Choices("plain", stress=most))


@each_target()
def test_a_program_of_too_many_threads_is_one_line(target):
    threads = Program((Thread((Instruction(0, 0, 1, 1),)),) * 65)
    with pytest.raises(LimitError, match="found 65 threads, expected at most 64"):
        files_of(target, [written(threads)])


@each_target()
def test_usual_launches_are_those_of_the_paper_or_fewer(target):
    limits = load_target(target).limits
    assert limits.usual_workgroups <= 65_535
    files = files_of(target, [a_test(THREE)], Choices("chunked"))
    text = files[source_name(target, f"test-{THREE}")]
    mark = TARGETS[target].comment
    assert f"{mark} {limits.usual_workgroups // 3} instances of 3 threads." in text


def test_a_buffer_larger_than_every_interface_grants_is_refused():
    three_locations = program([Instruction(0, 0, 1, 1), Instruction(1, 0, 2, 1), Instruction(2, 0, 3, 1)])
    with pytest.raises(LimitError, match="found 36000000 words of memory, expected at most 33554432"):
        files_of("opencl", [written(three_locations)], Choices("chunked", 12_000_000))


@pytest.mark.parametrize("instances", [20_000_000, 3_000_000_000, 10**10])
def test_the_limit_is_told_at_once(instances):
    """And not a larger one first, which is then too large."""
    with pytest.raises(LimitError, match=r"workgroups .*, expected at most 33554432 for target opencl"):
        files_of("opencl", [a_test()], Choices("chunked", instances))


def test_plain_has_one_instance():
    files_of("cpp", [a_test()], Choices("plain", 1))
    with pytest.raises(InputError, match="mapping plain: found 2 instances, expected 1; choose another mapping"):
        files_of("cpp", [a_test()], Choices("plain", 2))


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"instances": 0}, "instances: found 0, expected at least 1"),
        (
            {"stress": -1},
            "stress: found -1, expected a whole number, or a share of all workgroups between 0 and 1",
        ),
        ({"stress": 1.5}, "stress: found 1.5, expected a whole number, or a share of all workgroups between 0 and 1"),
        ({"per_file": 0}, "per-file: found 0, expected at least 1"),
        ({"width": 0}, "width: found 0, expected at least 1"),
    ],
)
def test_too_small_a_number_is_one_line(choices, message):
    with pytest.raises(InputError) as error:
        Choices(**choices)
    assert str(error.value) == message


# Compilers


@pytest.mark.full
@each_of(name for name, facts in TARGETS.items() if facts.command is None)
def test_all_instruction_shapes_and_nasty_names_compile(target, tmp_path):
    """Where that takes no compiler of a maker of GPUs: those are slow."""
    tests = ten_tests()
    width = min(4, load_target(target).limits.most_width)
    TARGETS[target].checked(emitted(target, tests, tmp_path / "ten", per_file=len(tests), width=width))


@pytest.mark.full
@each_compiled_target()
def test_all_instruction_shapes_and_nasty_names_compile_under_every_mapping(target, tmp_path):
    """In one file where the language has namespaces: most of the time goes into the headers."""
    facts = TARGETS[target]
    sources = {}
    per_file = load_target(target).limits.most_per_file or 10
    for kind, word in words_of_kinds(target).items():
        files = files_of(target, ten_tests(), Choices(word, stress=7, per_file=per_file))
        sources |= {f"{kind}-{name}": text for name, text in files.items() if name.endswith(f".{facts.ending}")}
    if facts.has_namespaces:
        sources = {f"all.{facts.ending}": in_namespaces(sources.values())}
    write_texts(tmp_path, sources | headers_of(files))
    facts.checked(tmp_path)


def headers_of(files):
    return {name: text for name, text in files.items() if name.endswith(".h")}


@pytest.mark.full
@each_compiled_target()
def test_what_users_build_compiles_without_a_warning(target, tmp_path):
    width = min(4, load_target(target).limits.most_width)
    folder = emitted(target, [a_test(MUTEX), a_test(THREE)], tmp_path / "two", stress=7, per_file=2, width=width)
    TARGETS[target].compiled(folder)


@pytest.mark.full
@pytest.mark.parametrize(
    "target",
    [
        pytest.param(name, marks=pytest.mark.command("nvcc") if name == "cuda" else [])
        for name in TARGETS
        if name not in {"hip", "amber"}  # hip's headers take longer than all its tests; amber has the shaders of glsl
    ],
)
def test_every_minimal_test_compiles(target, tmp_path):
    tests = [test for bound in BOUNDS for test in minimal(bound)]
    TARGETS[target].checked(emitted(target, tests, tmp_path / "minimal", per_file=200))


@pytest.mark.exhaustive
@each_compiled_target()
@pytest.mark.parametrize("word", MAPPINGS)
@pytest.mark.parametrize("bound", BOUNDS)
def test_every_minimal_test_is_built_under_every_mapping(target, word, bound, tmp_path):
    TARGETS[target].compiled(emitted(target, minimal(bound), tmp_path / "minimal", mapping=word, per_file=100))
