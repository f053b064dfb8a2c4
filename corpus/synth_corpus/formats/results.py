"""The formats `results` and `results-tests`: results of a device, in the two layouts published with the paper.

    Test File Name,No saturation Result,Round Robin Saturation Result,All Passed
    0,P,P,P
    1,P,F (13/20),F
    Total failures:,0,13,1

Each test has a row, with its number in its suite, a cell for each setting, and whether it passed in all settings. A
cell is `P`, or says how many of how many runs hung. The cell `F` alone says that at least one run hung, and counts as
one. In `results`, the last row adds up the runs that hung, and has no
line end. In `results-tests`, the last row counts the tests that hung, and all lines end with CR LF. A test that was not
run has no row, and so no results; `junit` shows it as skipped. In a corpus, results are under the key `results` of a
record, by table, number and setting.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import hint
from synth_corpus.formats.csv_ import row
from synth_corpus.formats.format import Export, Format
from synth_storage.folders import beginning
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from synth_corpus.parts import RecordParts

_FIRST, _LAST, _TOTALS = "Test File Name", "All Passed", "Total failures:"
_CELL = re.compile(r"P|F(?: \(([0-9]{1,9})/([0-9]{1,9})\))?")
_EXPECTED = "P, or F (HUNG/RUNS) with at least one hung run, or F; a test that was not run has no row"
_LONGEST = 64 << 20
#: The results in a record: from table to number of the test to setting to cell.
Results = dict[str, dict[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of a device: for each test, by its number, a cell for each setting.

    `sums_runs` says which of the two layouts the table had.
    """

    settings: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]
    sums_runs: bool

    def to_text(self) -> str:
        """Return the table as text, in the one of the two layouts that `sums_runs` names."""
        columns = zip(*self.rows.values(), strict=True)
        totals = [sum(hung(cell, runs=self.sums_runs) for cell in cells) for cells in columns]
        failed = sum(not _passed(cells) for cells in self.rows.values())
        table = [
            [_FIRST, *self.settings, _LAST],
            *([str(number), *cells, "P" if _passed(cells) else "F"] for number, cells in sorted(self.rows.items())),
            [_TOTALS, *map(str, totals or [0] * len(self.settings)), str(failed)],
        ]
        text = "".join(row(cells) for cells in table)
        return text.removesuffix("\n") if self.sums_runs else text.replace("\n", "\r\n")


def hung(cell: str, *, runs: bool = True) -> int:
    """Return how many runs hung according to a cell of a table.

    If `runs` is false, return 1 if any run hung, and 0 otherwise.
    """
    match = _CELL.fullmatch(cell)
    count = int(match[1]) if match is not None and match[1] else int(cell == "F")
    return count if runs else int(cell != "P")


def runs_of(cell: str) -> int:
    """Return how many runs there were according to a cell of a table. The cells `P` and `F` count as one run."""
    match = _CELL.fullmatch(cell)
    return int(match[2]) if match is not None and match[2] else 1


def _passed(cells: Iterable[str]) -> bool:
    return all(cell == "P" for cell in cells)


def read_table_file(path: Path) -> tuple[ResultTable, str]:
    """Read a table of results from a file, which may begin with a byte order mark. Also returns its SHA-256.

    Raises:
        InputError: the file cannot be read, or is not such a table.
    """
    try:
        data = beginning(path, _LONGEST)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise refusal(path, error, "a table of results") from error
    return read_table(text, str(path)), hashlib.sha256(data).hexdigest()


def suite_of(aliases: Iterable[str], prefix: str | None, ask: str = "--alias-prefix SUITE") -> str:
    """Return the suite to whose tests the numbers of a table belong: `prefix`, or the only one that aliases name.

    `ask` says in messages how a user names the suite.

    Raises:
        InputError: the aliases name no suite, or several.
    """
    if prefix is not None:
        return prefix
    suites = {suite for suite, _, number in (alias.rpartition("/") for alias in aliases) if number.isdecimal()}
    if len(suites) != 1:
        raise InputError(f"results: found tests of {len(suites)} suites, expected a single one (or {ask})")
    return suites.pop()


def read_table(text: str, source: str) -> ResultTable:
    """Read a table of results in either layout. `source` is the name of the text in messages.

    Raises:
        InputError: the text is not such a table, a row does not fit, or the totals are wrong; the message starts with
            `source` and the line.
    """
    # A cell contains no line end, so the number of a row is the number of its line.
    reader = csv.reader(text.splitlines())
    try:
        rows = list(enumerate(reader, 1))
    except csv.Error as error:
        raise InputError(f"{source}:{reader.line_num}: {error}, expected a table of results") from None
    if not rows or len(rows[0][1]) < 3 or (rows[0][1][0], rows[0][1][-1]) != (_FIRST, _LAST):
        raise InputError(
            f"{source}:1: this is not a table of results, expected the first line '{_FIRST},SETTING,...,{_LAST}'"
        )
    settings = tuple(rows[0][1][1:-1])
    if len(set(settings)) < len(settings):
        raise InputError(f"{source}:1: two settings have the same name, expected each name once")
    tests: dict[int, tuple[str, ...]] = {}
    for line, cells in rows[1:-1]:
        _add(tests, cells, len(settings), f"{source}:{line}")
    line, totals = rows[-1]
    table = ResultTable(settings, tests, sums_runs="\r\n" not in text)
    expected = table.to_text().splitlines()
    if expected == text.splitlines():
        return table
    ends = "CR LF" if "\r\n" in text else "LF"
    raise InputError(
        f"{source}:{line}: found {row(totals).strip()[:120]!r}, expected {expected[len(rows) - 1]!r}, "
        f"because lines end with {ends}"
    )


def _add(tests: dict[int, tuple[str, ...]], cells: list[str], settings: int, place: str) -> None:
    if len(cells) != settings + 2:
        raise InputError(f"{place}: found {len(cells)} cells, expected {settings + 2}, as in the first line")
    number, *results, passed = cells
    if not re.fullmatch("[0-9]{1,9}", number) or int(number) <= max(tests, default=-1):
        raise InputError(f"{place}: found {number[:40]!r}, expected the number of a test, larger than the one before")
    for cell in results:
        if not _is_cell(cell):
            raise InputError(f"{place}: found {cell[:40]!r}, expected {_EXPECTED}")
    if passed != ("P" if _passed(results) else "F"):
        raise InputError(f"{place}: found {passed[:40]!r} under {_LAST!r}, which contradicts the other cells")
    tests[int(number)] = tuple(results)


def results_in(test: RecordParts, table: str | None) -> dict[int, dict[str, str]]:
    """Return the results that a test has in a table, by its number and the setting; the dict is empty if it has none.

    Raises:
        InputError: the record has results in another form.
    """
    if table is None or "results" not in test.more:
        return {}
    of_tables = test.more["results"]
    of_table = of_tables.get(table, {}) if isinstance(of_tables, dict) else None
    if not isinstance(of_table, dict) or not all(_is_row(*item) for item in of_table.items()):
        of_tables = f"results of {test.id}: those of the table {table!r} have the wrong form"
        raise InputError(f"{of_tables}, expected number -> setting -> {_EXPECTED}")
    return {int(number): cells for number, cells in of_table.items()}


def check_table(export: Export) -> None:
    """Raise InputError if a table is selected in which no test has results."""
    if export.table is not None and not any(results_in(test, export.table) for test in export.tests()):
        raise _no_results(export)


def _no_results(export: Export) -> InputError:
    table = export.table or ""
    tables: dict[str, None] = {}
    for test in export.tests():
        results = test.more.get("results")
        tables.update(dict.fromkeys(results) if isinstance(results, dict) else {})
    known = f"expected one of {', '.join(tables)}" if tables else "import a table with synth corpus import --results"
    return InputError(f"table: no test has results in {table!r}{hint(table, tables)}; {known}")


def _is_row(number: str, cells: object) -> bool:
    return (
        number.isascii()
        and number.isdecimal()
        and isinstance(cells, dict)
        and all(isinstance(cell, str) and _is_cell(cell) for cell in cells.values())
    )


def _is_cell(text: str) -> bool:
    return bool(_CELL.fullmatch(text)) and (text == "P" or 1 <= hung(text) <= runs_of(text))


def _write(export: Export, *, sums_runs: bool) -> Iterator[str]:
    settings: tuple[str, ...] = ()
    rows: dict[int, tuple[str, ...]] = {}
    for test in export.tests():
        for number, cells in results_in(test, export.table).items():
            settings = settings or tuple(cells)
            if tuple(cells) != settings:
                raise InputError(
                    f"table {export.table!r}: test {number} has other settings, expected {', '.join(settings)}"
                )
            if number in rows:
                raise InputError(
                    f"table {export.table!r}: two tests have the number {number}; export only tests of one "
                    "imported suite, in which each number stands for one test"
                )
            rows[number] = tuple(cells.values())
    if not rows:
        raise _no_results(export)
    yield ResultTable(settings, rows, sums_runs).to_text()


FORMATS = tuple(
    Format(name=name, says=says, suffix=".csv", write=functools.partial(_write, sums_runs=sums), needs=("table",))
    for name, says, sums in (
        ("results", "a table of a device's results; its last row counts the runs that hung", True),
        ("results-tests", "a table of a device's results; its last row counts the tests that hung", False),
    )
)
