"""The prose of the repository as pieces of text: paragraphs of documents, docstrings, and messages.

markdown-it reads the documents and the docstrings. A piece is one paragraph, list item, heading or table cell. Code
blocks are left out, and the text of inline code is kept between backticks. A message is a string of at least four words
in the syntax tree that is not a docstring: it is raised, printed, or the help of an option.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = ("*.md", "docs/*.md")
GENERATED = "<!-- Written by `make"
#: The folders of the packages.
PACKAGES = (
    "backends/synth_backends",
    "checker/synth_checker",
    "corpus/synth_corpus",
    "encodings/synth_encodings",
    "devices/synth_devices",
    "storage/synth_storage",
    "synth",
)
#: A word between spaces; names such as `SLURM_JOB_ID` and pieces of code are none.
WORD = re.compile(r"(?<![^\s(\"'])[A-Za-z][A-Za-z'-]*(?=[\s.,:;!?)\"']|$)")
#: A string with fewer words is no message; the values that are put in do not count.
FEWEST = 4
VALUE = re.compile(r"\{[^}]*\}")
#: What is no prose: a query, a pattern, the first line of a script, what `repr` shows, a command as an example.
CODE = re.compile(r"^(?:#!|SELECT |CREATE |INSERT |COPY |import |from |read_|<|Example: )|[(\[]\?[:P=!<]|\\[bdsw]")


@dataclass(frozen=True)
class Piece:
    """A piece of text, and where it stands."""

    path: str
    line: int
    text: str
    kind: str = "paragraph"

    @property
    def place(self) -> str:
        """The path and the line."""
        return f"{self.path}:{self.line}"


def _inline(token: Token) -> str:
    """The text of a paragraph without its marks; inline code keeps its backticks, a line break is a space."""
    words = []
    for child in token.children or ():
        match child.type:
            case "code_inline":
                words.append(f"`{child.content}`")
            case "softbreak" | "hardbreak":
                words.append(" ")
            case "text":
                words.append(child.content)
    return "".join(words)


def of_markdown(text: str, path: str, first_line: int = 1) -> Iterator[Piece]:
    """The pieces of a text in Markdown, in order."""
    container, line = "", 0
    for token in MarkdownIt().enable("table").parse(text):
        if token.type in {"heading_open", "paragraph_open", "th_open", "td_open"}:
            container = token.type
        if token.map:
            line = token.map[0]
        if token.type == "inline" and (found := _inline(token).strip()):
            kind = "paragraph" if container == "paragraph_open" else "part"
            yield Piece(path, first_line + line, found, kind)


@cache
def _parsed(package: str) -> list[tuple[str, ast.Module]]:
    """The modules of a package, each with its path from the root."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))) for path in paths]


def _documented(tree: ast.Module) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The module, and what is public in it, also in what is public."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop(0)
        if isinstance(node, (ast.Module, ast.ClassDef)):
            nodes += node.body
        if isinstance(node, ast.Module) or (
            isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")
        ):
            yield node


def pages() -> list[str]:
    """The documents that people write, as paths from the root; others are made of docstrings and help texts."""
    paths = sorted(path for pattern in PAGES for path in ROOT.glob(pattern))
    return [path.relative_to(ROOT).as_posix() for path in paths if GENERATED not in path.read_text("utf-8")]


def paragraphs(page: str) -> Iterator[Piece]:
    """The pieces of a document."""
    yield from of_markdown((ROOT / page).read_text("utf-8"), page)


def docstrings(package: str) -> Iterator[Piece]:
    """The docstrings of a package's modules and of what is public in them, each whole."""
    for path, tree in _parsed(package):
        for node in _documented(tree):
            if docstring := ast.get_docstring(node, clean=False):
                yield Piece(path, node.body[0].lineno, inspect.cleandoc(docstring), "docstring")


def _text(node: ast.AST) -> str | None:
    """A string, with the expression in braces for each value that is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}" for part in node.values
        )
    return None


def _strings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings of a tree, an f-string as one; docstrings and other expressions that do nothing are left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if (text := _text(child)) is not None:
            yield child.lineno, text
        else:
            yield from _strings(child)


def messages(package: str) -> Iterator[Piece]:
    """The messages of a package: what it raises, prints and says in help texts."""
    for path, tree in _parsed(package):
        for line, text in _strings(tree):
            if len(WORD.findall(VALUE.sub("", text))) >= FEWEST and not CODE.search(text):
                yield Piece(path, line, text, "message")
