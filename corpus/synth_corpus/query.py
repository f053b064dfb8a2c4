"""Questions to a corpus in SQL: asked of a copy of it as a Parquet table, through DuckDB (extra `corpus`).

The copy is derived and never the truth. It lies in the user's cache under the checksum of the records it was made of,
with one of its own; where it is missing, damaged or of a corpus that has changed, it is made anew.
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
#: Of the columns: copies of another release are not taken for ours.
_LAYOUT = 1
#: Of what DuckDB says of a column that there is not.
_UNKNOWN = re.compile('Referenced column "(.*)" not found')
#: Rows that are asked for at a time.
_ROWS = 1000


class Answer(NamedTuple):
    """The names of an answer's columns, and its rows as they come."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]

    def objects(self) -> Iterator[dict[str, Any]]:
        """The rows as objects, whose keys are the names of the columns.

        Raises:
            InputError: two columns have one name.
        """
        twice = [name for k, name in enumerate(self.columns) if name in self.columns[:k]]
        if twice:
            msg = f"query: found two columns named {twice[0]!r}, expected a name for each (SELECT ... AS NAME)"
            raise InputError(msg)
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))


@contextlib.contextmanager
def ask(corpus: Corpus, sql: str) -> Iterator[Answer]:
    """The answer to an SQL query over the view `tests`, whose columns are those of the format `parquet`.

    Raises:
        InputError: there is no DuckDB, the query is wrong, or the corpus can't be read.
        ResourceError: the copy can't be made.
    """
    db = duckdb()
    with db.connect() as made:
        made.from_parquet(literal(copy_of(corpus))).create_view("tests")
        try:
            found = made.execute(sql)
            if found is None:
                msg = "query: found nothing, expected SQL over the view tests"
                raise InputError(msg)
            columns = tuple(column[0] for column in found.description or ())
            yield Answer(columns, chain.from_iterable(iter(lambda: found.fetchmany(_ROWS), [])))
        except db.Error as error:
            said = str(error).splitlines()[0]
            columns = made.table("tests").columns
            meant = hint(name[1], columns) if (name := _UNKNOWN.search(said)) else ""
            msg = f"query: {said}{meant}, expected SQL over the view tests, whose columns are {', '.join(columns)}"
            raise InputError(msg) from error
        except RuntimeError as error:  # so DuckDB tells of Ctrl-C
            if "interrupted" in str(error).lower():
                raise KeyboardInterrupt from error
            raise


def copy_of(corpus: Corpus) -> Path:
    """The Parquet copy of a corpus, made now unless it is there and whole.

    Raises:
        InputError: there is no DuckDB, or the corpus can't be read.
        ResourceError: the copy can't be made.
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
    """Where copies lie: as the XDG base directory specification says."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synth" / "copies"


def _is_whole(folder: Path) -> bool:
    try:
        return (folder / _CHECKSUM).read_text("utf-8") == sha256_of(folder / _TABLE)
    except (OSError, UnicodeDecodeError):
        return False
