"""Test that documents import only public names: those of `import synth`, and the modules that docs/do/python.md
lists."""

import ast
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON_MD = ROOT / "docs" / "do" / "python.md"
BLOCK = re.compile(r"^```(?:python|py)\b[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if BLOCK.search(path.read_text())
]


def listed():
    """The modules in the second column of the table."""
    table = PYTHON_MD.read_text().partition("\n| to add |")[2].partition("\n\n")[0]
    cells = [row.split("|")[2] for row in table.splitlines()[2:]]
    return {name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)}


def imported(text):
    """The modules that the Python blocks of a document import, but Python's own."""
    trees = [ast.parse(block) for block in BLOCK.findall(text)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    found = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    found |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name for name in found if name.partition(".")[0] not in sys.stdlib_module_names}


def test_what_python_md_shows_needs_no_import_but_synth():
    assert imported(PYTHON_MD.read_text()) == {"synth"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_imports_only_what_is_public(document):
    assert imported(document.read_text()) <= {"synth", *listed()}


def test_a_module_that_is_not_public_is_noticed():
    text = (
        "```python\nimport json\nfrom synth.api import check\n```\n\n```py title=a.py\nimport synth_corpus.store\n```\n"
    )
    assert imported(text) == {"synth.api", "synth_corpus.store"}


def test_each_public_module_is_there_and_says_what_it_is():
    assert len(listed()) == 5
    for name in listed():
        assert import_module(name).__doc__, name
