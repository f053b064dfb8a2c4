"""How the house is laid out: where packages are, which may import which, and what the files at the root agree on."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# Arrows only downward: what each package may import of ours.
MAY_IMPORT = {
    "checker/synth_checker": set(),
    "storage/synth_storage": {"synth_checker"},
    "encodings/synth_encodings": {"synth_checker"},
    "corpus/synth_corpus": {"synth_checker", "synth_storage"},
    "backends/synth_backends": {"synth_checker"},
    "synth": {"synth_checker", "synth_storage", "synth_encodings", "synth_corpus", "synth_backends"},
}
OURS = {Path(package).name for package in MAY_IMPORT}


def imports_of(package):
    """Each import in a package, wherever it stands, as (file and line, top-level module)."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(), path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            else:
                continue
            for name in names:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", name.partition(".")[0]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_downward(package):
    allowed = MAY_IMPORT[package] | {Path(package).name}
    assert [(place, name) for place, name in imports_of(package) if name in OURS - allowed] == []


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_every_import_is_declared(package):
    requirements = chain(PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values())
    declared = {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in requirements}
    providers = packages_distributions()
    undeclared = [
        (place, name)
        for place, name in imports_of(package)
        if name not in OURS | sys.stdlib_module_names
        and declared.isdisjoint(provider.lower() for provider in providers.get(name, ()))
    ]
    assert undeclared == []


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_are_typed(package):
    assert (ROOT / package / "__init__.py").is_file()
    assert (ROOT / package / "py.typed").is_file()


def test_synth_is_the_only_package_at_the_root():
    """encodings/__init__.py would shadow Python's own encodings, without which no interpreter starts."""
    assert [path.parent.name for path in ROOT.glob("*/__init__.py")] == ["synth"]


def test_interpreter_starts_with_the_root_on_its_path():
    script = "import encodings, synth; print(encodings.__file__); print(synth.__file__)"
    started = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"PYTHONPATH": "."}, capture_output=True, text=True
    )
    assert started.returncode == 0, started.stderr
    of_encodings, of_synth = started.stdout.splitlines()
    assert Path(of_encodings).is_relative_to(sysconfig.get_path("stdlib"))
    assert (ROOT / of_synth).is_relative_to(ROOT / "synth")


@pytest.mark.parametrize("script", ["Makefile", ".ci/run"])
def test_no_script_puts_the_root_on_the_path(script):
    """`python -m` does, unless -P tells it not to."""
    assert re.findall(r"^[^#\n]*python\)? -m .*", (ROOT / script).read_text(), re.MULTILINE | re.IGNORECASE) == []


def test_build_needs_nothing_that_tests_do_not_have():
    """The tests build the wheel with what is installed."""
    assert set(PROJECT["build-system"]["requires"]) <= set(PROJECT["project"]["optional-dependencies"]["test"])


def test_version_is_the_same_everywhere():
    version = PROJECT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_paper_is_the_same_everywhere():
    doi = PROJECT["project"]["urls"]["Paper"].removeprefix("https://doi.org/")
    assert f"\n    doi: {doi}\n" in (ROOT / "CITATION.cff").read_text()


def test_prerequisites_are_the_same_everywhere():
    prerequisites = "python3-venv python3-dev g++ make"
    assert prerequisites in (ROOT / "README.md").read_text()
    for script in ("Makefile", ".ci/run"):
        text = (ROOT / script).read_text()
        assert [package for package in prerequisites.split() if package not in text] == []
