"""The format `parquet`: a table for data frames and databases, which DuckDB writes (extra `corpus`).

The columns are `id`, `threads`, `instructions`, a column for each verdict (true means pass), `signature` (a letter p or
f for each verdict), and `aliases`, which holds lists.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from synth_checker.errors import InputError, InternalError, ResourceError
from synth_checker.extras import how_to_install
from synth_checker.programs.id_layout import BETWEEN_THREADS, WIDTH
from synth_corpus.formats.format import Export, Format
from synth_corpus.record import read_record
from synth_storage.files import put_file

if TYPE_CHECKING:
    from pathlib import Path

#: How much memory DuckDB may use.
_MEMORY = "400MB"


def duckdb() -> Any:  # noqa: ANN401  (a module)
    """Return the module `duckdb`.

    Raises:
        InputError: DuckDB is not installed.
    """
    try:
        import duckdb as found
    except ImportError:
        raise InputError(f"parquet: DuckDB is not installed; to install it: {how_to_install('corpus')}") from None
    return found


def _put(export: Export, place: Path, *, force: bool) -> None:
    put_file(place, lambda new: write_parquet(export, new), force=force)


def write_parquet(export: Export, path: Path) -> None:
    """Write the table of tests whose records are in a file.

    Raises:
        InputError: DuckDB is not installed, it takes two verdicts for the same column, the records do not agree with
            their manifest, or a line is not a record.
        ResourceError: DuckDB cannot write the table.
    """
    db = duckdb()
    columns_of = {name.lower(): name for name in export.verdicts}
    for name in export.verdicts:
        if columns_of[name.lower()] != name:
            raise InputError(
                f"parquet: DuckDB takes {name} and {columns_of[name.lower()]} for the same column; rename the model"
            )
    tests = sum(1 for _ in export.tests())  # this checks each record; DuckDB does not say which one is wrong
    passes = [f"verdicts.{_quoted(name)} = 'pass'" for name in export.verdicts]
    letters = [f"CASE WHEN {condition} THEN 'p' ELSE 'f' END" for condition in passes]
    columns = [
        "id",
        f"len(string_split(id, '{BETWEEN_THREADS}')) AS threads",
        f"len(replace(id, '{BETWEEN_THREADS}', '')) // {WIDTH} AS instructions",
        *(f"{condition} AS {_quoted(name)}" for name, condition in zip(export.verdicts, passes, strict=True)),
        f"concat({', '.join(letters)}) AS signature",
        "coalesce(aliases, []) AS aliases",
    ]
    verdicts = ", ".join(f"{_quoted(name)} VARCHAR" for name in export.verdicts)
    source = (
        f"read_json({_text(literal(export.records))}, format = 'newline_delimited', compression = 'zstd', "
        f"columns = {{id: 'VARCHAR', verdicts: {_text(f'STRUCT({verdicts})')}, aliases: 'VARCHAR[]'}})"
    )
    options = "FORMAT parquet, COMPRESSION zstd"
    command = f"COPY (SELECT {', '.join(columns)} FROM {source}) TO {_text(str(path))} ({options})"  # noqa: S608  (quoted)
    try:
        with db.connect(
            config={"memory_limit": _MEMORY, "preserve_insertion_order": "true", "threads": "2"}
        ) as connection:
            (written,) = connection.execute(command).fetchone()
    except (db.InvalidInputException, db.ConversionException) as error:  # JSON, but not that of records
        for number, line in enumerate(export.lines(), 1):
            read_record(line.decode("utf-8"), f"{export.records}:{number}")
        raise InputError(f"{export.records}: {str(error).splitlines()[0]}, expected records") from error
    except db.Error as error:
        raise ResourceError(f"{path}: DuckDB cannot write the table: {str(error).splitlines()[0]}") from error
    if written != tests:
        raise InternalError(f"{export.records}: DuckDB found {written} records, expected {tests}")


def literal(path: Path | None) -> str:
    """Return a path in the form that DuckDB takes literally. DuckDB reads an asterisk as a pattern for many files."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


FORMAT = Format(name="parquet", says="a Parquet table, which DuckDB writes", suffix=".parquet", put=_put)
