"""Run the commands in the documents, and compare their output.

README.md must work after `make demo` alone. The other documents may need an extra. The quick tests run the commands of
README.md inside their own process, see synth/test_sessions.py.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import written
from as_installed import environment_of_demo
from documents import BLOCK, commands, shown

ROOT = Path(__file__).parents[2]
HERE = Path(sys.executable).parent


def documents_with(kind):
    """Each document that has such blocks."""
    found = [
        pytest.param(path, id=path.name)
        for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
        if f"```{kind}\n" in path.read_text()
    ]
    return pytest.mark.parametrize("document", found)


@pytest.fixture(scope="module")
def of_demo(tmp_path_factory):
    return environment_of_demo(tmp_path_factory.mktemp("demo") / "venv")


@pytest.fixture
def bin_(document, of_demo):
    """The folder of commands that the reader of a document has."""
    return of_demo if document.name == "README.md" else HERE


@pytest.mark.full
def test_the_environment_of_demo_has_what_it_installs_and_nothing_that_only_tests_need(of_demo):
    def can_import(name):
        return not subprocess.run(
            [of_demo / "python", "-P", "-c", f"import {name}"], stderr=subprocess.DEVNULL
        ).returncode

    there = ("synth", "synth_checker._native", "pysat", "z3", "typer", "nanobind", "pip")
    assert [name for name in there if not can_import(name)] == []
    absent = ("duckdb", "matplotlib", "dask", "dratify", "cdclkit", "pytest", "hypothesis", "numpy")
    assert [name for name in absent if can_import(name)] == []


@pytest.mark.full
@documents_with("console")
def test_the_commands_of_a_document_print_what_it_shows(document, bin_, tmp_path):
    others = [folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != HERE]
    path = os.pathsep.join([str(bin_), *others])
    for command, expected in commands(document, tmp_path):
        done = subprocess.run(
            ["/bin/bash", "-o", "pipefail", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / ".cache")},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert shown(done.stdout) == shown(expected), (command, done.stderr)
        assert not done.stderr, command
    for folder in tmp_path.glob("*.corpus"):
        written.check_corpus(folder)


@pytest.mark.full
@documents_with("python")
def test_the_python_examples_of_a_document_print_what_their_comments_say(document, bin_, tmp_path):
    """From top to bottom, as one session."""
    session = "\n".join(block["text"] for block in BLOCK.finditer(document.read_text()) if block["kind"] == "python")
    done = subprocess.run([bin_ / "python", "-P", "-c", session], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", session)


def test_the_examples_of_the_package_are_true():
    import doctest

    import synth

    results = doctest.testmod(synth)
    assert results.attempted
    assert not results.failed
