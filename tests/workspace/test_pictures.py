"""Test that the pictures of README.md and of the results are what `make pictures` writes, and small."""

import re
from pathlib import Path

import pytest

from quick import mostly_full
from scripts import imported

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"


@pytest.fixture(scope="module")
def pictures():
    return imported(ROOT / "docs" / "pictures.py").PICTURES


def words_of(text):
    return re.findall(r"<text[^>]*>([^<]*)", text)


@mostly_full("name", [path.name for path in sorted(FOLDER.iterdir())], quick=["mutex.svg"])
def test_a_picture_is_what_the_script_makes(pictures, name):
    """If not: make pictures. Each release of matplotlib, which makes one, draws a little otherwise the same words."""
    text, made = (FOLDER / name).read_text("utf-8"), pictures[name]()
    assert words_of(text) == words_of(made) != []
    assert text == made or name == "tests.svg"
    assert len(text) < 60_000
    assert "<title" in text


def test_each_picture_is_shown_somewhere(pictures):
    assert {path.name for path in FOLDER.iterdir()} == set(pictures)
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = "".join(page.read_text("utf-8") for page in pages)
    assert [name for name in pictures if f"pictures/{name}" not in shown] == []
