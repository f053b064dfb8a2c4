"""Answer SQL queries about a corpus with DuckDB (extra `corpus`), which reads a copy of the corpus as a Parquet table.

The copy lies in the user's cache. Its name has the checksum of the corpus's records, and it has a checksum of its own.
If the copy is missing or damaged, or the corpus has changed, the copy is made again from the corpus.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from synth_checker.errors import InputError
from synth_checker.nearest import hint
from synth_corpus.formats.format import export_of
from synth_corpus.formats.parquet import duckdb, literal, write_parquet
from synth_storage.folders import FolderKind, put_folder, sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.store import Corpus

_TABLE = "tests.parquet"
_CHECKSUM = "sha256"
#: The version of the columns, so that a copy of another release with other columns is not used.
_LAYOUT = 1
#: The message of DuckDB about an unknown column.
_UNKNOWN = re.compile('Referenced column "(.*)" not found')
#: The number of rows that are fetched together.
_ROWS = 1000


class QueryAnswer(NamedTuple):
    """The answer to a query: the names of its columns, and an iterator over its rows."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as dicts, whose keys are the names of the columns.

        Raises:
            InputError: two columns have the same name.
        """
        twice = [name for k, name in enumerate(self.columns) if name in self.columns[:k]]
        if twice:
            raise InputError(f"query: two columns are named {twice[0]!r}; rename one of them (SELECT ... AS NAME)")
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))


@contextlib.contextmanager
def ask(corpus: Corpus, sql: str) -> Iterator[QueryAnswer]:
    """Return the answer to an SQL query over the view `tests`, which has the columns of the format `parquet`.

    Raises:
        InputError: DuckDB is not installed, the query is wrong, or the corpus cannot be read.
        ResourceError: the copy of the corpus cannot be made.
    """
    db = duckdb()
    with db.connect() as connection:
        connection.from_parquet(literal(copy_of(corpus))).create_view("tests")
        try:
            cursor = connection.execute(sql)
            if cursor is None:
                raise InputError("query: found an empty text, expected SQL such as SELECT id FROM tests")
            columns = tuple(column[0] for column in cursor.description or ())
            yield QueryAnswer(columns, chain.from_iterable(iter(lambda: cursor.fetchmany(_ROWS), [])))
        except db.Error as error:
            said = str(error).splitlines()[0]
            columns = connection.table("tests").columns
            advice = hint(name[1], columns) if (name := _UNKNOWN.search(said)) else ""
            raise InputError(f"query: {said}{advice}; the view tests has the columns {', '.join(columns)}") from error
        except RuntimeError as error:  # DuckDB raises this on Ctrl-C
            if "interrupted" in str(error).lower():
                raise KeyboardInterrupt from error
            raise


def copy_of(corpus: Corpus) -> Path:
    """Return the path of the Parquet copy of a corpus. The copy is made now unless it exists and is undamaged.

    Raises:
        InputError: DuckDB is not installed, or the corpus cannot be read.
        ResourceError: the copy cannot be made.
    """
    verdicts = hashlib.sha256("\n".join(corpus.manifest.verdicts).encode()).hexdigest()[:16]
    folder = _cache() / f"{hashlib.sha256(corpus.manifest.sha256.encode()).hexdigest()}-{verdicts}-{_LAYOUT}"
    if not _is_whole(folder):
        export = export_of(corpus)

        def fill(new: Path) -> None:
            write_parquet(export, new / _TABLE)
            (new / _CHECKSUM).write_text(sha256_of(new / _TABLE), "utf-8")

        put_folder(folder, fill, FolderKind("a copy of a corpus", lambda _: True), force=True)
    return folder / _TABLE


def _cache() -> Path:
    """Return the folder of all copies, which follows the XDG base directory specification."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synth" / "copies"


def _is_whole(folder: Path) -> bool:
    try:
        return (folder / _CHECKSUM).read_text("utf-8") == sha256_of(folder / _TABLE)
    except (OSError, UnicodeDecodeError):
        return False
