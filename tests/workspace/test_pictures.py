"""Test that the pictures of README.md are what `make pictures` writes, and small."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scripts import imported

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pictures():
    return imported(DOCS / "pictures.py")


@pytest.mark.parametrize("name", ["session.svg", "mutex.svg"])
def test_a_picture_is_what_the_script_makes(pictures, name):
    """If not: make pictures."""
    text = (DOCS / "pictures" / name).read_text("utf-8")
    assert text == pictures.PICTURES[name]()
    assert len(text) < 60_000
    assert f'src="docs/pictures/{name}"' in pictures.README.read_text("utf-8")


def test_the_recording_has_what_the_readme_shows(pictures):
    lines = [text.text for text in ET.fromstring(pictures.session()).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314
    assert [line[2:] for line in lines if line.startswith("$ ")] == list(pictures.SESSION)
    shown = [line for line in lines if not line.startswith("$ ")]
    assert len(shown) > 10
    assert set(shown) <= set(pictures.README.read_text("utf-8").splitlines())
    with pytest.raises(ValueError, match="found no block"):
        pictures._printed("synth nothing")


def test_no_other_picture_lies_there(pictures):
    assert {path.name for path in (DOCS / "pictures").iterdir()} == set(pictures.PICTURES)


def test_without_motion_and_without_animation_all_lines_are_there(pictures):
    style = ET.fromstring(pictures.session()).findtext("{http://www.w3.org/2000/svg}style")  # noqa: S314
    assert re.search(r"prefers-reduced-motion: reduce\) \{\.synth \.shown \{animation: none\}", style)
    assert re.findall(r"opacity", style) == ["opacity"]  # only where the animation begins
