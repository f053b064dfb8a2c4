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

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

#: Imports go only downward. PACKAGES says what each package imports of our packages, and FOLDERS what each folder and
#: module of `synth` imports of the others there. Both are exact: what no file imports any more must be removed here.
PACKAGES = {
    "checker/synth_checker": set(),
    "storage/synth_storage": {"synth_checker"},
    "encodings/synth_encodings": {"synth_checker"},
    "corpus/synth_corpus": {"synth_checker", "synth_storage"},
    "backends/synth_backends": {"synth_checker", "synth_storage"},
    "devices/synth_devices": {"synth_checker", "synth_backends"},
    "campaigns/synth_campaigns": {"synth_checker", "synth_storage", "synth_backends", "synth_devices"},
    "analysis/synth_analysis": {"synth_checker", "synth_backends", "synth_devices", "synth_campaigns"},
    "explorer/synth_explorer": {"synth_backends", "synth_checker", "synth_corpus"},
    "solvers/synth_solvers": {"synth_checker"},
    "kernels/synth_kernels": {"synth_checker", "synth_solvers"},
    "machines/synth_machines": {"synth_checker"},
    "synth": {
        "synth_checker",
        "synth_storage",
        "synth_encodings",
        "synth_corpus",
        "synth_backends",
        "synth_devices",
        "synth_campaigns",
        "synth_analysis",
        "synth_explorer",
        "synth_kernels",
        "synth_machines",
        "synth_solvers",
    },
}
FOLDERS = {
    "figures": {"drawing", "phrases"},
    "phrases": set(),
    "states": {"phrases"},
    "work": set(),
    "inputs": set(),
    "engines": {"work"},
    "certifying": {"inputs"},
    "suites": {"inputs", "work"},
    "simulating": {"inputs", "judging", "suites", "work"},
    "campaigning": {"exchange", "explaining", "inputs", "work"},
    "documents": {"phrases"},
    "drawing": {"phrases"},
    "inspecting": set(),
    "machines": {"drawing", "inputs", "phrases"},
    "verification": set(),
    "questions": {"verification"},
    "kernel_needs": {"campaigning", "enumeration", "inputs", "phrases", "transitions", "verification"},
    "probing": {"campaigning", "inputs", "suites", "work"},
    "directed": {"engines", "inputs", "judging", "work"},
    "enumeration": {"engines", "inputs", "work"},
    "jobs": {"engines", "enumeration", "figures", "phrases", "work"},
    "judging": {"inputs", "phrases"},
    "crosschecking": {"engines", "work"},
    "explaining": {"drawing", "inputs", "judging", "phrases", "states", "transitions"},
    "exchange": {"enumeration", "inputs", "judging", "phrases"},
    "transitions": {"drawing", "inputs", "states", "phrases"},
    "lattice": {"drawing", "enumeration", "inputs", "phrases", "work"},
    "tabulating": {"campaigning", "documents", "drawing", "figures", "inputs", "jobs", "phrases"},
    "exploring": {"campaigning", "suites", "tabulating"},
    "views": {
        "figures",
        "campaigning", "certifying", "crosschecking", "directed", "documents", "drawing", "enumeration", "exchange",
        "explaining", "exploring", "inspecting", "jobs", "judging", "kernel_needs", "lattice", "machines", "phrases",
        "questions", "simulating", "suites", "tabulating", "transitions", "verification",
    },
    "api": {"campaigning", "enumeration", "explaining", "inputs", "judging", "verification"},
    "cli": {
        "campaigning", "certifying", "crosschecking", "directed", "documents", "drawing", "engines", "enumeration",
        "exchange", "explaining", "exploring", "inputs", "inspecting", "jobs", "judging", "kernel_needs", "lattice",
        "machines", "phrases", "probing", "questions", "simulating", "suites", "tabulating", "transitions",
        "verification", "views", "work",
    },
    "__init__": {
        "api", "campaigning", "directed", "enumeration", "exchange", "explaining", "inputs", "judging", "lattice",
        "simulating", "suites", "verification", "work",
    },
    "__main__": {"cli"},
}  # fmt: skip
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
    for node in nodes_in(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.lineno, node.module, tuple(alias.name for alias in node.names)


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
            yield from (one if one in files else module for one in below)  # a module of a package, or a name in one

    return {name: {one for one in imported(path) if one in files and one != name} for name, path in files.items()}


def circle_in(graph):
    """Some nodes that lead to each other in a circle, if there are any."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def folder_of(module):
    return module.split(".")[1] if "." in module else "__init__"


def test_no_files_import_each_other_in_a_circle():
    graph = graph_of(modules())
    assert "synth_checker.errors" in graph["synth_checker.programs.program"]  # so the graph has edges ...
    assert (
        circle_in(graph | {"synth_checker.errors": {"synth_checker.programs.program"}}) is not None
    )  # ... and circles are seen
    assert circle_in(graph) is None


def imports_between_folders(files):
    """What each folder and module of `synth` imports of the others there."""
    found = {folder_of(name): set() for name in files if name.partition(".")[0] == "synth"}
    for one, imported in graph_of(files).items():
        for other in imported:
            if one.partition(".")[0] == other.partition(".")[0] == "synth" and folder_of(one) != folder_of(other):
                found[folder_of(one)].add(folder_of(other))
    return found


def test_the_folders_of_synth_import_exactly_what_the_list_says():
    assert imports_between_folders(modules()) == FOLDERS


def test_a_stub_is_read_for_its_imports(tmp_path):
    """As `synth/__init__.pyi`, which names what `__init__.py` loads."""
    files = {name: tmp_path / f"{name}.py" for name in ("synth", "synth.one.a", "synth.two")}
    for file in files.values():
        file.touch()
    assert imports_between_folders(files) == {"__init__": set(), "one": set(), "two": set()}
    (tmp_path / "synth.pyi").write_text("from synth.one.a import name as name\n")
    files["synth.two"].write_text("def late():\n    from synth.one import a\n")
    assert imports_between_folders(files) == {"__init__": {"one"}, "one": set(), "two": {"one"}}


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


@pytest.mark.parametrize("arrows", [PACKAGES, FOLDERS], ids=["packages", "synth"])
def test_what_may_be_imported_has_no_circle(arrows):
    assert circle_in({Path(name).name: others for name, others in arrows.items()}) is None


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_exactly_what_the_list_says(package):
    assert {name for _, name in imports_of(package) if name in OURS - {Path(package).name}} == PACKAGES[package]


def table_of_imports(page):
    """What each package may import of our packages, by the table of docs/architecture.md."""
    table = page.partition("| package | may import |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([\w/]+)` \| (.*) \|$", table, re.MULTILINE)
    return {
        package: OURS - {Path(package).name} if said == "all of them" else set(re.findall(r"`(\w+)`", said))
        for package, said in rows
    }


def test_the_page_on_architecture_says_what_packages_import():
    assert table_of_imports((ROOT / "docs" / "architecture.md").read_text()) == PACKAGES


def test_the_table_of_imports_is_read_as_it_is_written():
    rows = "| `a/b` | nothing of ours |\n| `c/d` | `b`, `e` |\n| `synth` | all of them |\n\n"
    page = f"| package | may import |\n|---|---|\n{rows}"
    assert table_of_imports(page) == {"a/b": set(), "c/d": {"b", "e"}, "synth": OURS - {"synth"}}


@functools.cache
def providers_of_modules():
    return packages_distributions()


@pytest.mark.parametrize("package", PACKAGES)
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
    assert sorted(names_in_root() - released - {".ci", ".gitignore"}) == []


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
