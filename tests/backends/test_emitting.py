"""Test writing tests as programs of a target: each test once, in a folder that is complete or missing."""

from pathlib import Path

import pytest

from synth_backends.emission import emit, litmus_tests
from synth_backends.litmus_test import LitmusTest
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Program, program
from synth_litmus.inputs.programs import GivenProgram

MUTEX, SPINNER = "01100002-01100002", "0011-00_0"
RENAMED_MUTEX = "12201002-12201002"


def texts_in(folder):
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_a_test_has_the_name_it_was_given_first_and_else_its_id():
    mutex, spinner = program_of_id(RENAMED_MUTEX), program_of_id(SPINNER)
    given = [MUTEX, GivenProgram("mutex", mutex, "f:1"), GivenProgram("a spinner", spinner, "f:9")]
    assert [(test.name, test.id) for test in litmus_tests(given)] == [(MUTEX, MUTEX), ("a spinner", SPINNER)]


def test_verdicts_are_those_of_the_normal_form():
    (test,) = litmus_tests([program_of_id(RENAMED_MUTEX)])
    assert (test.id, test.program) == (MUTEX, program_of_id(MUTEX))
    assert (test.verdicts["HSA.strong"], test.verdicts["OBE.weak"]) == ("fail", "pass")


def test_a_test_that_is_one_already_stays_as_it_is():
    mine = LitmusTest("mine", SPINNER, program_of_id(SPINNER), {"fair.weak": "fail"})
    assert litmus_tests([MUTEX, mine, program_of_id(SPINNER)]) == [*litmus_tests([MUTEX]), mine]


@pytest.mark.parametrize("given", ["no id", Program(()), program([*program_of_id("00_1")[0]])])
def test_what_is_no_program_is_refused(given):
    with pytest.raises(InputError):
        litmus_tests([given])


def test_the_files_named_are_those_in_the_folder(tmp_path):
    for folder, tests in {tmp_path / "path": litmus_tests([MUTEX]), str(tmp_path / "text"): [MUTEX]}.items():
        paths = emit("cpp", tests, folder)
        assert {path.name: path.read_text("utf-8") for path in paths} == texts_in(tmp_path / paths[0].parent)
    assert texts_in(tmp_path / "path") == texts_in(tmp_path / "text")
    assert f"test-{MUTEX}.cpp" in texts_in(tmp_path / "text")


def test_an_earlier_output_is_replaced_whole_but_only_by_force(tmp_path):
    emit("cpp", [MUTEX], tmp_path / "out")
    (tmp_path / "out" / "build").mkdir()
    with pytest.raises(InputError, match="found an earlier output of synth emit, expected"):
        emit("cpp", [SPINNER], tmp_path / "out")
    emit("cpp", [SPINNER], tmp_path / "out", force=True)
    emit("cpp", [SPINNER], tmp_path / "same")
    assert texts_in(tmp_path / "out") == texts_in(tmp_path / "same")


def test_of_several_targets_each_has_the_folder_that_it_has_alone(tmp_path):
    paths = emit("cpp, cuda,cpp", [MUTEX, SPINNER], tmp_path / "both", mapping="chunked", instances=100)
    for target in ("cpp", "cuda"):
        emit(target, [MUTEX, SPINNER], tmp_path / target, mapping="chunked", instances=100)
        assert texts_in(tmp_path / "both" / target) == texts_in(tmp_path / target)
    assert {path.name for path in (tmp_path / "both").iterdir()} == {"README.md", "cpp", "cuda"}
    assert {path for path in (tmp_path / "both").rglob("*") if path.is_file()} == set(paths)
    with pytest.raises(InputError, match="found an earlier output of synth emit, expected"):
        emit("cpp,cuda", [MUTEX], tmp_path / "both")
    emit("opencl,wgsl", [MUTEX], tmp_path / "both", force=True)
    assert {path.name for path in (tmp_path / "both").iterdir()} == {"README.md", "opencl", "wgsl"}


@pytest.mark.parametrize("wrong", ["cpp,ccp", "cpp,", "", "cpp,glsl"])
def test_of_several_targets_all_must_be_right_or_nothing_is_made(tmp_path, wrong):
    """One that is unknown, none, and one that takes one test a file where two are asked for."""
    with pytest.raises(InputError):
        emit(wrong, [MUTEX, SPINNER], tmp_path / "out", per_file=2)
    assert list(tmp_path.iterdir()) == []


def test_the_command_takes_several_targets(synth, tmp_path):
    ran = synth("emit", "--target", "cpp,cuda", "--target", "cts", MUTEX, "--out", "all")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "1 test in all, for each target in a folder whose README.md says how to build and run: "
        "all/cpp, all/cuda, all/cts\n"
    )
    assert f"test_{MUTEX.replace('-', '_')}.spec.ts" in texts_in(tmp_path / "all" / "cts")


@pytest.mark.parametrize("readme", [None, "# My thesis"])
def test_what_others_have_written_is_never_replaced(tmp_path, readme):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    if readme:
        (folder / "README.md").write_text(readme)
    before = texts_in(folder)
    with pytest.raises(InputError, match="the folder contains other files"):
        emit("cpp", [MUTEX], folder, force=True)
    assert texts_in(folder) == before


@pytest.mark.parametrize(("target", "given"), [("ccp", [MUTEX]), ("cpp", [])])
def test_where_nothing_can_be_emitted_nothing_is_made(tmp_path, target, given):
    with pytest.raises(InputError):
        emit(target, given, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("mapping", "is_alone"), [("plain", True), ("chunked", False)])
def test_a_comment_says_of_an_own_model_what_holds_of_the_launch(synth, mapping, is_alone):
    """Among many instances, a verdict of one instance need not hold."""
    ids = ["0000-0010", "--model", "mine = live & (lowest(live) | highest(live))"]
    assert synth("emit", "--target", "opencl", "--mapping", mapping, *ids, "--out", "out").code == 0
    text = Path("out/test-0000-0010.cl").read_text("utf-8")
    assert "mine.strong" in text
    assert ("// Alone in a launch, must terminate under: mine.weak, mine.strong." in text) is not is_alone
