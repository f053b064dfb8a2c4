"""`results` and `results-tests`: what tests did on a device, in the two layouts that were published with the paper.

    Test File Name,No saturation Result,Round Robin Saturation Result,All Passed
    0,P,P,P
    1,P,F (13/20),F
    Total failures:,0,13,1

A row a test, by its number in its suite; per setting `P`, or of how many runs how many hung; and whether it passed in
all settings. The last row of `results` sums up the runs that hung and has no line end; that of `results-tests` counts
the tests, and lines end with CR LF, the last, too. The layouts have no cell for a test that was not run: it has no row,
and so no results, which `junit` shows as skipped. In a corpus results are under the key `results` of a record, by
table, number and setting.
"""

from __future__ import annotations

import csv
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import hint
from synth_corpus.formats.csv_ import row
from synth_corpus.formats.format import Export, Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_corpus.parts import Fields

_FIRST, _LAST, _TOTALS = "Test File Name", "All Passed", "Total failures:"
_CELL = re.compile(r"P|F \(([0-9]{1,9})/([0-9]{1,9})\)")
_EXPECTED = "P or F (HUNG/RUNS), of so many runs at least one hung; a test that was not run has no row"
#: In JSON: table -> number of the test -> setting -> cell.
Results = dict[str, dict[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of a device: per test, by number, a cell a setting. `sums_runs` says in which layout it was."""

    settings: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]
    sums_runs: bool

    def to_text(self) -> str:
        """The table in its layout."""
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
    """How many runs hung; or, if not `runs`, 1 if one did."""
    found = _CELL.fullmatch(cell)
    count = int(found[1]) if found is not None and found[1] else 0
    return count if runs else int(cell != "P")


def runs_of(cell: str) -> int:
    """How many runs there were, of which a pass says only that there was one."""
    found = _CELL.fullmatch(cell)
    return int(found[2]) if found is not None and found[2] else 1


def _passed(cells: Iterable[str]) -> bool:
    return all(cell == "P" for cell in cells)


def read_table(text: str, source: str) -> ResultTable:
    """Read a table in either layout.

    Raises:
        InputError: it is none, a row does not fit, or the totals are not those of the rows; the message starts with
            `source` and the line.
    """
    # The lines of a table have no line ends inside them, so the number of a row is that of its line.
    reader = csv.reader(text.splitlines())
    try:
        rows = list(enumerate(reader, 1))
    except csv.Error as error:
        msg = f"{source}:{reader.line_num}: {error}, expected a table of results"
        raise InputError(msg) from None
    if not rows or len(rows[0][1]) < 3 or (rows[0][1][0], rows[0][1][-1]) != (_FIRST, _LAST):
        msg = f"{source}:1: found no table of results, expected '{_FIRST},SETTING,...,{_LAST}'"
        raise InputError(msg)
    settings = tuple(rows[0][1][1:-1])
    if len(set(settings)) < len(settings):
        msg = f"{source}:1: found two settings of one name, expected each name once"
        raise InputError(msg)
    tests: dict[int, tuple[str, ...]] = {}
    for line, cells in rows[1:-1]:
        _add(tests, cells, len(settings), f"{source}:{line}")
    line, totals = rows[-1]
    for sums_runs in (True, False):
        table = ResultTable(settings, tests, sums_runs)
        if table.to_text() == text:
            return table
    written = [
        ResultTable(settings, tests, sums).to_text().split("\n")[len(rows) - 1].strip() for sums in (True, False)
    ]
    msg = (
        f"{source}:{line}: found {row(totals).strip()[:120]!r}, expected {written[0]!r}, "
        f"or where lines end with CR LF {written[1]!r}"
    )
    raise InputError(msg)


def _add(tests: dict[int, tuple[str, ...]], cells: list[str], settings: int, place: str) -> None:
    if len(cells) != settings + 2:
        msg = f"{place}: found {len(cells)} cells, expected {settings + 2}, as in the first line"
        raise InputError(msg)
    number, *results, passed = cells
    if not re.fullmatch("[0-9]{1,9}", number) or int(number) <= max(tests, default=-1):
        msg = f"{place}: found {number[:40]!r}, expected the number of a test, larger than the one before"
        raise InputError(msg)
    for cell in results:
        if not _is_cell(cell):
            msg = f"{place}: found {cell[:40]!r}, expected {_EXPECTED}"
            raise InputError(msg)
    if passed != ("P" if _passed(results) else "F"):
        msg = f"{place}: found {passed[:40]!r} under {_LAST!r}, expected what the other cells say"
        raise InputError(msg)
    tests[int(number)] = tuple(results)


def results_in(test: Fields, table: str | None) -> dict[int, dict[str, str]]:
    """The results of a test in a table, by number and setting; empty if the test has none.

    Raises:
        InputError: what the record has there does not have the form of results.
    """
    if table is None or "results" not in test.more:
        return {}
    found = test.more["results"]
    of_table = found.get(table, {}) if isinstance(found, dict) else None
    if not isinstance(of_table, dict) or not all(_is_row(*item) for item in of_table.items()):
        msg = f"results of {test.id}: found none that fit in table {table!r}, expected number -> setting -> {_EXPECTED}"
        raise InputError(msg)
    return {int(number): cells for number, cells in of_table.items()}


def check_table(export: Export) -> None:
    """Raise InputError where a table is asked for in which no test has results."""
    if export.table is not None and not any(results_in(test, export.table) for test in export.tests()):
        raise _no_results(export)


def _no_results(export: Export) -> InputError:
    table = export.table or ""
    tables: dict[str, None] = {}
    for test in export.tests():
        found = test.more.get("results")
        tables.update(dict.fromkeys(found) if isinstance(found, dict) else {})
    known = f"one of {', '.join(tables)}" if tables else "a table that was imported with --results: no test has any"
    return InputError(f"table: found no results in {table!r}{hint(table, tables)}, expected {known}")


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
                msg = f"table {export.table!r}: found other settings at test {number}, expected {', '.join(settings)}"
                raise InputError(msg)
            if number in rows:
                msg = (
                    f"table {export.table!r}: found two tests with the number {number}, expected tests of one suite, "
                    f"in which each number stands for one test"
                )
                raise InputError(msg)
            rows[number] = tuple(cells.values())
    if not rows:
        raise _no_results(export)
    yield ResultTable(settings, rows, sums_runs).to_text()


FORMATS = tuple(
    Format(name=name, says=says, suffix=".csv", write=functools.partial(_write, sums_runs=sums), needs=("table",))
    for name, says, sums in (
        ("results", "a device's result table, which sums up runs", True),
        ("results-tests", "a device's result table, which counts tests", False),
    )
)
