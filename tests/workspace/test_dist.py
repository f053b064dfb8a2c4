"""Test `make dist`: which Python builds which wheel, that a fault stops it, and the contents of its folder."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from scripts import imported

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HERE = sys.version_info[:2]


@pytest.fixture(scope="module")
def dist():
    return imported(ROOT / "release" / "dist.py")


def test_each_python_before_the_stable_abi_builds_its_own_wheel_and_the_oldest_other_one_for_all(dist):
    pythons = [dist.Python((3, minor), f"python3.{minor}", headers=minor != 12) for minor in (10, 11, 12, 13, 14)]
    assert {dist.named([builder]): dist.named(users) for builder, users in dist.builds(pythons).items()} == {
        "3.10": "3.10",
        "3.11": "3.11",
        "3.13": "3.12, 3.13, 3.14",
    }


def test_a_build_without_headers_is_refused_in_one_line(dist):
    with pytest.raises(SystemExit, match=r"^dist: Python 3.11 has no headers: sudo apt install python3.11-dev$"):
        dist.builds([dist.Python((3, 11), "python3.11", headers=False)])


def test_the_stable_abi_begins_where_pyproject_says(dist):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "cp{}{}".format(*dist.STABLE) == project["tool"]["scikit-build"]["wheel"]["py-api"]


def test_pythons_that_are_not_there_or_too_old_are_passed_over_and_each_version_is_there_once(dist, tmp_path):
    def python(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    shim = python("shim", "echo no such version >&2; exit 127")
    old = python("old", """echo '[[3, 10], "/old", true]'""")
    [found] = dist.at_hand([shim, old, str(tmp_path / "none"), sys.executable, sys.executable])
    assert found[:2] == (HERE, sys.executable)


def test_the_folder_holds_nothing_but_the_new_files(dist, tmp_path):
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "progress_synth-0.0.9.tar.gz").write_text("old")
    (tmp_path / "new.whl").write_text("new")
    dist.refuse_foreign(tmp_path / "dist")
    dist.replace(tmp_path / "dist", [tmp_path / "new.whl"])
    assert [path.name for path in (tmp_path / "dist").iterdir()] == ["new.whl"]


def test_a_folder_with_anything_else_in_it_is_refused(dist, tmp_path):
    dist.refuse_foreign(tmp_path / "none")
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(
        SystemExit, match=r"^dist: .*: found thesis.tex, expected a folder of earlier releases, an empty"
    ):
        dist.refuse_foreign(tmp_path)


def test_a_command_that_fails_ends_it_with_its_output(tmp_path):
    """The Python is there; to make the sdist it lacks the tools."""
    subprocess.run([sys.executable, "-P", "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    ran = subprocess.run(
        [python, "-P", ROOT / "release" / "dist.py", tmp_path / "dist", python], capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert re.search(r"No module named build\ndist: .* exited with status 1\n$", ran.stderr)
    assert not (tmp_path / "dist").exists()


@pytest.mark.exhaustive
def test_make_dist_leaves_the_sdist_and_wheels_that_any_linux_can_install(tmp_path):
    """It builds, checks and tries them, and fails if anything of that does."""
    made = subprocess.run(
        ["make", "--no-print-directory", "dist", f"PYTHON={sys.executable}", f"DIST={tmp_path / 'dist'}"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    stem = f"progress_synth-{PROJECT['version']}"
    names = {path.name for path in (tmp_path / "dist").iterdir()}
    assert f"{stem}.tar.gz" in names
    tag = "cp312-abi3" if HERE >= (3, 12) else "cp{0}{1}-cp{0}{1}".format(*HERE)
    assert any(name.startswith(f"{stem}-{tag}-manylinux_") for name in names)
    assert {name for name in names if not name.startswith(stem) or not name.endswith((".whl", ".tar.gz"))} == set()
    for wheel in (tmp_path / "dist").glob("*.whl"):
        assert f"trying {wheel.name} with Python " in made.stdout
        with zipfile.ZipFile(wheel) as archive:
            metadata = archive.read(f"{stem}.dist-info/METADATA").decode()
        assert f"Project-URL: Paper, {PROJECT['urls']['Paper']}" in metadata
    with tarfile.open(tmp_path / "dist" / f"{stem}.tar.gz") as archive:
        assert f"{stem}/release/dist.py" in archive.getnames()
