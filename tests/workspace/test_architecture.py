"""Test that docs/build/architecture.md names every package and folder, and nothing that is not there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "build" / "architecture.md").read_text()
#: The text of each section about a package, by its path.
SECTIONS = {
    path: text.partition("\n## ")[0]
    for path, text in re.findall(r"^### `([\w/]+)`:.*?\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
}
TO_COME = TEXT.partition("### Packages to come")[2].partition("\n## ")[0]


def folders(place):
    """The folders in one that hold code."""
    return {path.name for path in place.iterdir() if any(path.glob("*.py")) or any(path.glob("*.?pp"))}


def paths_in(text):
    """What in a text is written as code and looks like a path from the root."""
    return set(re.findall(r"`((?:backends|checker|corpus|docs|encodings|storage|synth|tests)/[\w./+-]*)`", text))


def is_there(path):
    """Whether there is such a file, folder or module."""
    return any((ROOT / f"{path.rstrip('/')}{end}").exists() for end in ("", ".py"))


def test_each_package_has_a_section_and_each_section_a_package():
    packages = {str(path.parent.relative_to(ROOT)) for path in ROOT.glob("*/*/py.typed")} | {"synth"}
    assert set(SECTIONS) == packages | {"checker/native"}


@pytest.mark.parametrize("package", ["synth", "checker/native"])
def test_each_folder_of_a_package_with_a_list_is_an_entry_of_it(package):
    listed = re.findall(r"^- `([\w.]+)/?`[:.]", SECTIONS[package], re.MULTILINE)
    assert sorted(name for name in listed if "." not in name) == sorted(folders(ROOT / package))


@pytest.mark.full
@pytest.mark.parametrize("package", [path for path in SECTIONS if path != "checker/native"])
def test_a_folder_or_module_that_a_section_names_is_there(package):
    """In the package, or in one of its folders; or it is a name that some module of it has."""
    place = ROOT / package
    within = [place, *(place / name for name in folders(place))]
    there = {path.name.removesuffix(".py") for folder in within for path in folder.iterdir()}
    names = {name.removesuffix(".py") for name in re.findall(r"`([\w.]+)/?`", SECTIONS[package])}
    assert names - there - (words_of(place) if names - there else set()) == set()


def words_of(place):
    """The names that modules of a package define, and the packages of ours."""
    trees = (ast.parse(path.read_text()) for path in place.rglob("*.py"))
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {"synth", *(path.parent.name for path in ROOT.glob("*/*/py.typed")), "synth_checker._native"}


def test_each_path_is_there():
    assert {path for path in paths_in(TEXT.replace(TO_COME, "")) if not is_there(path)} == set()


def test_what_is_to_come_is_not_there():
    """When it comes, it moves to the others."""
    assert TO_COME
    paths = re.findall(r"^- `([\w/]+)`:", TO_COME, re.MULTILINE)
    assert [path for path in paths if is_there(path)] == []


def test_a_path_that_is_not_there_is_noticed():
    assert paths_in("see `synth/frob.py`, `synth/cli` and `frob`") == {"synth/frob.py", "synth/cli"}
    assert [is_there(path) for path in ("synth/frob.py", "synth/cli/", "synth/api")] == [False, True, True]
