"""`make` says in one line what is missing; a skipped test fails CI."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def without_compiler(_folder):
    return {"CXX": "no-such-compiler"}


def python_that(folder, reply):
    """A python3 that answers only some questions, as a variable for make."""
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\ncase "$2" in {reply} *) exec {sys.executable} "$@" ;; esac\n')
    python.chmod(0o755)
    return {"PYTHON": str(python)}


def without_venv(folder):
    return python_that(folder, "*ensurepip*) exit 1 ;;")


def without_headers(folder):
    return python_that(folder, "*sysconfig*) echo /nowhere ;;")


def of_the_past(folder):
    return python_that(folder, "*version_info*) exit 1 ;;")


@pytest.mark.parametrize(
    ("lacking", "advice"),
    [
        (without_compiler, "synth needs g++, which is missing: sudo apt install g++"),
        (without_venv, "synth needs python3-venv, which is missing: sudo apt install python3-venv"),
        (without_headers, "synth needs python3-dev, which is missing: sudo apt install python3-dev"),
        (of_the_past, "synth needs Python 3.11 or newer; name one: make PYTHON=python3.12"),
    ],
)
def test_missing_prerequisite_is_one_line(lacking, advice, tmp_path):
    variables = [f"{name}={value}" for name, value in lacking(tmp_path).items()]
    made = subprocess.run(
        ["make", "--no-print-directory", f"VENV={tmp_path}/venv", *variables, "demo"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
    )
    # make adds a line of its own, which names the rule
    lines = [line for line in made.stderr.splitlines() if not line.startswith("make:")]
    assert (made.returncode, lines) == (2, [advice])
    assert not (tmp_path / "venv").exists()


def environment(**changes):
    """As conftest.py needs it, which imports what lies beside it."""
    return os.environ | {"PYTHONPATH": str(ROOT / "tests")} | changes


@pytest.mark.parametrize(("ci", "exit_code"), [("", 0), ("true", 1)])
@pytest.mark.parametrize(
    "tests",
    [
        "import pytest\ndef test_it(): pytest.skip('no reason')",
        "import pytest\n@pytest.mark.skip(reason='no reason')\ndef test_it(): pass",
        "import pytest\npytest.skip('no reason', allow_module_level=True)\n",
    ],
    ids=["inside", "marked", "module"],
)
def test_skipped_test_fails_only_in_ci(ci, exit_code, tests, tmp_path):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    (tmp_path / "test_skipped.py").write_text(tests)
    pytest_itself = Path(sys.executable).with_name("pytest")
    run = subprocess.run([pytest_itself, tmp_path], env=environment(CI=ci), capture_output=True, text=True)
    # A module that can't be collected interrupts the session: 2
    assert min(run.returncode, 1) == exit_code, run.stdout
    assert ("no reason (a skipped test is a failure in CI)" in run.stdout) == bool(ci)


def test_expected_failure_is_no_skip(tmp_path):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_expected.py").write_text("import pytest\n@pytest.mark.xfail\ndef test_it(): raise ValueError\n")
    pytest_itself = Path(sys.executable).with_name("pytest")
    run = subprocess.run([pytest_itself, tmp_path], env=environment(CI="true"), capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
