"""Test the lint of names: it finds what it should, and nothing in our code."""

import ast
from pathlib import Path

import pytest

from scripts import imported

TOOLS = Path(__file__).parents[2] / "docs" / "tools"


@pytest.fixture(scope="module")
def names():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOOLS)
        yield imported(TOOLS / "names.py")


@pytest.mark.full
def test_our_names_are_their_own(names):
    assert list(names.findings()) == []


@pytest.mark.parametrize(
    "code",
    ["for one in x: pass", "[one for one in x]", "{one: k for k, one in x}", "f(key=lambda one: one)"],
)
def test_a_loop_variable_that_says_nothing_is_found(names, code):
    assert len(list(names.of_variables(Path("a.py"), ast.parse(code)))) == 1
    assert list(names.of_variables(Path("a.py"), ast.parse(code.replace("one", "cell")))) == []


def test_a_module_named_by_a_verb_is_found(names):
    assert len(list(names.of_modules(Path("kernels/reading.py")))) == 1
    assert len(list(names.of_modules(Path("kernels/reading/__init__.py")))) == 1
    assert list(names.of_modules(Path("backends/mapping.py"))) == []
