"""Published tables of results as campaigns, and back.

    table + description -> cells and tallies -> a campaign -> the table, to the byte

A table names tests by their numbers in a suite; a corpus has these as aliases. Each row is a cell for each column that
was run, even if two rows have the same normal form. `synth_corpus.formats.results` reads and writes the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from synth_backends.litmus_test import LitmusTest
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.description import description_of
from synth_campaigns.folder import create, open_store
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_campaigns.sources import LaunchTally, Source, put_tallies, sources_of, tallies_of
from synth_checker.errors import InputError
from synth_corpus.formats.results import ResultTable, hung, read_table_file, runs_of, suite_of
from synth_corpus.parts import aliases_in
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus
from synth_storage.files import read_small
from synth_storage.reserved_names import is_reserved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.description import Column, TableDescription
    from synth_campaigns.store import Store
    from synth_devices.raw_ends import RawEnd


class _SourceTable(NamedTuple):
    """A table that was read, and the SHA-256 of its file."""

    path: Path
    table: ResultTable
    digest: str


def import_tables(tables: Sequence[Path], describe: Path, out: Path) -> None:
    """Make a campaign of published tables, of which a file says what they mean.

    Raises:
        InputError: a file cannot be read, the description does not fit, a test is not known, or the place is taken.
        ResourceError: writing failed.
    """
    description = description_of(read_small(describe, "a description of a table"), str(describe))
    read = [_read(path, description) for path in tables]
    if len({table.digest for table in read}) < len(read):
        raise InputError("found the same table twice, expected each table once")
    tests = _tests(description, read, describe.parent)
    cells = [cell for table in read for cell in _cells(table, description, tests)]
    settings = Settings(
        tuple(sorted({cell.test for cell in cells})),
        (RunSettings(description.device, tuple(dict.fromkeys(column.mapping for column in description.columns))),),
        LaunchSettings(count=description.fields["cells"]["launches"]),
        order="as-given",
    )

    def fill(store: Store) -> None:
        driver, order = description.driver, description.fields.get("order", "")
        store.note_driver(description.device, driver, {"framework": description.fields["framework"]}, order)
        first = 1
        for table in read:
            tallies = _tallies(table, description)
            numbered = [(first + place, tally) for place, of_cell in enumerate(tallies) for tally in of_cell]
            put_tallies(store, _source(table, description), numbered)
            first += len(tallies)

    create(out, settings, list({test.id: test for test in tests.values()}.values()), cells=cells, fill=fill)


def table_texts(folder: Path) -> dict[str, str]:
    """Return the published tables of which a campaign was made, each by the name of its file.

    Raises:
        InputError: the folder holds no campaign, or none that was made of tables.
    """
    with open_store(folder) as store:
        sources = [source for source in sources_of(store) if source.kind == "table"]
        tallies, cells = tallies_of(store), store.cells()
    if not sources:
        raise InputError(f"{folder}: it was not made of published tables; choose the format jsonl or results")
    texts, first = {}, 1
    for source in sources:
        headings = cast("list[str]", source.told["headings"])
        rows = cast("list[int]", source.told["rows"])
        idle = set(cast("list[str]", source.told["idle"]))
        of_rows: dict[int, tuple[str, ...]] = {}
        for row in rows:
            of_row = []
            for heading in headings:
                if heading in idle:
                    of_row.append("P")
                    continue
                if (cells[first - 1].heading, cells[first - 1].row.rpartition("/")[2]) != (heading, str(row)):
                    raise InputError(
                        f"{folder}: cell {first} is not the next cell of the table {source.name}, so somebody has "
                        "changed the database; import the table again"
                    )
                of_row.append(_text_of(tallies.get(first, [])))
                first += 1
            of_rows[row] = tuple(of_row)
        texts[source.name] = ResultTable(tuple(headings), of_rows, bool(source.told["sums_runs"])).to_text()
    return texts


def _read(path: Path, description: TableDescription) -> _SourceTable:
    table, digest = read_table_file(path)
    description.check_headings(table.settings, str(path))
    for line, cells in enumerate(table.rows.values(), 2):
        for heading, cell in zip(table.settings, cells, strict=True):
            if heading in description.idle and cell != "P":
                raise InputError(
                    f"{path}:{line}: found {cell!r} under {heading!r}, but the description says that nobody ran it"
                )
    return _SourceTable(path, table, digest)


def _tests(description: TableDescription, read: Sequence[_SourceTable], folder: Path) -> Mapping[int, LitmusTest]:
    """Return the test of each row, by the number of the row. A path in the description starts from its folder."""
    word = description.fields["tests"]
    place = locate_corpus(word) if is_reserved(word) else folder / word
    by_alias = {
        alias: LitmusTest(alias, record.id, record.program)
        for record in Corpus(place)
        for alias in aliases_in(record.more)
    }
    suite = suite_of(by_alias, description.fields.get("suite"), 'say suite = "SUITE" in the description')
    for table in read:
        for line, number in enumerate(table.table.rows, 2):
            if f"{suite}/{number}" not in by_alias:
                raise InputError(
                    f"{table.path}:{line}: found results of test {number}, but {place} has no test {suite}/{number}"
                )
    return {number: by_alias[f"{suite}/{number}"] for read_one in read for number in read_one.table.rows}


def _columns(table: _SourceTable, description: TableDescription) -> list[tuple[int, Column]]:
    """Return the columns of a table that were run, each with its place, in the order of the table."""
    by_heading = {column.heading: column for column in description.columns}
    return [(place, by_heading[name]) for place, name in enumerate(table.table.settings) if name in by_heading]


def _cells(table: _SourceTable, description: TableDescription, tests: Mapping[int, LitmusTest]) -> list[Cell]:
    return [
        Cell(
            0, description.device, test.id, len(test.program),
            Setting(column.mapping, column.instances, column.stress), 0, column.launches, column.across, test.name,
            column.heading,
        )
        for test in (tests[number] for number in table.table.rows)
        for _, column in _columns(table, description)
    ]  # fmt: skip


def _tallies(table: _SourceTable, description: TableDescription) -> list[list[LaunchTally]]:
    """Return the tallies of each cell of a table, in the order of its cells."""
    timeout = description.fields.get("timeout")
    end: RawEnd = description.fields["cells"]["F"]
    tallies = []
    for cells in table.table.rows.values():
        for place, column in _columns(table, description):
            cell = cells[place]
            if cell == "P":
                tallies.append([LaunchTally("ended", column.launches, timeout)])
            elif cell == "F":
                tallies.append([LaunchTally(end, 1, timeout, is_least=True)])
            else:
                ended = runs_of(cell) - hung(cell)
                rest = [LaunchTally("ended", ended, timeout)] if ended else []
                tallies.append([LaunchTally(end, hung(cell), timeout), *rest])
    return tallies


def _text_of(tallies: Sequence[LaunchTally]) -> str:
    """Return the cell of a table that has these tallies."""
    wrong = [tally for tally in tallies if tally.end != "ended"]
    if not wrong:
        return "P"
    (first,) = wrong
    return "F" if first.is_least else f"F ({first.launches}/{sum(tally.launches for tally in tallies)})"


def _source(table: _SourceTable, description: TableDescription) -> Source:
    origin = {
        "headings": list(table.table.settings),
        "rows": list(table.table.rows),
        "idle": list(description.idle),
        "sums_runs": table.table.sums_runs,
        "description": description.fields,
    }
    return Source("table", table.path.name, table.digest, origin)
