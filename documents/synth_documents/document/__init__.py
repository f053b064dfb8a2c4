"""Documents: texts with sections, tables, listings and pictures, of which `html` and `markdown` make files.

Any text in a document may hold anything: names of tests, devices and drivers come from others. Both forms show it as
text. What cannot be printed, such as a mark that turns the direction of writing, they show as an escape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_documents.phrases import shown

if TYPE_CHECKING:
    from synth_documents.table import Entry, Table


@dataclass(frozen=True, slots=True)
class Section:
    """The title of a section. The document itself has level 1."""

    title: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Listing:
    """A text of one or more lines whose letters all have the same width, such as a program or a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences, one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as the text of an SVG file. `name` is a word for the file, and `about` says what the drawing shows."""

    name: str
    about: str
    svg: str


#: A paragraph is a plain text.
Block: TypeAlias = "str | Section | Listing | Items | Table | Picture"


@dataclass(frozen=True, slots=True)
class Document:
    """A title, and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


def entry_text(entry: Entry) -> str:
    """Return an entry of a table as a person reads it."""
    return f"{entry:,}" if isinstance(entry, int) else plain_entry(entry)


def plain_entry(entry: Entry) -> str:
    """Return an entry of a table as programs read it."""
    if entry is None:
        return ""
    return f"{entry:.6g}" if isinstance(entry, float) else shown(" ".join(str(entry).splitlines()))


def number_columns(table: Table) -> list[bool]:
    """Say of each column of a table whether it has only numbers."""
    return [all(not isinstance(row[k], str) for row in table.rows) for k in range(len(table.columns))]
