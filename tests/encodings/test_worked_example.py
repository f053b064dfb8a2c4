"""Test that the worked example of docs/build/encoding.md shows what the code of the engine produces."""

import runpy
from pathlib import Path

from synth_encodings.full import FullEncoding

DOCS = Path(__file__).parents[2] / "docs"


def test_the_document_shows_what_the_code_says():
    """`python docs/worked_example.py` prints the block anew."""
    printed = runpy.run_path(str(DOCS / "worked_example.py"))["block"]()
    assert f"```text\n{printed}```\n" in (DOCS / "build" / "encoding.md").read_text("utf-8")


def test_the_example_has_the_clauses_of_the_engine():
    example = runpy.run_path(str(DOCS / "worked_example.py"))["Example"]()
    assert example.cnf.clauses == FullEncoding((1, 1), 2, 2).cnf.clauses
