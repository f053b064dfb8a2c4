"""Test that the planted faults still fit the code and that tests catch them.

`make mutations` prints which and how fast.
"""

import ast
import functools
import random
import re

import pytest

from mutations import run

FAULTS = run.listed()


def test_each_has_a_name_of_its_own_and_every_package_has_some():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    packages = {path.parent.relative_to(run.ROOT).parts[0] for path in run.ROOT.glob("*/synth_*/__init__.py")}
    assert {fault.file.partition("/")[0] for fault in FAULTS} - {"tests"} == packages | {"synth"}


def test_each_fault_applies_and_names_its_tests():
    assert [f"{fault.name}: {fault.file}" for fault in FAULTS if not fault.applies_to(run.ROOT)] == []
    assert [fault.name for fault in FAULTS if not (fault.claim and fault.tests)] == []
    assert [f"{fault.name}: {test}" for fault in FAULTS for test in fault.tests if not is_there(test)] == []


def is_there(test):
    file, _, function = test.partition("::")
    return re.search(rf"^def {function}\(" if function else "", text_of(file), re.MULTILINE)


@functools.cache
def text_of(file):
    return (run.ROOT / file).read_text("utf-8")


@functools.cache
def marks_of(file):
    """What stands above each function of a file."""
    tree = ast.parse((run.ROOT / file).read_text("utf-8"))
    functions = [part for part in tree.body if isinstance(part, ast.FunctionDef)]
    return {part.name: {ast.unparse(mark) for mark in part.decorator_list} for part in functions}


def is_quick(test):
    """Whether it is a file, of which the quick tests run, or a function that is not marked `full` as a whole."""
    file, _, name = test.partition("::")
    return not marks_of(file).get(name, set()) & {"pytest.mark.full", "pytest.mark.exhaustive"}


@pytest.mark.full
def test_nine_in_ten_faults_have_a_quick_test():
    caught = [fault for fault in FAULTS if any(is_quick(test) for test in fault.tests)]
    assert len(caught) >= run.QUICK_SHARE * len(FAULTS)


def test_a_fault_is_planted_in_its_file_and_removed_again(tmp_path):
    fault = run.Fault("one", "1 is 1", "file", "= 1", "= 2", ["test"])
    (tmp_path / "file").write_text("x = 1\n")
    assert fault.applies_to(tmp_path)
    with fault.planted(tmp_path):
        assert (tmp_path / "file").read_text() == "x = 2\n"
        assert not fault.applies_to(tmp_path)
    assert (tmp_path / "file").read_text() == "x = 1\n"
    (tmp_path / "file").write_text("x = 1\ny = 1\n")
    assert not fault.applies_to(tmp_path)


@pytest.mark.full
def test_a_sample_is_caught(capsys):
    python = [fault.name for fault in FAULTS if not fault.is_native]
    assert run.main(random.Random(3).sample(python, 1)) == 0, capsys.readouterr().out


@pytest.mark.exhaustive
def test_all_are_caught(capsys):
    assert run.main() == 0, capsys.readouterr().out
