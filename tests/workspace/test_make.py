"""Test that `make` and `pip install .` say in one line what is missing, and that a skipped test fails CI."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from processes import without_power
from quick import mostly_full

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


def where_nothing_can_be_written(folder):
    (folder / "read-only").mkdir(mode=0o555)
    return {"VENV": str(folder / "read-only" / "venv")}


READ_ONLY = "synth may not write into this folder; name others: make VENV=/tmp/synth/venv BUILD=/tmp/synth/build"


@pytest.mark.full
@mostly_full(
    ("lacking", "advice"),
    [
        (without_compiler, "synth needs g++, which is missing: sudo apt install g++"),
        (without_venv, "synth needs python3-venv, which is missing: sudo apt install python3-venv"),
        (without_headers, "synth needs python3-dev, which is missing: sudo apt install python3-dev"),
        (of_the_past, "synth needs Python 3.11 or newer; name one: make PYTHON=python3.12"),
        (where_nothing_can_be_written, READ_ONLY),
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
        preexec_fn=without_power,
    )
    # make adds a line of its own, which names the rule
    lines = [line for line in made.stderr.splitlines() if not line.startswith("make:")]
    assert (made.returncode, lines) == (2, [advice])
    assert not list(tmp_path.rglob("venv"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("path", "options", "package"),
    [
        ("/nowhere", [], "g++"),
        (os.environ["PATH"], ["-DPython_INCLUDE_DIR=/nowhere"], "python3-dev"),
    ],
)
def test_missing_prerequisite_of_a_build_is_one_line(path, options, package, tmp_path):
    """What `pip install .` does first."""
    bin_ = Path(sys.executable).parent
    words = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={bin_ / 'ninja'}", f"-DPython_EXECUTABLE={sys.executable}", *options]
    configured = subprocess.run(
        [bin_ / "cmake", *words, "-S", ROOT, "-B", tmp_path], env={"PATH": path}, capture_output=True, text=True
    )
    assert configured.returncode == 1
    said = [line.strip() for line in configured.stderr.splitlines() if line.strip()]
    assert re.fullmatch(r"CMake Error at CMakeLists.txt:\d+ \(message\):", said[-2])
    assert said[-1] == f"synth needs {package}, which is missing: sudo apt install {package}"


def environment(**changes):
    """As conftest.py needs it, which imports what lies in `support`."""
    return os.environ | {"PYTHONPATH": str(ROOT / "tests" / "support")} | changes


SKIPPED = {
    "inside": "import pytest\ndef test_it(): pytest.skip('no reason')",
    "marked": "import pytest\n@pytest.mark.skip(reason='no reason')\ndef test_it(): pass",
    "module": "import pytest\npytest.skip('no reason', allow_module_level=True)\n",
}
EXPECTED = "import pytest\n@pytest.mark.xfail\ndef test_it(): raise ValueError\n"


@pytest.mark.full
@pytest.mark.parametrize("ci", ["", "true"])
def test_skipped_test_fails_only_in_ci_and_an_expected_failure_nowhere(ci, tmp_path):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_expected.py").write_text(EXPECTED)
    for name, text in SKIPPED.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    words = [Path(sys.executable).with_name("pytest"), "-rA", "--continue-on-collection-errors", tmp_path]
    run = subprocess.run(words, env=environment(CI=ci), capture_output=True, text=True)
    assert run.returncode == bool(ci), run.stdout
    assert run.stdout.count("no reason (a skipped test is a failure in CI)") == (2 * len(SKIPPED) if ci else 0)
    assert "1 xfailed" in run.stdout
