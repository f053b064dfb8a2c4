"""Test that links in documents to other documents and to headings lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/*.ipynb"), *ROOT.glob("tests/*.md")]
)
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def anchors(text):
    """The names by which forges link to headings: lower case, punctuation left out, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(document, text):
    """The links of a document that lead nowhere."""
    for path, anchor in LINK.findall(CODE.sub("", text)):
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            yield f"{path}#{anchor}" if anchor else path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document):
    assert list(broken(document, document.read_text("utf-8"))) == []


def test_broken_links_are_found(tmp_path):
    document = tmp_path / "a.md"
    (tmp_path / "b.md").write_text("## No, a-heading!\n")
    document.write_text(
        "# A: b\n"
        "[1](#a-b) [2](b.md) [3](b.md#no-a-heading) [4](https://x.example/y) `[5](code)`\n"
        "[6](#b) [7](c.md) [8](b.md#a-b)\n"
    )
    assert list(broken(document, document.read_text())) == ["#b", "c.md", "b.md#a-b"]
