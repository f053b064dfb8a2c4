"""Test the interface that all targets share: their names, and names of tests in file names, comments and code."""

import json
import subprocess
import sys

import pytest

from emitted import MUTEX, a_test
from synth_backends.litmus_test import LitmusTest
from synth_backends.target import TARGETS, Choices, files_of, load_target, release
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Program


def one_line(error):
    text = str(error.value)
    assert "\n" not in text
    return text


def test_every_target_can_be_loaded_and_knows_its_name():
    assert [load_target(name).name for name in TARGETS] == list(TARGETS)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ccp", f"target: found 'ccp' (did you mean cpp?), expected one of {', '.join(TARGETS)}"),
        ("new\nline", f"target: found 'new\\nline', expected one of {', '.join(TARGETS)}"),
    ],
)
def test_an_unknown_target_is_one_line_that_names_the_others(name, message):
    with pytest.raises(InputError) as error:
        files_of(name, [a_test()])
    assert one_line(error) == message


def test_naming_targets_loads_no_template_engine():
    code = "import sys, synth_backends.target as t; print(list(t.TARGETS), 'jinja2' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == f"{list(TARGETS)} False\n"


@pytest.mark.parametrize("text", ["", "../etc", "01100002/0", "01100002-", "01100002\n", "01100002-01100002x"])
def test_an_id_that_could_not_be_a_file_name_is_refused(text):
    with pytest.raises(InputError) as error:
        LitmusTest("a test", text, program_of_id(MUTEX))
    assert "expected an id such as 00_0-0011" in one_line(error)


def test_a_program_without_threads_is_refused():
    with pytest.raises(InputError, match="without threads"):
        LitmusTest("a test", MUTEX, Program(()))


@pytest.mark.parametrize("verdicts", [{"fair\nint x;": "pass"}, {"": "pass"}, {"fair.weak": "perhaps"}])
def test_verdicts_are_checked(verdicts):
    with pytest.raises(InputError) as error:
        a_test(verdicts=verdicts)
    assert "expected a name and a result, such as 'OBE.weak': 'pass'" in one_line(error)


def test_each_folder_says_what_is_expected_of_its_tests():
    tests = [a_test("0011-00_0", "swap"), a_test(MUTEX, verdicts={"fair.weak": "pass", "unfair": "fail"})]
    expected = json.loads(files_of("cts", tests)["expected.json"])
    verdicts = {"fair.weak": "pass", "unfair": "fail"}
    assert expected == {
        "format": 1,
        "synth": release(),
        "tests": {
            "0011-00_0": {"name": "swap", "verdicts": {}, "guaranteed_by": []},
            MUTEX: {"name": MUTEX, "verdicts": verdicts, "guaranteed_by": ["fair.weak"]},
        },
    }


def test_file_names_are_short_and_differ():
    ids = [f"{'00_0' * 35}-{'00_0' * 34}00_{k}" for k in "01"]
    stems = {a_test(text).file_stem for text in ids}
    assert len(stems) == len(ids)
    assert all(len(f"{stem}.cpp") < 200 for stem in stems)
    assert a_test().file_stem == f"test-{MUTEX}"


@pytest.mark.parametrize(("target", "most"), [("cpp", 1), ("amber", 128), ("web", 256), ("cuda", 1024)])
def test_more_threads_of_a_workgroup_than_the_interface_takes_are_refused(target, most):
    files_of(target, [a_test()], Choices(width=most))
    with pytest.raises(InputError, match=f"width: found {most + 1}, expected at most {most} for target {target}"):
        files_of(target, [a_test()], Choices(width=most + 1))


def test_a_target_without_threads_in_a_workgroup_refuses_mappings_that_need_them():
    with pytest.raises(InputError) as error:
        files_of("cpp", [a_test()], Choices("invocations"))
    said = "mapping invocations: a workgroup of target cpp has only one thread; choose another mapping"
    assert one_line(error) == said
    with pytest.raises(LimitError) as error:
        files_of("wgsl", [a_test()], Choices("subgroups:129"))
    assert "needs 258 threads a workgroup, expected at most 256 for target wgsl" in one_line(error)


@pytest.mark.parametrize("target", ["amber", "cts"])
def test_a_target_that_numbers_no_launches_refuses_a_mapping_that_needs_that(target):
    with pytest.raises(InputError) as error:
        files_of(target, [a_test()], Choices("random:7+"))
    assert one_line(error) == f"mapping random:7+: target {target} does not number launches; write it without the +"


def test_a_mapping_chooses_how_many_threads_a_workgroup_has_at_least():
    for width, expected in [(1, 128), (128, 128), (200, 200)]:
        (text,) = (
            text
            for name, text in files_of("glsl", [a_test()], Choices("subgroups", width=width)).items()
            if name.startswith("test-")
        )
        assert f"layout(local_size_x = {expected}) in;" in text


def test_no_test_and_the_same_test_twice_are_refused():
    with pytest.raises(InputError, match="there is no test to emit"):
        files_of("cpp", [])
    with pytest.raises(InputError, match="it is given twice"):
        files_of("cpp", [a_test(name="one"), a_test(name="two")])
