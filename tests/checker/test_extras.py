"""Test the command that installs an extra: it runs, and names the packages of pyproject.toml."""

import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from synth_checker.extras import how_to_install, packages_of

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_packages_of_an_extra_are_those_of_the_project(extra):
    assert packages_of(extra) == EXTRAS[extra] != []


@pytest.mark.full
def test_a_command_runs_as_it_is_printed(tmp_path):
    """Its packages are here, so that nothing is fetched."""
    ran = subprocess.run(
        ["/bin/sh", "-c", how_to_install("dask")],
        cwd=tmp_path,
        env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Requirement already satisfied: " in ran.stdout
    assert "Collecting " not in ran.stdout


def test_where_there_is_no_pip_another_one_is_told_of_this_python(monkeypatch):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else find_spec(name))
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    assert how_to_install("corpus") == f"pip --python '/a folder/python' install '{EXTRAS['corpus'][0]}'"


def test_no_message_names_a_package_that_is_not_published():
    folders = ("backends", "checker", "corpus", "docs", "encodings", "synth")
    files = [ROOT / "README.md", *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    read = [path for path in files if path.suffix in {".py", ".md", ".jinja"}]
    assert [path for path in read if "progress-synth[" in path.read_text("utf-8")] == []
