"""Test which folders of the C++ core include which others; files without a folder belong to the standard library."""

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "checker" / "native"
#: For each folder the others that it may include: none that may include it. No verdict knows what a program is.
MAY_INCLUDE = {
    "work": set(),
    "lanes": set(),
    "transitions": {"work"},
    "proofs": {"work"},
    "program": {"transitions", "work"},
    "verdicts": {"transitions", "work"},
    "lines": {"program", "work"},
    "launches": {"transitions", "work"},
    "simulation": {"transitions", "work"},
    "search": {"lanes", "program", "work"},
    "lazy": {"program", "verdicts", "work"},
    "sets": {"lanes", "program", "verdicts", "work"},
    "examination": {"program", "sets", "transitions", "verdicts", "work"},
    "minimality": {"program", "sets", "transitions", "verdicts", "work"},
}
FOLDERS = sorted(path.name for path in CORE.iterdir() if path.is_dir())


def included(folder):
    text = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.?pp")))
    return {name.split("/")[0] for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)}


def test_every_file_lies_in_a_folder_that_is_listed():
    assert sorted([*MAY_INCLUDE, "bindings"]) == FOLDERS
    assert not list(CORE.glob("*.?pp"))


@pytest.mark.parametrize("folder", MAY_INCLUDE)
def test_a_folder_includes_only_what_it_may(folder):
    assert included(CORE / folder) - {folder} <= MAY_INCLUDE[folder]


def test_no_two_folders_include_each_other():
    rest = dict(MAY_INCLUDE)
    while leaves := [name for name, others in rest.items() if not others & rest.keys()]:
        rest = {name: others for name, others in rest.items() if name not in leaves}
    assert not rest


def test_an_include_that_is_not_allowed_is_seen(tmp_path):
    (tmp_path / "one.cpp").write_text('#include "verdicts/verdicts.hpp"\n\n#include <vector>\n')
    assert included(tmp_path) == {"verdicts"}
