"""Test the layout of the repository: where packages are, which may import which, and whether root files agree."""

import ast
import functools
import graphlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from quick import mostly_full

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

ARCHITECTURE = (ROOT / "docs" / "build" / "architecture.md").read_text("utf-8")


def table_of_imports(page):
    """What each package imports of our packages, in the order of the table "package | imports" of a page."""
    table = page.partition("| package | imports |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([\w/]+)` \| (.*) \|$", table, re.MULTILINE)
    return {package: set(re.findall(r"`(\w+)`", imported)) for package, imported in rows}


#: What each package imports. The table is exact: what no file imports any more must be removed there.
PACKAGES = table_of_imports(ARCHITECTURE)
OURS = {Path(package).name for package in PACKAGES}
#: How many `Any` the packages have between them, less imports, at most.
MOST_ANY = 45


@functools.cache
def nodes_of(text):
    return list(ast.walk(ast.parse(text)))


def nodes_in(path):
    """The whole syntax tree of a file; each text is parsed once."""
    return nodes_of(path.read_text())


def imports_in(path):
    """Each import in a file, wherever it stands, as (line, module, names that are imported from it)."""
    return imports_in_text(path.read_text())


@functools.cache
def imports_in_text(text):
    """An import is a statement, so expressions are not searched."""
    found, statements = [], [ast.parse(text)]
    for node in statements:  # it grows
        if isinstance(node, ast.Import):
            found += ((node.lineno, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.append((node.lineno, node.module, tuple(alias.name for alias in node.names)))
        for below in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements += getattr(node, below, ())
    return found


def test_imports_are_found_wherever_they_stand():
    text = """
import a
try:
    import b.c
except ImportError as error:
    from d import e, f
else:
    import g
finally:
    import h
class C:
    def method(self):
        with open("i") as file:
            for j in file:
                match j:
                    case 1:
                        if file:
                            pass
                        else:
                            async def k():
                                while True:
                                    import m
"""
    assert {module for _, module, _ in imports_in_text(text)} == {"a", "b.c", "d", "g", "h", "m"}
    everywhere = [node for node in nodes_of(text) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert len(everywhere) == len(imports_in_text(text))


def imports_of(package):
    """Each import in a package, as (file and line, top-level module)."""
    for path in sorted(path for path in (ROOT / package).rglob("*") if path.suffix in {".py", ".pyi"}):
        for line, module, _ in imports_in(path):
            yield f"{path.relative_to(ROOT)}:{line}", module.partition(".")[0]


def modules():
    """The files of all packages, by the names of their modules."""
    return {
        ".".join(path.relative_to((ROOT / package).parent).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }


def graph_of(files):
    """Which modules each module imports of the same files, also only for types, and in a `.pyi` beside it."""

    def imported(path):
        stub = path.with_suffix(".pyi")
        for _, module, names in chain(imports_in(path), imports_in(stub) if stub.exists() else ()):
            below = [f"{module}.{name}" for name in names] or [module]
            yield from (
                module_ if module_ in files else module for module_ in below
            )  # a module of a package, or a name in one

    return {
        name: {module for module in imported(path) if module in files and module != name}
        for name, path in files.items()
    }


def circle_in(graph):
    """Some nodes that lead to each other in a circle, if there are any."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


@pytest.mark.full
def test_no_files_import_each_other_in_a_circle():
    graph = graph_of(modules())
    assert "synth_checker.errors" in graph["synth_checker.programs.program"]  # so the graph has edges ...
    assert (
        circle_in(graph | {"synth_checker.errors": {"synth_checker.programs.program"}}) is not None
    )  # ... and circles are seen
    assert circle_in(graph) is None


@pytest.mark.full
def test_values_of_unknown_type_are_few():
    """Each `Any` turns checks of types off.

    Those that are left stand for what libraries without types give, what templates take, and what schemas leave open.
    """
    there = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules().values()
        for node in nodes_in(path)
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert len(there) <= MOST_ANY, there


@mostly_full("package", PACKAGES)
def test_packages_import_exactly_what_the_table_says(package):
    assert {name for _, name in imports_of(package) if name in OURS - {Path(package).name}} == PACKAGES[package]


def test_a_package_imports_only_packages_above_it():
    """The rule of docs/build/architecture.md. So there is no circle either."""
    above = set()
    for package, imported in PACKAGES.items():
        assert imported <= above, package
        above.add(Path(package).name)
    assert above >= {"synth", "synth_checker"}


def test_each_folder_of_code_has_a_row():
    assert {f"{path.parent.parent.name}/{path.parent.name}" for path in ROOT.glob("*/synth_*/__init__.py")} | {
        "synth"
    } == set(PACKAGES)


def test_the_table_of_imports_is_read_as_it_is_written():
    rows = "| `a/b` | nothing of ours |\n| `c/d` | `b`, `e` |\n\n"
    assert table_of_imports(f"| package | imports |\n|---|---|\n{rows}") == {"a/b": set(), "c/d": {"b", "e"}}


@functools.cache
def providers_of_modules():
    return packages_distributions()


@pytest.mark.full
@mostly_full("package", PACKAGES, quick=6)
def test_every_import_is_declared(package):
    """A module whose distribution is not installed, as an extra may be, counts as named like its distribution."""
    requirements = chain(PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values())
    declared = {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in requirements}
    providers = providers_of_modules()
    undeclared = [
        (place, name)
        for place, name in imports_of(package)
        if name not in OURS | sys.stdlib_module_names
        and declared.isdisjoint(provider.lower() for provider in providers.get(name, (name,)))
    ]
    assert undeclared == []


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_typed(package):
    assert (ROOT / package / "__init__.py").is_file()
    assert (ROOT / package / "py.typed").is_file()


def test_synth_is_the_only_package_at_the_root():
    """encodings/__init__.py would shadow Python's own encodings, without which no interpreter starts."""
    assert [path.parent.name for path in ROOT.glob("*/__init__.py")] == ["synth"]


def names_in_root():
    """What of the root is tracked. Where Git does not know the root, as that of an sdist, all files that are seen."""
    if shutil.which("git"):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
        if names := {name.partition("/")[0] for name in listed.stdout.split("\0") if name}:
            return names
    return {path.name for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".")} - {"PKG-INFO"}


def test_the_root_has_what_a_release_has_and_what_runs_ci():
    """Else, what a compiler or a shell left there may be tracked, too."""
    released = {name.strip("/") for name in PROJECT["tool"]["scikit-build"]["sdist"]["include"]}
    assert sorted(names_in_root() - released - {".ci", ".github", ".gitignore", ".pre-commit-config.yaml"}) == []


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
