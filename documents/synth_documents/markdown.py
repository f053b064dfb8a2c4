"""Write a document as Markdown: CommonMark, with tables as GitHub has them.

A backslash before a punctuation character makes it a plain character (CommonMark, section 2.4), also where a table
would take `|` for the end of a cell. So every text goes through `escaped`, which leaves alone what has no meaning.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_documents.document import (
    Items,
    Listing,
    Picture,
    Section,
    entry_text,
    number_columns,
)
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_documents.document import Block, Document
    from synth_documents.table import Table

#: What has a meaning in Markdown: punctuation anywhere; `_` at the edge of a word; `+`, `-`, `=` and digits with a stop
#: or a bracket at the start of a line; and what makes a link of a plain address.
_MARKS = re.compile(
    r"[\\`*{}\[\]<>|#!~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^\s*[-+=]|^\s*\d+[.)](?=\s|$)|:(?=//)|(?<=www)\.",
    re.IGNORECASE,
)


def escaped(text: str) -> str:
    """Return a text as Markdown that shows this text, on one line."""
    return _MARKS.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", shown(text).strip())


def markdown_of(document: Document, files: Mapping[str, str]) -> str:
    """Return a document as Markdown. `files` has the address of each picture by its name; others are left out."""
    parts = [f"# {escaped(document.title)}", *(part for block in document.blocks for part in _block(block, files))]
    return "\n\n".join(parts) + "\n"


def markdown_of_table(table: Table) -> str:
    """Return a table as Markdown, with its title above and its notes below."""
    return "\n\n".join(_table(table)) + "\n"


def _block(block: Block, files: Mapping[str, str]) -> Iterator[str]:
    if isinstance(block, str):
        yield escaped(block)
    elif isinstance(block, Section):
        yield f"{'#' * block.level} {escaped(block.title)}"
    elif isinstance(block, Listing):
        yield _listing(block.text)
    elif isinstance(block, Items):
        yield "\n".join(f"- {escaped(item)}" for item in block.items)
    elif isinstance(block, Picture):
        if block.name in files:
            yield f"![{escaped(block.about)}](<{files[block.name]}>)"
    else:
        yield from _table(block)


def _listing(text: str) -> str:
    """Return a listing between fences that are longer than any row of backquotes in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *map(shown, text.splitlines()), fence])


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"**{escaped(table.title)}**"
    marks = "|".join("---:" if is_number else "---" for is_number in number_columns(table))
    yield "\n".join([_row(table.columns), f"|{marks}|", *(_row(map(entry_text, row)) for row in table.rows)])
    yield from map(escaped, table.notes)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(escaped, cells)) + " |"
