"""The format `csv`: a table with a row for each test, for spreadsheets and data frames.

The columns are `id`, `threads` and `instructions`, one for each verdict (`pass` or `fail`), and `aliases`, with a space
between two aliases. Other keys of records are not written. To be read, a table needs only the column `id`. A column
named `unfair`, or with a dot in its name, is a verdict. So is any other column with `pass` or `fail` in it: a model
that promises nothing has one verdict, whose name has no dot. An id may consist of digits, so a spreadsheet must be told
that the column is text.
"""

from __future__ import annotations

import csv
import io
from itertools import repeat
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.id_layout import thread_and_instruction_count
from synth_checker.programs.normal import program_of_id
from synth_corpus.formats.format import Export, Format, ImportedProgram, is_alias
from synth_corpus.parts import aliases_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_RESULTS = ("pass", "fail")


def row(cells: Iterable[str]) -> str:
    """Return a row with its line end. Only cells that need quotes have them."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def _write(export: Export) -> Iterator[str]:
    yield row(["id", "threads", "instructions", *export.verdicts, "aliases"])
    for id_, _, verdicts, more in export.tests():
        aliases = aliases_in(more) if more else None
        last = row([" ".join(aliases)]) if aliases else "\n"
        cells = ",".join(map(verdicts.get, export.verdicts, repeat("")))
        threads, instructions = thread_and_instruction_count(id_)
        yield f"{id_},{threads},{instructions},{cells},{last}"


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    reader = csv.reader(lines, strict=True)
    try:
        head = next(reader, [])
        if "id" not in head or len(set(head)) < len(head):
            raise InputError(
                f"{source}:1: found the columns {', '.join(head)[:80]!r}, expected a column 'id' and no name twice"
            )
        for cells in reader:
            if cells:
                yield _given(head, cells, f"{source}:{reader.line_num}")
    except csv.Error as error:
        raise InputError(f"{source}:{reader.line_num}: {error}, expected comma-separated values") from None


def _given(head: list[str], cells: list[str], place: str) -> ImportedProgram:
    if len(cells) != len(head):
        raise InputError(f"{place}: found {len(cells)} cells, expected {len(head)}, as in the first line")
    named = dict(zip(head, cells, strict=True))
    verdicts = {
        name: cell for name, cell in named.items() if cell in _RESULTS or (cell and (name == "unfair" or "." in name))
    }
    for name, cell in verdicts.items():
        if cell not in _RESULTS:
            raise InputError(f"{place}: found {cell[:40]!r} under {name[:40]!r}, expected pass or fail")
    try:
        program = program_of_id(named["id"])
    except InputError as error:
        raise type(error)(f"{place}: {error}") from None
    if not program.threads:
        raise InputError(f"{place}: the id is empty; give the id of a program")
    aliases = tuple(named.get("aliases", "").split(" ")) if named.get("aliases") else ()
    if not all(map(is_alias, aliases)):
        raise InputError(
            f"{place}: found the aliases {named['aliases'][:40]!r}, expected names with one space between two"
        )
    return ImportedProgram(program, place, aliases, verdicts)


FORMAT = Format(name="csv", says="a table with a row for each test", suffix=".csv", write=_write, read=_read)
