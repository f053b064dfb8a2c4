"""Test a release: a wheel, built from the sdist, that holds all our files and nothing else, and works by itself."""

import json
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = [ROOT / package for package in PROJECT["tool"]["scikit-build"]["wheel"]["packages"]]

IMPORT_ALL = """
import json, pkgutil, sys
from importlib import import_module
for package in sys.argv[1:]:
    for module in pkgutil.walk_packages(import_module(package).__path__, package + "."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
print(json.dumps({name: module.__file__ for name, module in sys.modules.items() if name.startswith("synth")}))
"""


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from the sdist: that is what `python -m build` does unless told otherwise."""
    dist = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-P", "-m", "build", "--no-isolation", f"--outdir={dist}", ROOT, cwd=dist)
    assert len(list(dist.glob("*.tar.gz"))) == 1
    [wheel] = dist.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A new environment with the wheel in it. Its dependencies are those at hand, found behind the wheel's files."""
    venv = tmp_path_factory.mktemp("elsewhere") / "venv"
    run(sys.executable, "-P", "-m", "venv", "--without-pip", venv, cwd=venv.parent)
    pip = [sys.executable, "-P", "-m", "pip", f"--python={venv}", "install", "--no-deps", "--no-index"]
    run(*pip, wheel, cwd=venv.parent)
    site_packages = venv / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    # A folder named in a .pth file comes last on the path, and the .pth files in it, editable installs, are not read.
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return venv / "bin", site_packages


def test_wheel_holds_our_packages_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    names -= {name for name in names if name.split("/")[0].endswith(".dist-info")}
    suffix = ".abi3.so" if sys.version_info >= (3, 12) else sysconfig.get_config_var("EXT_SUFFIX")
    sources = {
        path.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__" and path.suffix != ".so"
    }
    assert names == sources | {f"synth_checker/_native{suffix}"}


def test_wheel_works_elsewhere(installed):
    bin_, site_packages = installed
    files = json.loads(run(bin_ / "python", "-c", IMPORT_ALL, *[p.name for p in PACKAGES], cwd=bin_.parent))
    assert {name.split(".")[0] for name in files} == {package.name for package in PACKAGES}
    assert {name: file for name, file in files.items() if not Path(file).is_relative_to(site_packages)} == {}


def test_a_program_of_a_user_is_typed_by_what_is_installed(installed, tmp_path):
    bin_, _ = installed
    options = ["--strict", f"--python-executable={bin_ / 'python'}", f"--cache-dir={tmp_path}", "--config-file="]
    programs = ROOT / "tests" / "typing"
    checked = [Path(sys.executable).with_name("mypy"), *options, programs / "api.py", programs / "refused.py"]
    assert "no issues found in 2 source files" in run(*checked, cwd=tmp_path)


def test_installed_command_enumerates(installed):
    bin_, _ = installed
    run(bin_ / "synth", "enumerate", "--bounds", "2x2", "--expect", "8", "--out", "2x2.corpus", cwd=bin_.parent)
